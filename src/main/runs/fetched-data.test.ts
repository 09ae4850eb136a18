// What the downloads of a run brought is data, and no result of a run that names no results folder.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { jobScript } from '../../shared/runs/launch/job-script.ts';
import { BOX_SHELLS } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { programsOf } from './programs.fixture.ts';
import { BOX, request, RunBox, value } from './run-box.fixture.ts';

const isLinux = process.platform === 'linux';

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'data on a box with $name',
  ({ shell, isInstalled }) => {
    // Where find tells no times of changes, all of it is listed: rather too much than too little.
    const isTold = shell[0] !== 'busybox';
    let box: RunBox;
    beforeEach(async () => {
      box = new RunBox();
      await box.open({ path: programsOf(shell) });
      mkdirSync(join(box.home, 'source'));
      for (const name of ['a', 'b']) writeFileSync(join(box.home, 'source', name), 'data');
    });
    afterEach(() => box.close());

    const names = async (id: string): Promise<readonly string[]> =>
      value(await box.launcher.results(BOX.id, id)).files.map(({ path }) => path);

    it.skipIf(!isInstalled)(
      'that its steps fetched is left out, and what it wrote beside that is not',
      async () => {
        const run = await box.launch({
          fetch: [
            { into: 'data [1]', run: 'cp ~/source/* . && mkdir -p sub && cp ~/source/a sub' },
            { into: 'data [1]/more', run: 'cp ~/source/b .' },
          ],
          command:
            'echo x >model.pt; echo x >"data [1]/index"; echo new >"data [1]/sub/a"; echo x >"data 1"',
        });
        await box.until(run.id, 'done');
        const written = ['data 1', 'data [1]/index', 'data [1]/sub/a', 'model.pt'];
        const fetched = ['data [1]/a', 'data [1]/b', 'data [1]/more/b'];
        expect(await names(run.id)).toEqual(
          [...written, ...(isTold ? [] : fetched)].sort((a, b) => (a < b ? -1 : 1)),
        );
      },
    );

    it.skipIf(!isInstalled)(
      'that an interrupted step left is listed, since nobody knows what it is',
      async () => {
        const run = await box.launch({
          fetch: [{ into: 'data', run: 'cp ~/source/* . && exit 3' }],
          command: 'true',
        });
        await box.until(run.id, 'failed');
        expect(await names(run.id)).toEqual(['data/a', 'data/b']);
      },
    );

    it.skipIf(!isInstalled)(
      'is all that is left out: what a run left stays listed where the one after it repeats the steps, which change modes',
      async () => {
        const first = await box.launch({
          fetch: [{ into: 'data', run: 'cp ~/source/* . ; chmod -R u+rwx .' }],
          command:
            'test -e data/made || { echo x >data/made; cp ../source/a data/kept; touch -d 2001-01-01 data/kept; }; exit 3',
        });
        await box.until(first.id, 'failed');
        const { plan, runId } = value(await box.launcher.planResume(BOX.id, first.id));
        value(await box.launcher.launch(BOX.id, plan));
        await box.until(runId, 'failed');
        expect(await names(runId)).toEqual([
          ...(isTold ? [] : ['data/a', 'data/b']),
          'data/kept',
          'data/made',
        ]);
      },
    );

    it.skipIf(!isInstalled)(
      'is listed where the clock was set back since, as what the run wrote then may look like it',
      async () => {
        const run = await box.launch({
          fetch: [{ into: 'data', run: 'cp ~/source/* .' }],
          command: 'echo x >data/made',
        });
        await box.until(run.id, 'done');
        const launcher = box.place(run.id, 'launcher');
        const words = readFileSync(launcher, 'utf8').split(' ');
        // The machine has lived a minute longer since the launch than its clock went on.
        words[2] = String(Number(words[2]) - 6000);
        writeFileSync(launcher, words.join(' '));
        expect(await names(run.id)).toEqual(['data/a', 'data/b', 'data/made']);
      },
    );

    it.skipIf(!isInstalled)(
      'is listed where another program has a file open there when a step begins or ends, as what that writes may look like it',
      async () => {
        execFileSync('mkfifo', [join(box.home, 'gate')]);
        mkdirSync(join(box.home, 'work/data'));
        // Of a session of its own, as whoever trains by hand has one.
        const hold = 'exec 3>"$0"; echo ready; cat >&3; echo x >"$0-2"';
        const by = (): ChildProcess =>
          spawn('sh', ['-c', hold, join(box.home, 'work/data/made')], {
            ...{ detached: true, stdio: ['pipe', 'pipe', 'ignore'] },
          });
        const fetch = [
          { into: 'data', run: 'cp ~/source/a . && touch ../begun && read -r go <~/gate' },
        ];
        const run = await box.launch({ fetch, command: 'true' });
        await vi.waitFor(() => expect(existsSync(join(box.home, 'work/begun'))).toBe(true));
        const other = by();
        try {
          if (other.stdout === null) throw new Error('no output');
          await once(other.stdout, 'data');
          writeFileSync(join(box.home, 'gate'), 'go\n');
          await box.until(run.id, 'done');
          expect(box.read(run.id, 'log')).toContain('Another program writes into this folder');
          expect(await names(run.id)).toEqual(['begun', 'data/a', 'data/made']);
        } finally {
          const gone = once(other, 'exit');
          other.stdin?.end();
          await gone;
        }
      },
    );

    it.skipIf(!isInstalled)(
      'is listed where another run worked in the folder meanwhile, and left something there',
      async () => {
        execFileSync('mkfifo', [join(box.home, 'gate')]);
        const first = await box.launch({
          fetch: [{ into: 'data', run: 'cp ~/source/* . && touch ../begun && cat ~/gate' }],
          command: 'true',
        });
        await vi.waitFor(() => expect(existsSync(join(box.home, 'work/begun'))).toBe(true));
        const other = await box.launch({ command: 'echo x >data/made' });
        await box.until(other.id, 'done');
        writeFileSync(join(box.home, 'gate'), '');
        await box.until(first.id, 'done');
        expect(await names(first.id)).toEqual(['begun', 'data/a', 'data/b', 'data/made']);
        // One that began an hour later has left nothing in between.
        const later = Date.now() / 1000 + 3600;
        utimesSync(box.place(other.id, 'launcher'), later, later);
        expect(await names(first.id)).toEqual([
          'begun',
          ...(isTold ? [] : ['data/a', 'data/b', 'data/made']),
        ]);
      },
    );
  },
);

// Of no root, who sees what everybody has open.
const uid = process.getuid?.() === 0 ? 65534 : undefined;

describe.skipIf(!isLinux).each(BOX_SHELLS)(
  'data, by the job script of $name',
  ({ shell, isInstalled }) => {
    it.skipIf(!isInstalled)(
      'is noted only where no other user may write into its folder unseen',
      () => {
        const home = mkdtempSync(join(tmpdir(), 'leasehold-fetched-'));
        try {
          const job = join(home, 'job.sh');
          const fetch = [{ into: 'data', run: 'echo x >a' }];
          writeFileSync(job, jobScript(request({ folder: home, fetch, command: 'true' })));
          mkdirSync(join(home, 'data'));
          const notes = (mode: number) => {
            chmodSync(join(home, 'data'), mode);
            const [program = '', ...words] = [...shell, job];
            const said = execFileSync(program, words, { uid, gid: uid, encoding: 'utf8' });
            const note = join(home, 'fetched-1');
            const isNoted = existsSync(note);
            rmSync(note, { force: true });
            return { isNoted, isTold: said.includes('Other users may write') };
          };
          for (const at of [home, join(home, 'data')])
            if (uid !== undefined) chownSync(at, uid, uid);
          expect(notes(0o755)).toEqual({ isNoted: true, isTold: false });
          expect(notes(0o757)).toEqual({ isNoted: false, isTold: true });
          if (uid === undefined) return;
          // Of a group that may have others in it, and of another user.
          expect(notes(0o775)).toEqual({ isNoted: false, isTold: true });
          chownSync(join(home, 'data'), 0, uid);
          expect(notes(0o775)).toEqual({ isNoted: false, isTold: true });
        } finally {
          rmSync(home, { recursive: true, force: true });
        }
      },
    );
  },
);
