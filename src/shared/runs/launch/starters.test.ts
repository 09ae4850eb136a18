import { execFileSync, spawn, spawnSync } from 'node:child_process';
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

const PATIENCE = { timeout: 60_000 };
const KEEPER = 'echo noise; { printf "%s\\n" "$HOME" "$1"; } >"$1/new"; mv "$1/new" "$1/told"\n';
const env = () => ({ PATH: process.env['PATH'], HOME: home, TMUX_TMPDIR: home });
/** As run-launch.sh has it. */
const starting = (name: Detacher, folder: string): readonly string[] => [
  ...['-c', 'eval "$1"', 'sh'],
  STARTERS[name].startLine({ id: 'r-1', folder }),
];

it.each(names.filter(has))(
  '%s runs the keeper of the run folder, whatever that is called, and hands nobody its output',
  async (name) => {
    const folder = join(home, "it's $(touch no) & a b");
    mkdirSync(folder);
    writeFileSync(join(folder, 'keeper.sh'), KEEPER);
    // What is left behind holds nobody up who reads this.
    const ran = spawnSync('sh', starting(name, folder), {
      cwd: home,
      env: env(),
      input: 'of the launch',
      encoding: 'utf8',
    });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, '', '']);
    await vi.waitFor(() => expect(existsSync(join(folder, 'told'))).toBe(true), PATIENCE);
    expect(readFileSync(join(folder, 'told'), 'utf8')).toBe(`${home}\n${folder}\n`);
    expect(existsSync(join(home, 'no'))).toBe(false);
  },
);

it.skipIf(!has('tmux') || process.platform !== 'linux')(
  'tmux runs it also where its server ends while it is asked, as one does with its last session',
  async () => {
    writeFileSync(join(home, 'keeper.sh'), KEEPER);
    const tmux = (...args: readonly string[]): string =>
      execFileSync('tmux', args, { env: env(), encoding: 'utf8' });
    tmux('new-session', '-d', 'sleep 600');
    const server = Number(tmux('display-message', '-p', '#{pid}'));
    process.kill(server, 'SIGSTOP');
    // Who connects is in the table also before the server has taken notice.
    const doors = (): number => readFileSync('/proc/net/unix', 'utf8').split(home).length;
    const before = doors();
    spawn('sh', starting('tmux', home), { env: env(), stdio: 'ignore' });
    await vi.waitFor(() => expect(doors()).toBeGreaterThan(before), PATIENCE);
    process.kill(server, 'SIGKILL');
    await vi.waitFor(() => expect(existsSync(join(home, 'told'))).toBe(true), PATIENCE);
  },
);
