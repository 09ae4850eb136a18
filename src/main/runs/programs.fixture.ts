import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildsFolder } from '../built-source.fixture.ts';
import { shownIn } from '../ssh/shown-programs.fixture.ts';
import type { BoxShell } from '../onbox/onbox-scripts.fixture.ts';

// What a box finds in its PATH. A folder is made once for all tests and only read from then on: a thousand links for each
// test took half of its time, because ext4 looks past every file that was deleted within the last seconds.

/** Every program of this machine but these. */
export const programsBut = (left: readonly string[]): string =>
  madeOnce(left.join(' '), (folder) => linkAllBut(folder, left));

/** All that a box of this shell has: its `sh` is this one, and a busybox has nothing else. */
export const programsOf = (shell: BoxShell): string =>
  madeOnce(`sh is ${shell.join(' ')}`, (folder) => {
    if (shell[0] === 'busybox') return linkApplets(folder);
    linkAllBut(folder, ['sh', 'tmux', ...(shell[0] === 'bash' ? [] : ['bash'])]);
    symlinkSync(whereIs(shell[0]), join(folder, 'sh'));
  });

/** A PATH in which this folder of a test's own comes before what the box has. */
export function ownFirst(folder: string, path: string): string {
  mkdirSync(folder);
  return `${folder}:${path}`;
}

/** A PATH with scripts of a test, which are put into this folder, in place of the box's own programs. */
export function pathWith(folder: string, scripts: Readonly<Record<string, string>>): string {
  const path = ownFirst(folder, programsBut(Object.keys(scripts)));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return path;
}

/** A stat of a box whose disks other machines have, too (NFS). */
export const sharedStat = (real: string): string =>
  `case "$1" in -f) echo 6969; exit 0;; esac\nexec ${real} "$@"`;

export const whereIs = (name: string): string =>
  execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();

export const isThere = (name: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

function madeOnce(key: string, fill: (folder: string) => void): string {
  const place = buildsFolder();
  const name = createHash('sha256').update(key).digest('hex').slice(0, 16);
  const folder = join(place, `programs-${name}`);
  if (existsSync(folder)) return folder;
  const filling = mkdtempSync(join(place, 'p'));
  fill(filling);
  try {
    renameSync(filling, folder);
  } catch {
    // Another process of the tests was faster.
    rmSync(filling, { recursive: true, force: true });
  }
  return folder;
}

function linkAllBut(folder: string, left: readonly string[]): void {
  for (const from of ['/bin', '/usr/bin'].map(shownIn)) {
    for (const name of readdirSync(from)) {
      if (left.includes(name)) continue;
      try {
        symlinkSync(join(from, name), join(folder, name));
      } catch {
        // the same name in both
      }
    }
  }
}

function linkApplets(folder: string): void {
  const busybox = whereIs('busybox');
  for (const applet of execFileSync(busybox, ['--list'], { encoding: 'utf8' }).split('\n')) {
    if (/^[a-z\d[]/.test(applet) && applet !== 'bash') symlinkSync(busybox, join(folder, applet));
  }
}
