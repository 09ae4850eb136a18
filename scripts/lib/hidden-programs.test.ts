import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hidePrograms } from './hidden-programs.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-programs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(place: string, ...names: readonly string[]): string {
  const path = join(folder, place);
  mkdirSync(path);
  for (const name of names) {
    writeFileSync(join(path, name), `#!/bin/sh\necho ${name}\n`);
    chmodSync(join(path, name), 0o755);
  }
  return path;
}

it.skipIf(process.platform === 'win32')(
  'takes a program and its versions off the PATH, and nothing else',
  async () => {
    const other = put('other', 'ls');
    const path = [put('all', 'snake', 'snake3', 'snake3.11', 'snakefood', 'tmux'), other];
    const env: Record<string, string> & { PATH: string } = {
      LEASEHOLD_HIDE: 'snake, go',
      PATH: path.join(delimiter),
    };
    const hidden = await hidePrograms(env);
    // This machine may have a program "go" of its own.
    expect(hidden.filter((each) => each.startsWith(folder))).toHaveLength(3);
    const [instead = ''] = env.PATH.split(delimiter);
    expect(JSON.parse(env['LEASEHOLD_HIDDEN'] ?? '')).toMatchObject({ [path[0] ?? '']: instead });
    expect(env.PATH.split(delimiter)[1]).toBe(other);
    const answers = (name: string): string | null =>
      spawnSync(name, { env, encoding: 'utf8' }).stdout?.trim() ?? null;
    expect(['snake', 'snake3', 'snake3.11'].map(answers)).toEqual([null, null, null]);
    expect(['snakefood', 'tmux'].map(answers)).toEqual(['snakefood', 'tmux']);
    rmSync(join(instead, '..'), { recursive: true });
  },
);

it('changes nothing where nothing is named', async () => {
  const env = { PATH: '/usr/bin' };
  expect(await hidePrograms(env)).toEqual([]);
  expect(env.PATH).toBe('/usr/bin');
});
