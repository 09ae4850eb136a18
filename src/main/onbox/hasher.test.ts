import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isThere, programsBut, whereIs } from '../runs/programs.fixture.ts';
import { onboxFolder } from './onbox-scripts.fixture.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-hasher-'))));
afterEach(() => rmSync(folder, { recursive: true }));

// Of "abc", as FIPS 180-4 has it.
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const HASHERS = ['openssl', 'sha256sum', 'shasum', 'python3', 'busybox'];

it.skipIf(process.platform !== 'linux').for(HASHERS)(
  'a box that has %s alone hashes what is there, and is not silent of what it could not read',
  (name, { skip }) => {
    skip(!isThere(name), `there is no ${name} here`);
    writeFileSync(join(folder, 'a b'), 'abc');
    const words = `. ${onboxFolder}/parts/hasher.sh; find_hasher; $hasher 'a b' gone 'a b'; echo "ended $?"; $hasher <'a b'`;
    const { stdout } = spawnSync(whereIs('dash'), ['-c', words], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: programsBut(HASHERS.filter((each) => each !== name)) },
    });
    expect(stdout).toMatch(
      new RegExp(`^(?:${ABC} [ *]a b\n){2}ended [1-9][0-9]*\n${ABC}(?: [ *](?:-|stdin))?\n$`),
    );
  },
);
