import { execFileSync } from 'node:child_process';
import {
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BOX_SHELLS } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { isThere, ownFirst, programsOf, whereIs } from './programs.fixture.ts';
import { RunBox } from './run-box.fixture.ts';

const isHere = hasSshd && process.platform === 'linux' && isThere('tmux');

/** The command line of each process whose working folder this is. */
function programsIn(folder: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return [];
      return [readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').join(' ').trim()];
    } catch {
      return []; // gone meanwhile, or another user's
    }
  });
}

// A tmux server gives what it starts the environment in which it was started itself.
describe.skipIf(!isHere).each(BOX_SHELLS)(
  'a run in tmux on a box with $name',
  ({ shell, isInstalled }) => {
    let box: RunBox;
    let path: string;
    beforeEach(() => {
      box = new RunBox();
      path = ownFirst(join(box.home, 'bin'), programsOf(shell));
      symlinkSync(whereIs('tmux'), join(box.home, 'bin/tmux'));
      execFileSync('tmux', ['new-session', '-d', 'sleep 604'], {
        env: {
          ...{ PATH: process.env['PATH'], TMUX_TMPDIR: box.home, HOME: '/nonexistent' },
          ...{ CUDA_VISIBLE_DEVICES: '7', OF_THE_SERVER: 'yes' },
        },
      });
    });
    afterEach(() => box.close());

    /** Of its keeper, name by name, but what each shell counts for itself; and a bash keeps "UID" to itself. */
    const environmentOf = (id: string): readonly string[] =>
      readFileSync(`/proc/${String(box.numberIn(id, 'go'))}/environ`, 'latin1')
        .split('\0')
        .filter((word) => !/^(?:SHLVL|_|PWD|OLDPWD|UID|)(?:=|$)/.test(word))
        .sort();

    it.skipIf(!isInstalled)(
      'has the environment of its launch to the letter, in the server of a person who has another one',
      async () => {
        const login = join(box.home, 'login');
        const odd = `a\n"b" 'c' $(no) \`no\` \\ \xff\x80 export X='\n\n`;
        const functions = shell[0] === 'bash' ? 'f() { echo "f\n}"; }; export -f f; ' : '';
        writeFileSync(
          login,
          `#!/bin/bash\n${functions}export EMPTY= IFS=x UID ODD='${odd.replaceAll("'", `'\\''`)}'\nexec sh "$@"\n`,
          { encoding: 'latin1', mode: 0o755 },
        );
        await box.open({ path, loginShell: login, env: { CUDA_VISIBLE_DEVICES: '0' } });
        const inTmux = await box.launch({ command: 'sleep 600' });
        rmSync(join(box.home, 'bin/tmux'));
        const beside = await box.launch({ command: 'sleep 601' });
        expect([inTmux.detacher, beside.detacher]).toEqual(['tmux', 'setsid']);
        const found = environmentOf(inTmux.id);
        expect(found).toContain(`ODD=${odd}`);
        expect(found.filter((word) => !/^TMUX(?:_PANE)?=/.test(word))).toEqual(
          environmentOf(beside.id),
        );
        expect(found.filter((word) => /^TMUX/.test(word))).toHaveLength(3);
        expect(box.read(inTmux.id, 'environment')).toBe('');
      },
    );

    it.skipIf(!isInstalled)(
      'shows there what it prints, and leaves nothing behind that did',
      async () => {
        await box.open({ path });
        const run = await box.launch({ command: 'echo "step 41"; sleep 605' });
        const env = { PATH: process.env['PATH'], TMUX_TMPDIR: box.home };
        const shown = ['capture-pane', '-p', '-t', `leasehold-${run.id}`];
        await vi.waitFor(() =>
          expect(execFileSync('tmux', shown, { env, encoding: 'utf8' })).toContain('step 41'),
        );
        const inFolder = (): readonly string[] => programsIn(box.place(run.id));
        expect(inFolder()).toContain('tail -n +1 -f log');
        process.kill(box.numberIn(run.id, 'job'), 'SIGKILL');
        await box.settled(run.id, 'end');
        await vi.waitFor(() => expect(inFolder()).toEqual([]));
      },
    );

    it.skipIf(!isInstalled)(
      'has its own, and not that of another one which lives there, and is where a person finds it',
      async () => {
        await box.open({ path, env: { CUDA_VISIBLE_DEVICES: '0' } });
        const other = new RunBox(box.home);
        try {
          await other.open({ path, env: { CUDA_VISIBLE_DEVICES: '1' } });
          const command = 'echo "$CUDA_VISIBLE_DEVICES"; sleep 600';
          const [one, two] = [
            await box.launch({ command }),
            await other.launch({ command: `${command}1` }),
          ];
          expect(await box.settled(one.id, 'log')).toBe('0\n');
          expect(await box.settled(two.id, 'log')).toBe('1\n');
          const env = { PATH: process.env['PATH'], TMUX_TMPDIR: box.home };
          const listed = execFileSync('tmux', ['ls', '-F', '#S'], { env, encoding: 'utf8' });
          expect(listed.split('\n')).toEqual(
            expect.arrayContaining([`leasehold-${one.id}`, `leasehold-${two.id}`]),
          );
        } finally {
          await other.quit();
          await other.proxy.stop();
          await other.sshd.stop();
        }
      },
    );
  },
);
