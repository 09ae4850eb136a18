import { access, constants, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { exists } from '../lib/files.mjs';
import { say } from '../lib/say.mjs';
import { installPackages } from './debian-packages.mjs';

/** What the tests call, how we see that it is there, and the Debian package that brings it. */
const TEST_TOOLS = [
  { name: 'sshd', package: 'openssh-server' },
  { name: 'dropbear', package: 'dropbear-bin' },
  { name: 'rsync', package: 'rsync' },
  { name: 'tmux', package: 'tmux' },
  { name: 'Xvfb', package: 'xvfb' },
  { name: 'shellcheck', package: 'shellcheck' },
  { name: 'busybox', package: 'busybox' },
  { name: 'cron', package: 'cron' },
  { name: 'strace', package: 'strace' },
  // Login shells that boxes have.
  { name: 'fish', package: 'fish' },
  { name: 'tcsh', package: 'tcsh' },
  { name: 'ksh', package: 'ksh' },
  { name: 'mksh', package: 'mksh' },
  { name: 'zsh', package: 'zsh' },
  // A desktop of the tests' own: a session bus, who plays on it, and what Electron shows notifications with.
  { name: 'dbus-daemon', package: 'dbus' },
  { name: '/usr/lib/python3/dist-packages/gi/__init__.py', package: 'python3-gi' },
  { name: '/usr/share/doc/libnotify4', package: 'libnotify4' },
  // Without any font Chromium measures text as zero wide.
  { name: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', package: 'fonts-dejavu-core' },
];

/** Where servers are, which an ordinary user's PATH leaves out on Debian. */
const SERVER_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Installs what the tests need where that is possible; elsewhere the tests that miss something skip themselves. */
export async function ensureTestTools() {
  if (process.platform !== 'linux') return;
  const missing = [];
  for (const tool of TEST_TOOLS) if ((await findCommand(tool.name)) === null) missing.push(tool);
  if (missing.length > 0) {
    const toDo = await installPackages(missing.map((tool) => [tool.package]));
    if (toDo !== null) say(`Some tests will be skipped; to run them all, ${toDo}`);
  }
  // Debian's sshd wants this folder, and only its service makes it.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
}

/** The path of a command, as a shell would find it; null if there is none. */
export async function findCommand(/** @type {string} */ name) {
  if (name.startsWith('/')) return (await exists(name)) ? name : null;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...SERVER_FOLDERS];
  for (const folder of folders) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return null;
}

async function isExecutable(/** @type {string} */ path) {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false; // missing or not for us: either way it cannot be run
  }
}
