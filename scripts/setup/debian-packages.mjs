import { existsSync } from 'node:fs';
import { run } from '../lib/processes.mjs';
import { Refusal } from '../lib/refusal.mjs';
import { say } from '../lib/say.mjs';

/** What a package may be called, the name of the older releases first (64-bit time gave many a t64 at the end). */
/** @typedef {readonly string[]} PackageNames */

const isRoot = () => process.getuid?.() === 0;
const isDebian = () => existsSync('/usr/bin/apt-get') && existsSync('/usr/bin/dpkg');

/**
 * Installs packages as root on Debian and its children. Answers null, or the sentence with what the person would have
 * to do.
 * @param {readonly PackageNames[]} packages
 * @returns {Promise<string | null>}
 */
export async function installPackages(packages) {
  if (!isDebian())
    return `install what your system calls ${packages.map(([name]) => name).join(', ')}`;
  if (!isRoot()) {
    return `run: sudo apt-get install --no-install-recommends ${(await chooseNames(packages)).join(' ')}`;
  }
  await refreshListOnce();
  const names = await chooseNames(packages);
  say(`Installing ${names.join(', ')} …`);
  await aptGet('install', '-y', '-qq', '--no-install-recommends', ...names);
  return null;
}

let isListFresh = false;

async function refreshListOnce() {
  if (isListFresh) return;
  say('Refreshing the list of Debian packages …');
  await aptGet('update', '-qq');
  isListFresh = true;
}

/** For each package the first of its names that this release knows. */
async function chooseNames(/** @type {readonly PackageNames[]} */ packages) {
  const { stdout } = await run('apt-cache', ['policy', ...packages.flat()], {
    env: { ...process.env, LC_ALL: 'C' },
  });
  return pickKnownNames(packages, stdout);
}

/**
 * @param {readonly PackageNames[]} packages
 * @param {string} policy What `apt-cache policy` printed about all their names.
 */
export function pickKnownNames(packages, policy) {
  const known = new Set();
  for (const [, name, candidate] of policy.matchAll(
    /^(\S+):\n {2}Installed: .*\n {2}Candidate: (.*)$/gm,
  )) {
    if (candidate !== '(none)') known.add(name);
  }
  return [
    ...new Set(packages.map((names) => names.find((name) => known.has(name)) ?? names[0] ?? '')),
  ];
}

async function aptGet(/** @type {string[]} */ ...args) {
  const { code, text } = await run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
  });
  if (code !== 0) {
    throw new Refusal(
      `apt-get ${args.join(' ')} failed with exit code ${String(code)}:\n${text.trimEnd()}`,
    );
  }
}
