import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Detacher } from './launch-plan.ts';
import { STARTERS } from './starters.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-starters-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const names = Object.keys(STARTERS) as Detacher[];
const has = (name: Detacher): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

it.each(names.filter(has))(
  '%s runs the keeper of the run folder, whatever that is called, and hands nobody its output',
  async (name) => {
    const folder = join(home, "it's $(touch no) & a b");
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'keeper.sh'),
      'echo noise; { printf "%s\\n" "$HOME" "$1"; } >"$1/new"; mv "$1/new" "$1/told"\n',
    );
    const line = STARTERS[name].startLine({ id: 'r-1', folder });
    const env = { PATH: process.env['PATH'], HOME: home, TMUX_TMPDIR: home };
    // As run-launch.sh has it; what is left behind holds nobody up who reads this.
    const ran = spawnSync('sh', ['-c', 'eval "$1"', 'sh', line], {
      cwd: home,
      env,
      input: 'of the launch',
      encoding: 'utf8',
    });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, '', '']);
    await vi.waitFor(() => expect(existsSync(join(folder, 'told'))).toBe(true), 20_000);
    expect(readFileSync(join(folder, 'told'), 'utf8')).toBe(`${home}\n${folder}\n`);
    expect(existsSync(join(home, 'no'))).toBe(false);
  },
);
