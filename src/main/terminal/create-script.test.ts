import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createScript, parseTmuxList } from '../../shared/terminal/tmux.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const PATIENCE = { timeout: 60_000 };

let home: string;
const env = () => ({ PATH: process.env['PATH'], HOME: home, TMUX_TMPDIR: home });
const tmux = (...args: readonly string[]): string =>
  execFileSync('tmux', args, { env: env(), encoding: 'utf8' });
beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-tmux-'));
});
afterEach(() => {
  spawnSync('tmux', ['kill-server'], { env: env() });
  rmSync(home, { recursive: true, force: true });
});

it.skipIf(!hasTmux || process.platform !== 'linux')(
  'a session begins also where the server ends while it is asked, as one does with its last session',
  async () => {
    tmux('new-session', '-d', 'sleep 600');
    const server = Number(tmux('display-message', '-p', '#{pid}'));
    process.kill(server, 'SIGSTOP');
    // Who connects is in the table also before the server has taken notice.
    const doors = (): number => readFileSync('/proc/net/unix', 'utf8').split(home).length;
    const before = doors();
    const asked = spawn('sh', ['-s'], { env: env(), stdio: ['pipe', 'pipe', 'ignore'] });
    asked.stdin.end(createScript('mine', 80, 24));
    const said = text(asked.stdout);
    await vi.waitFor(() => expect(doors()).toBeGreaterThan(before), PATIENCE);
    process.kill(server, 'SIGKILL');
    expect(parseTmuxList(await said)).toMatchObject({ sessions: [{ name: 'mine' }] });
    expect(tmux('list-sessions', '-F', '#{session_name}')).toBe('mine\n');
  },
);

it.skipIf(!hasTmux)(
  'a name that is taken is refused with the words of tmux, and takes nothing',
  () => {
    tmux('new-session', '-d', '-s', 'mine', 'sleep 600');
    const asked = spawnSync('sh', ['-s'], {
      ...{ env: env(), encoding: 'utf8', input: createScript('mine', 80, 24) },
    });
    expect(asked).toMatchObject({ status: 1, stdout: '' });
    expect(asked.stderr).toContain('duplicate session');
    expect(tmux('list-sessions', '-F', '#{session_name}')).toBe('mine\n');
  },
);

it.skipIf(!hasTmux)('a wheel scrolls in a session that was made here, and in no other', () => {
  tmux('new-session', '-d', '-s', 'theirs', 'sleep 600');
  const input = createScript('mine', 80, 24);
  spawnSync('sh', ['-s'], { env: env(), encoding: 'utf8', input });
  const mouseOf = (name: string) => tmux('show-options', '-A', '-v', '-t', name, 'mouse');
  expect([mouseOf('mine'), mouseOf('theirs')]).toEqual(['on\n', 'off\n']);
});
