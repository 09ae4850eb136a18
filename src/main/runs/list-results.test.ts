import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResultList } from '../../shared/runs/launch/launched-run.ts';
import { readRunResults } from '../../shared/runs/launch/read-run-results.ts';
import { doAtOnce } from '../../shared/steps.ts';
import {
  BOX_SHELLS,
  ORDINARY_USER,
  runOnboxScript,
  type BoxShell,
} from '../onbox/onbox-scripts.fixture.ts';
import { textsOfList } from './list-text.ts';
import { ownFirst, pathWith, programsOf, whereIs } from './programs.fixture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-results-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A busybox has a `find` of its own, which prints less. */
function pathOf(shell: BoxShell): string {
  const { PATH = '' } = process.env;
  return shell[0] === 'busybox' ? `${programsOf(shell)}:${PATH}` : PATH;
}

async function answered(
  shell: BoxShell,
  path = pathOf(shell),
  as = {},
  more: Readonly<Record<string, string>> = {},
): Promise<ResultList | string | null> {
  const env = {
    PATH: path,
    LEASEHOLD_MARK: 'MARK',
    LEASEHOLD_FOLDER: folder,
    LEASEHOLD_RESULTS: 'out',
    LEASEHOLD_MOST: '100000',
    ...more,
  };
  const printed = await runOnboxScript(shell, 'run-results.sh', env, as);
  const bytes = Buffer.from(printed);
  const textsOf = (from: number, to: number): Iterable<string> =>
    textsOfList(bytes.subarray(from, to));
  return doAtOnce(readRunResults(bytes, 'MARK', { atMs: 0, maxFiles: 10, textsOf }));
}

const listed = async (shell: BoxShell): Promise<ResultList> =>
  (await answered(shell)) as ResultList;

/** Of a process, in hundredths of a second; as the box tells it. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return ''; // a system without such a table
  }
}
/** Of a process that begins now. */
function startNow(): number {
  const stat = execFileSync('cat', ['/proc/self/stat'], { encoding: 'utf8' });
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
}
function lifeHere(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startOf(1)}`;
  } catch {
    return '/';
  }
}

const stampsOf = ({ files }: ResultList): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(files.map(({ path, stamp }) => [path, stamp]));

describe.skipIf(process.platform === 'win32').each(BOX_SHELLS)(
  'where sh is $name',
  ({ shell, isInstalled }) => {
    it.skipIf(!isInstalled)(
      'what is no plain file is listed as that, and not followed',
      async () => {
        const out = join(folder, 'out');
        mkdirSync(join(out, 'sub'), { recursive: true });
        writeFileSync(join(out, 'sub', 'a b'), '123');
        writeFileSync(join(folder, 'elsewhere'), 'not a result');
        symlinkSync('../elsewhere', join(out, 'link'));
        symlinkSync('nowhere', join(out, 'dangling'));
        symlinkSync('..', join(out, 'up'));
        execFileSync('mkfifo', [join(out, 'pipe')]);
        expect(await listed(shell)).toMatchObject({
          isCut: false,
          files: [{ path: 'sub/a b', bytes: 3 }],
          others: [
            { path: 'dangling', kind: 'link' },
            { path: 'link', kind: 'link' },
            { path: 'pipe', kind: 'special' },
            { path: 'up', kind: 'link' },
          ],
        });
      },
    );

    it.skipIf(!isInstalled)(
      'a file that goes while it is listed is in no list, and is nothing that nobody can read',
      async () => {
        mkdirSync(join(folder, 'out'));
        for (const name of ['gone', 'there']) writeFileSync(join(folder, 'out', name), 'x');
        const own = join(folder, 'bin');
        mkdirSync(own);
        const remove = `case "$*" in *gone*) rm -f ${folder}/out/gone ;; esac`;
        const stat = `#!/bin/sh\n${remove}\nexec ${whereIs('stat')} "$@"\n`;
        writeFileSync(join(own, 'stat'), stat, { mode: 0o755 });
        // Without what GNU's find alone can, each file is asked about.
        const find = `#!/bin/sh\ncase "$*" in *-printf*) exit 1 ;; esac\nexec ${whereIs('find')} "$@"\n`;
        writeFileSync(join(own, 'find'), find, { mode: 0o755 });
        expect(await answered(shell, `${own}:${pathOf(shell)}`)).toMatchObject({
          isCut: false,
          files: [{ path: 'there' }],
        });
      },
    );

    it.skipIf(!isInstalled)(
      'of a run that names no folder only what came since it began, by the times of the box alone',
      async () => {
        const launcher = join(folder, 'home', '.local/state/leasehold/runs/r-1/launcher');
        mkdirSync(dirname(launcher), { recursive: true });
        const write = (path: string): void => {
          mkdirSync(dirname(join(folder, path)), { recursive: true });
          writeFileSync(join(folder, path), 'x');
        };
        write('train.py');
        const hourAgo = new Date(Date.now() - 3_600_000);
        const began = join(folder, 'home', '.local/state/leasehold/runs/r-1');
        const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000);
        const launchedAt = (written: number, mtime: Date): void => {
          writeFileSync(launcher, `launcher 1 - ${lifeHere()} ${String(written)} setsid 22\n`);
          utimesSync(launcher, mtime, mtime);
        };
        const nameless = {
          LEASEHOLD_RESULTS: '.',
          LEASEHOLD_BEGAN: 'r-1',
          HOME: join(folder, 'home'),
        };
        const ask = (path = pathOf(shell)) =>
          answered(shell, path, {}, nameless) as Promise<ResultList>;
        // What was there before has an older time of change than the run; nobody can set that one back, so the run is made younger, and
        // the box is told a time at which it has begun.
        const later = new Date(Date.now() + 3_600_000);
        const laterOn = ownFirst(join(folder, '.cache'), pathOf(shell));
        const date = `#!/bin/sh\necho ${String(secondsOf(later))}\n`;
        writeFileSync(join(folder, '.cache', 'date'), date, { mode: 0o755 });
        launchedAt(secondsOf(later), later);
        expect(await ask(laterOn)).toMatchObject({ folder, files: [] });
        // Its clock was set back since then: what it wrote in between looks older than the run.
        expect(await ask()).toBe('no-clock');
        // The disk of its home keeps another time than the box, or the box was set back for a moment.
        const { ctimeMs } = statSync(join(folder, 'train.py'));
        const written = Math.floor(ctimeMs / 1000);
        for (const at of [written, written + 1]) {
          launchedAt(at, later);
          expect((await ask(laterOn)).files.map(({ path }) => path)).toEqual(['train.py']);
          launchedAt(secondsOf(later), new Date(at * 1000));
          expect((await ask(laterOn)).files.map(({ path }) => path)).toEqual(['train.py']);
        }
        launchedAt(secondsOf(hourAgo), hourAgo);
        write('out/model.pt');
        // Brought from elsewhere with the times that it had.
        utimesSync(join(folder, 'out/model.pt'), new Date(5000), new Date(5000));
        for (const path of [
          '.cache/hub/blob',
          'a/__pycache__/b.pyc',
          '.leasehold-push/x',
          'v/site-packages/y',
        ]) {
          write(path);
        }
        expect((await ask()).files.map(({ path }) => path)).toEqual(['out/model.pt', 'train.py']);
        rmSync(began, { recursive: true });
        expect(await ask()).toBe('no-start');
      },
    );

    it.skipIf(!isInstalled || process.platform !== 'linux')(
      'of a run that names no folder also what came while the clock was set back, and nothing where that is not known',
      async () => {
        const state = join(folder, 'home', '.local/state/leasehold/runs');
        const nowS = Math.floor(Date.now() / 1000);
        writeFileSync(join(folder, 'model.pt'), 'x');
        // The box says that it is 50 s later than when the file was written.
        const path = ownFirst(join(folder, '.cache'), pathOf(shell));
        const date = `#!/bin/sh\necho ${String(nowS + 50)}\n`;
        writeFileSync(join(folder, '.cache', 'date'), date, { mode: 0o755 });
        const ask = () =>
          answered(...([shell, path, {}] as const), {
            LEASEHOLD_RESULTS: '.',
            LEASEHOLD_BEGAN: 'r-1',
            HOME: join(folder, 'home'),
          }) as Promise<ResultList | string>;
        const launched = (id: string, agoS: number, clockS: number, life = lifeHere()): void => {
          mkdirSync(join(state, id), { recursive: true });
          const start = String(startNow() - agoS * 100);
          const text = `launcher 1 ${start} ${life} ${String(clockS)} setsid 22\n`;
          writeFileSync(join(state, id, 'launcher'), text);
          const at = new Date(clockS * 1000);
          utimesSync(join(state, id, 'launcher'), at, at);
        };
        const names = async (): Promise<unknown> => {
          const said = await ask();
          return typeof said === 'string' ? said : said.files.map((file) => file.path);
        };
        // Launched ten seconds ago, by the clock and by the life of the machine: the file is older.
        launched('r-1', 10, nowS + 40);
        expect(await names()).toEqual([]);
        // By the machine's life that was two minutes ago: since then the clock was set back, and has passed that time again.
        launched('r-1', 120, nowS + 40);
        expect(await names()).toEqual(['model.pt']);
        // Nobody knows how long an earlier life went on with a clock that was ahead.
        launched('r-1', 120, nowS + 40, 'earlier/1');
        expect(await names()).toBe('no-clock');
        // The run that went on after it began earlier, by the clock: in the same life it is known how far that was set back.
        launched('r-1', 120, nowS + 40);
        writeFileSync(join(state, 'r-1/next'), 'r-2\n');
        launched('r-2', 60, nowS + 30);
        expect(await names()).toEqual(['model.pt']);
        launched('r-1', 120, nowS + 40, 'earlier/1');
        expect(await names()).toBe('no-clock');
      },
    );

    it.skipIf(!isInstalled)(
      'of a run that names no folder nothing that another one names as its own, if that has begun and is listed itself',
      async () => {
        const state = join(folder, 'home', '.local/state/leasehold/runs');
        const has = (id: string, name: string, text: string): void => {
          mkdirSync(join(state, id), { recursive: true });
          writeFileSync(join(state, id, name), `${text}\n`);
        };
        has('r-1', 'launcher', 'launcher 1 2 life 3 setsid 22');
        const real = realpathSync(folder);
        const other = (id: string, results: string | null, begun: string, more = {}): void => {
          // A command may say what it likes.
          const command = '{"results":"x"}';
          has(id, 'about', JSON.stringify({ version: 1, id, command, results, ...more }));
          has(id, 'go', begun);
          has(id, 'saves', `folder ${real}/${results ?? 'nameless'}`);
          mkdirSync(join(folder, results ?? 'nameless', 'sub'), { recursive: true });
          writeFileSync(join(folder, results ?? 'nameless', 'sub', 'model.pt'), '');
        };
        const begun = 'keeper 1 2 life';
        other('r-2', 'out [a]*\\', begun);
        other('r-3', 'never', 'sealed 3');
        other('r-4', 'cells', begun, { cellResults: 'cells' });
        other('r-5', null, begun);
        other('r-6', '.', begun);
        mkdirSync(join(folder, 'out ab'));
        writeFileSync(join(folder, 'out ab', 'own.pt'), '');
        const nameless = {
          LEASEHOLD_RESULTS: '.',
          LEASEHOLD_BEGAN: 'r-1',
          HOME: join(folder, 'home'),
        };
        const { files } = (await answered(shell, pathOf(shell), {}, nameless)) as ResultList;
        expect(files.map(({ path }) => path)).toEqual([
          'cells/sub/model.pt',
          'nameless/sub/model.pt',
          'never/sub/model.pt',
          'out ab/own.pt',
          'sub/model.pt',
        ]);
      },
    );

    it.skipIf(!isInstalled)(
      'of a run that nobody knows the place of, or that works in the root, there is no list of the whole box',
      async () => {
        const ask = (place: string, began: string) =>
          answered(
            shell,
            pathOf(shell),
            {},
            {
              LEASEHOLD_FOLDER: place,
              LEASEHOLD_RESULTS: '.',
              LEASEHOLD_BEGAN: began,
              LEASEHOLD_LIMIT_S: '1',
            },
          );
        symlinkSync('/', join(folder, 'all'));
        for (const place of ['', '/', '//', '/.', join(folder, 'all')]) {
          expect(await ask(place, 'r-1')).toBe('no-place');
        }
        expect(await ask('', '')).toBe('no-place');
      },
    );

    it.skipIf(!isInstalled)(
      'a file that was written to has another stamp, whatever its size and its time',
      async () => {
        const out = join(folder, 'out');
        mkdirSync(out);
        for (const name of ['written', 'replaced', 'still']) writeFileSync(join(out, name), 'old');
        const first = await listed(shell);
        expect(first.tellsWrites).toBe(true);
        expect(first.grainMs).toBe(shell[0] === 'busybox' ? 2000 : 50);
        const before = stampsOf(first);
        const { atime, mtime } = statSync(join(out, 'written'));
        // Until the clock of the disk has gone on as far as the list said.
        await vi.waitFor(
          async () => {
            writeFileSync(join(out, 'written'), 'new');
            utimesSync(join(out, 'written'), atime, mtime);
            expect((await listed(shell)).files[2]).toMatchObject({ path: 'written', bytes: 3 });
            expect(stampsOf(await listed(shell))['written']).not.toBe(before['written']);
          },
          { interval: 100, timeout: 10_000 },
        );
        // In the same moment it still has another number.
        const other = join(folder, 'other');
        writeFileSync(other, 'new');
        rmSync(join(out, 'replaced'));
        linkSync(other, join(out, 'replaced'));
        const after = stampsOf(await listed(shell));
        expect(after['replaced']).not.toBe(before['replaced']);
        expect(after['still']).toBe(before['still']);
      },
    );

    it.skipIf(!isInstalled)('a folder that this user cannot look into is told', async () => {
      const out = join(folder, 'out');
      for (const name of ['closed', 'names alone', 'open']) {
        mkdirSync(join(out, name), { recursive: true });
        writeFileSync(join(out, name, 'a'), '');
      }
      for (const each of [folder, out, join(out, 'open')]) chmodSync(each, 0o755);
      chmodSync(join(out, 'closed'), 0);
      chmodSync(join(out, 'names alone'), 0o444);
      expect(await answered(shell, pathOf(shell), ORDINARY_USER)).toMatchObject({
        isCut: false,
        files: [{ path: 'open/a' }],
        others: [
          { path: 'closed', kind: 'closed' },
          { path: 'names alone', kind: 'closed' },
        ],
      });
      // It can be entered, and nobody sees what is in it.
      chmodSync(out, 0o311);
      expect(await answered(shell, pathOf(shell), ORDINARY_USER)).toBe('not-readable');
      for (const name of ['closed', 'names alone', '.']) chmodSync(join(out, name), 0o755);
    });

    it.skipIf(!isInstalled).each([
      ["find: './sub': Input/output error", 'partly'],
      ['', 'partly'],
      ["find: './sub/a': No such file or directory", null],
    ])('a list that find could not finish is none: %s', async (said, why) => {
      mkdirSync(join(folder, 'out'));
      writeFileSync(join(folder, 'out', 'b'), '');
      const path = ownFirst(join(folder, 'bin'), pathOf(shell));
      const find = execFileSync('sh', ['-c', 'command -v find'], {
        encoding: 'utf8',
        env: { PATH: pathOf(shell) },
      });
      const words = said === '' ? '' : `echo "${said}" >&2`;
      const script = `#!/bin/sh\n${find.trim()} "$@" || exit\n${words}\ncase $* in *-o*) exit 1 ;; esac\n`;
      writeFileSync(join(folder, 'bin', 'find'), script, { mode: 0o755 });
      if (why === null) expect(await answered(shell, path)).toMatchObject({ isCut: false });
      else expect(await answered(shell, path)).toBe(why);
    });

    it.skipIf(!isInstalled)('a box that tells no times is not taken for an empty one', async () => {
      mkdirSync(join(folder, 'out'));
      writeFileSync(join(folder, 'out', 'a'), '');
      const bin = join(folder, 'bin');
      const path = pathWith(bin, { find: 'exit 1', stat: 'exit 1' });
      expect(await answered(shell, path)).toBe('no-times');
    });
  },
);
