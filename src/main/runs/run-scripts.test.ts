import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../shared/teardown/change-pass.fixture.ts';
import { oldWaiters } from '../../shared/patrol/detectors/u16-old-waiters.ts';
import { scriptChanged } from '../../shared/patrol/detectors/u2-script-changed.ts';
import { readPatrol } from '../../shared/patrol/read-patrol.ts';
import { aboutText } from '../../shared/runs/launch/run-about.ts';
import { BOX_SHELLS, ORDINARY_USER, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';
import { shippedWatched } from '../profiles/profiles.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { ownFirst, programsOf, whereIs } from './programs.fixture.ts';
import { BOX, request, RunBox, value } from './run-box.fixture.ts';

const isLinux = process.platform === 'linux';
const hasTmux = spawnSync('tmux', ['-V']).status === 0;

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'runs on a box with $name',
  ({ shell, isInstalled }) => {
    let box: RunBox;
    beforeEach(async () => {
      box = new RunBox();
      await box.open({
        path: ownFirst(join(box.home, 'bin'), programsOf(shell)),
        // What takes a command is another one than the \`sh\` that it asks for.
        loginShell: shell[0] === 'bash' ? '/bin/sh' : '/bin/bash',
      });
    });
    afterEach(() => box.close());

    it.skipIf(!isInstalled).for(['tmux', 'setsid'] as const)(
      'are launched with %s, followed, ended, lost, and told',
      async (detacher, { skip }) => {
        if (detacher === 'tmux') {
          skip(!hasTmux, 'there is no tmux here');
          symlinkSync(whereIs('tmux'), join(box.home, 'bin/tmux'));
        }
        execFileSync('mkfifo', [join(box.home, 'gate')]);
        const run = await box.launch({
          name: 'é "a" $(x) `y`',
          command: `printf 'one\\n'; cat ../gate; mkdir out; printf 12 >'out/a
b'; echo "$A"; exit 3`,
          env: { A: "it's\\ $B" },
          results: 'out',
          successLine: 'never',
        });
        expect(run).toMatchObject({
          name: 'é "a" $(x) `y`',
          detacher,
          status: { kind: 'running' },
        });
        const log = box.openLog(run.id);
        await vi.waitFor(() => expect(log().text).toBe('one\n'));
        writeFileSync(join(box.home, 'gate'), 'two\n');
        await vi.waitFor(() =>
          expect(log()).toMatchObject({ text: "one\ntwo\nit's\\ $B\n", state: 'whole' }),
        );
        expect((await box.look(run.id)).status).toMatchObject({ kind: 'failed', exitCode: 3 });
        expect(value(await box.launcher.results(BOX.id, run.id)).files).toMatchObject([
          { path: 'a\nb', bytes: 2 },
        ]);

        const deaf = await box.launch({
          command: `trap '' TERM; echo up; sleep 600 & sleep 601; sleep 602`,
        });
        await box.settled(deaf.id, 'log');
        value(await box.launcher.end(BOX.id, deaf.id, endPass(deaf.id)));
        expect((await box.look(deaf.id)).status).toMatchObject({ kind: 'ended' });
        expect(box.pids().filter((pid) => /sleep\x0060/.test(words(pid)))).toEqual([]);

        const killed = await box.launch({ command: 'sleep 600' });
        await box.settled(killed.id, 'job');
        process.kill(box.numberIn(killed.id, 'go'), 'SIGKILL');
        await vi.waitFor(async () =>
          expect((await box.look(killed.id)).status).toEqual({
            kind: 'running',
            lacksKeeper: true,
          }),
        );
        value(await box.launcher.end(BOX.id, killed.id, endPass(killed.id)));
        expect(value(await box.watch.look(BOX.id)).runs.map(({ id }) => id)).toEqual(
          [run.id, deaf.id, killed.id].sort().reverse(),
        );
      },
    );

    it.skipIf(!isInstalled)(
      'are followed where their log is renamed, as logrotate does it, without a line twice or less',
      async () => {
        execFileSync('mkfifo', [join(box.home, 'gate')]);
        const goOn = (): void => writeFileSync(join(box.home, 'gate'), '');
        const command = 'echo one; cat ../gate; echo two; cat ../gate; echo three';
        const run = await box.launch({ command });
        const log = box.openLog(run.id);
        await vi.waitFor(() => expect(log().text).toBe('one\n'));
        renameSync(box.place(run.id, 'log'), box.place(run.id, 'log.1'));
        writeFileSync(box.place(run.id, 'log'), '');
        await vi.waitFor(() => expect(log().text).toContain('the log was renamed'));
        goOn();
        await vi.waitFor(() => expect(log().text).toContain('two\n'));
        await box.hangUp();
        goOn();
        await box.connect();
        await vi.waitFor(() => expect(log().state).toBe('whole'));
        expect(log().text).toMatch(/^one\n\n\[leasehold: [^\n]*\]\ntwo\nthree\n$/);
        // Whoever comes later finds all of it, too.
        const later = await box.beside();
        try {
          value(await later.watch.look(BOX.id));
          const seen = later.openLog(run.id);
          await vi.waitFor(() =>
            expect(seen()).toMatchObject({ text: 'one\ntwo\nthree\n', state: 'whole' }),
          );
        } finally {
          await later.quit();
        }
      },
    );

    it.skipIf(!isInstalled)(
      'are refused where nothing can be written, with the reason',
      async () => {
        const cat = join(box.home, 'bin/cat');
        const plan = value(await box.plan());
        for (const [said, told] of [
          ['cat: write error: No space left on device', 'is full'],
          ['cat: write error: Disk quota exceeded', 'quota'],
          ['cat: x: Read-only file system', 'read-only'],
        ] as const) {
          // What goes into a file is not written; what only passes through is.
          writeFileSync(
            cat,
            `#!/bin/sh\n[ -f /dev/stdout ] || exec /bin/cat "$@"\necho '${said}' >&2\nexit 1\n`,
          );
          chmodSync(cat, 0o755);
          expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
            error: { code: 'run-not-launched', message: expect.stringContaining(told) as string },
          });
          expect(existsSync(plan.folder)).toBe(false);
        }
      },
    );

    it.skipIf(!isInstalled)(
      'of another life of the box are lost, and a cut launch is sealed once its launcher is gone',
      async () => {
        const table = (boot: string): string => {
          const proc = join(box.home, `proc-${boot}`);
          mkdirSync(join(proc, 'sys/kernel/random'), { recursive: true });
          writeFileSync(join(proc, 'sys/kernel/random/boot_id'), `${boot}\n`);
          writeFileSync(join(proc, 'uptime'), '1 1\n');
          // Whoever asks finds itself: the number of the shell is not known before.
          symlinkSync('/proc/self', join(proc, 'self'));
          return proc;
        };
        const id = 'r-20261123-023000-1a2b3c4d';
        mkdirSync(box.place(id), { recursive: true });
        writeFileSync(
          box.place(id, 'launcher'),
          'launcher 4194303 1 0000-1/1 1795402633 setsid 0022\n',
        );
        const look = await runOnboxScript(shell, 'run-look.sh', {
          PATH: process.env['PATH'] ?? '',
          HOME: box.home,
          LEASEHOLD_MARK: 'mark',
          LEASEHOLD_SETTLE: '',
          LEASEHOLD_BEFORE: '',
          LEASEHOLD_PROC_ROOT: table('0dca9e43'),
        });
        // It does not show its own processes, so nothing is concluded, and nothing is written.
        expect(look).toContain('mark table no');
        expect(readdirSync(box.place(id))).toEqual(['launcher']);
        await box.watch.look(BOX.id);
        expect(readFileSync(box.place(id, 'go'), 'utf8')).toMatch(/^sealed \d+\n$/);
      },
    );

    it.skipIf(!isInstalled)('are told as begun by a look that a launch overtakes', async () => {
      const id = 'r-20261123-023000-1a2b3c4d';
      mkdirSync(box.place(id), { recursive: true });
      const made = join(box.home, 'made');
      mkdirSync(made);
      writeFileSync(join(made, 'about'), aboutText(id, request({ name: 'fast' })));
      writeFileSync(join(made, 'go'), 'keeper 4194303 1 0000-1/1\n');
      // The look has seen neither, and asks whether what was only just made is fresh.
      writeFileSync(
        join(box.home, 'bin/stat'),
        `#!/bin/sh\ncase "$*" in '-c %Y '*) cp ${made}/* ${box.place(id)} ;; esac\nexec ${whereIs('stat')} "$@"\n`,
        { mode: 0o755 },
      );
      const { name, status } = await box.look(id);
      expect({ name, status }).toEqual({
        name: 'fast',
        status: { kind: 'lost', because: 'restart' },
      });
    });

    it.skipIf(!isInstalled)(
      'are none before the first launch has made their folder, and not known where it is closed',
      async () => {
        const look = (): Promise<string> =>
          runOnboxScript(
            shell,
            'run-look.sh',
            {
              PATH: process.env['PATH'] ?? '',
              HOME: home,
              ...{ LEASEHOLD_MARK: 'mark', LEASEHOLD_SETTLE: '', LEASEHOLD_BEFORE: '' },
            },
            ORDINARY_USER,
          );
        const home = mkdtempSync(join(box.home, 'other-'));
        chmodSync(box.home, 0o755);
        chmodSync(home, 0o755);
        // As a launch makes it, one after the other.
        const parts = ['.local', 'state', 'leasehold', 'runs'];
        const made = parts.map((_, at) => join(home, ...parts.slice(0, at + 1)));
        for (const folder of ['', ...made]) {
          if (folder !== '') mkdirSync(folder);
          const told = await look();
          expect(told).toContain('mark older 0\nmark whole\n');
          expect(told).not.toContain('mark closed');
        }
        for (const folder of made) {
          chmodSync(folder, 0);
          expect(await look()).toContain('mark closed\n');
          chmodSync(folder, 0o755);
        }
        for (const folder of [...made].reverse()) {
          rmdirSync(folder);
          writeFileSync(folder, '');
          expect(await look()).toContain('mark closed\n');
          rmSync(folder);
        }
      },
    );

    it.skipIf(!isInstalled)(
      'say one bounded line of each file, whatever lies there by now',
      async () => {
        const id = 'r-20261123-023000-1a2b3c4d';
        mkdirSync(box.place(id), { recursive: true });
        const put = (file: string, text: string): void => writeFileSync(box.place(id, file), text);
        put('about', '{"name":"é ?"}\n');
        put('ran', `${'7'.repeat(100)}8 9\n`);
        put('copied', 'no newline at its end');
        put('cut', 'a\u001b[31mb\0c\n');
        put('end', 'done 0\nmark whole\n');
        symlinkSync('/proc/version', box.place(id, 'next'));
        put('log', 'twelve bytes');
        const look = await runOnboxScript(shell, 'run-look.sh', {
          PATH: process.env['PATH'] ?? '',
          HOME: box.home,
          LEASEHOLD_MARK: 'mark',
          LEASEHOLD_SETTLE: '',
          LEASEHOLD_BEFORE: '',
        });
        const told = (word: string): string | undefined =>
          look.split('\n').find((line) => line.startsWith(`mark ${word} `));
        expect(told('about')).toBe('mark about {"name":"é ?"}');
        expect(told('ran')).toBe(`mark ran ${'7'.repeat(100)}`);
        expect(told('copied')).toBe('mark copied no newline at its end');
        expect(told('cut')).toBe('mark cut a?[31mb?c');
        expect(told('end')).toBe('mark end done 0?mark whole');
        expect(told('next')).toBe(
          `mark next ${readFileSync('/proc/version', 'utf8').slice(0, 100)}`,
        );
        expect(told('log')).toMatch(/^mark log 12 \d+$/);
        expect(look.match(/^mark whole$/gm)).toHaveLength(1);
      },
    );
  },
);

function words(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

describe.skipIf(!hasSshd || !isLinux)('a patrol', () => {
  it('sees what was launched as one run, and neither its keeper nor who follows its log as anything', async () => {
    const box = new RunBox();
    await box.open({ env: { TMUX_TMPDIR: box.home } });
    const run = await box.launch({ command: 'echo up; exec sleep 600' });
    const log = box.openLog(run.id);
    await vi.waitFor(() => expect(log().text).toBe('up\n'));
    const proc = join(box.home, 'proc');
    mkdirSync(join(proc, 'sys/kernel/random'), { recursive: true });
    writeFileSync(join(proc, 'uptime'), '900000.00 1.0\n');
    for (const pid of box.pids().map(String)) symlinkSync(`/proc/${pid}`, join(proc, pid));
    const told = await runOnboxScript(['sh'], 'patrol.sh', {
      PATH: process.env['PATH'] ?? '',
      TMUX_TMPDIR: proc,
      LEASEHOLD_MARK: 'nonce',
      LEASEHOLD_LOGS: '',
      LEASEHOLD_FOLDERS: '',
      LEASEHOLD_SYSTEM_FOLDERS: '',
      LEASEHOLD_LOCAL_TYPES: '',
      LEASEHOLD_KERNEL_AFTER: '',
      LEASEHOLD_PROC_ROOT: proc,
      LEASEHOLD_CGROUP_ROOT: proc,
    });
    const look = readPatrol(told, 'nonce', [], { askedAtMs: 0, answeredAtMs: 0 });
    expect(look.runs.map(({ pid }) => pid)).toEqual([box.numberIn(run.id, 'job')]);
    const waiters = look.waiters.map((each) => ({ ...each, ageS: 7200, hasTerminal: false }));
    const view = {
      before: null,
      wasFound: () => false,
      missing: [],
      ...shippedWatched(null),
      isGpuWorking: null,
    };
    for (const detector of [oldWaiters, scriptChanged]) {
      expect(detector.judge({ ...view, look: { ...look, waiters } })).toMatchObject([
        { answer: { kind: 'clear' } },
      ]);
    }
    await box.close();
  });
});
