import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BOX_SHELLS } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { programsOf } from './programs.fixture.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';

// Whose account has no other way to another shell puts "exec zsh" into a login file: that reads an empty stdin there, and ends with 0.
describe.skipIf(!hasSshd || process.platform !== 'linux').each(BOX_SHELLS)(
  'login files of a box with $name',
  ({ shell, isInstalled }) => {
    let box: RunBox;
    beforeEach(() => (box = new RunBox()));
    afterEach(() => box.close());
    const login = (text: string): void => writeFileSync(join(box.home, '.profile'), `${text}\n`);

    it.skipIf(!isInstalled).each(['exec sh', 'exit 0'])(
      'that say “%s” block a launch, and what is launched all the same is never done',
      async (says) => {
        await box.open({ path: programsOf(shell) });
        login(says);
        const { plan, checks, runId } = value(await box.plan({ command: 'echo ran' }));
        const blocks = checks.filter(({ answer }) => answer === 'block');
        expect(blocks.map(({ id }) => id)).toEqual(['shell']);
        value(await box.launcher.launch(BOX.id, plan, new Set(['shell'])));
        expect((await box.until(runId, 'failed')).status).toMatchObject({ exitCode: 127 });
        expect(box.read(runId, 'log')).toMatch(/^leasehold: [^\n]*job\.sh was not run: [^\n]*\n$/);
      },
    );

    it.skipIf(!isInstalled)(
      'that begin another shell with the same script leave the run as it is',
      async () => {
        await box.open({ path: programsOf(shell) });
        const { plan, runId } = value(await box.plan());
        login('[ -n "$AGAIN" ] || { export AGAIN=1; exec sh -l "$0" "$@"; }');
        value(await box.launcher.launch(BOX.id, plan));
        await box.until(runId, 'done');
        expect(box.read(runId, 'log')).toBe('hello\n');
      },
    );

    it.skipIf(!isInstalled)(
      'that send elsewhere what is printed block no launch, and the run is done',
      async () => {
        await box.open({ path: programsOf(shell) });
        login('exec >/dev/null');
        const { id } = await box.launch({ command: 'echo ran >ran' });
        await box.until(id, 'done');
        expect(readFileSync(join(box.home, 'work/ran'), 'utf8')).toBe('ran\n');
        expect(box.read(id, 'log')).toBe('');
      },
    );

    it.skipIf(!isInstalled).each([
      ['SIGTERM', 'go', 'cut-off', 143],
      ['SIGKILL', 'job', 'failed', 137],
    ] as const)(
      'are not to blame for a run that %s ends while they are read',
      async (signal, who, how, exitCode) => {
        await box.open({ path: programsOf(shell) });
        const { plan, runId } = value(await box.plan());
        login('echo read >read; exec sleep 600');
        value(await box.launcher.launch(BOX.id, plan));
        await vi.waitFor(() => expect(existsSync(box.place(runId, 'read'))).toBe(true));
        process.kill(box.numberIn(runId, who), signal);
        const { status } = await box.until(runId, how);
        expect(status).toMatchObject({ exitCode });
        expect(box.read(runId, 'log')).not.toContain('login file');
      },
    );

    it.skipIf(!isInstalled)('leave a process whose words are those to go on with', async () => {
      await box.open({ path: programsOf(shell) });
      const { id } = await box.launch({ command: 'tr "\\000" " " </proc/$$/cmdline' });
      await box.until(id, 'done');
      const bash = shell[0] === 'bash' ? 'bash' : 'sh';
      expect(box.read(id, 'log')).toBe(`${bash} -l ${box.place(id, 'job.sh')} `);
    });

    it.skipIf(!isInstalled)('that do what they like otherwise leave the run as it is', async () => {
      await box.open({ path: programsOf(shell) });
      login('set -C; cd /; PATH=$PATH:/nowhere; [ ! -t 1 ] || exec sh');
      const { id } = await box.launch({ command: 'pwd; echo "$0" $#; exit 3' });
      expect((await box.until(id, 'failed')).status).toMatchObject({ exitCode: 3 });
      expect(box.read(id, 'log')).toBe(`${box.home}/work\n${box.place(id, 'job.sh')} 0\n`);
    });
  },
);
