import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import type { RereadNumber } from '../../shared/evidence/reread.ts';
import type { ProofLevel } from '../../shared/transfer/pull.ts';
import { formatNames, type Loaded } from '../../shared/verify/loaded.ts';
import { isNotWhole } from '../../shared/transfer/home.ts';
import {
  opennessWords,
  pythonWords,
  type PythonAnswer,
} from '../../shared/verify/python-answer.ts';
import type { SetFound } from '../../shared/verify/sets.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { checkByPython } from '../verify/python-check.ts';
import { setsAmong } from '../verify/sets/sets.ts';
import { proveFile } from '../workers/prove-file.ts';
import { proveSet } from '../workers/prove-set.ts';
import type { Command, CommandContext, Refused } from './command.ts';
import { counted, tableLines } from './table.ts';
import {
  numberRow,
  parseAsked,
  rereadAsked,
  shortNumbers,
  type AskedNumber,
} from './verify-numbers.ts';
import { lookAtTrackers, trackerRow } from './verify-trackers.ts';

/** As `sha256sum` writes it: a mark before a name with signs of its own, the hash, a mark for how it was read. */
const MANIFEST_LINE = /^\\?([0-9a-f]{64}) [ *](.+)$/;
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

type Mark = 'equal' | 'differs' | 'missing' | 'extra' | 'not compared' | 'could not read';

interface Verified {
  readonly path: string;
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Against the manifest. */
  readonly mark: Mark;
  readonly level: ProofLevel;
  readonly loaded: Loaded | null;
  readonly says: string | null;
  /** What the person’s own Python says of it, which is no level of proof; absent: it was not asked. */
  readonly python?: PythonAnswer;
}

export const verify: Command = {
  name: 'verify',
  summary: 'whether files are whole: hashed, and loaded as what they are',
  operands: ['<file or folder>'],
  flags: {
    manifest: {
      value: 'file',
      help: 'lines as sha256sum writes them: exactly these files, and no other',
    },
    python: {
      value: 'program',
      help: 'a Python of yours with torch: loads each file of torch besides, without network',
    },
    number: {
      value: 'FILE:KEY=VALUE',
      isRepeated: true,
      help: 'a number that you report: read again from the file, and compared as it is written',
    },
  },
  details: [
    `Reads ${formatNames.join(', ')}; of everything else the hash alone is known, and that is said. Nothing in a file is executed, and nothing is changed.`,
    'Links are not followed. Levels: listed < sized < hashed < loaded < re-read; no file is told at a higher one than it has reached.',
    'KEY: eval.accuracy, history[3].loss, ["a.b"] in JSON and YAML; loss@last, @lowest, @highest or @100 (at step 100) of a column, a field of',
    'JSON Lines or a tag of TensorBoard. 0.913 is 0.91298 rounded; 91.3% is 0.913. Without =VALUE the number is only read again.',
    'What several files make up, as a checkpoint in parts with its index, is looked at as one besides: of a folder, and not of a single file.',
    'What --python says stands beside the proof and is none: torch.load(weights_only=True) in a process of its own, which ends with',
    'this one. It has no network and read-only disks where Linux allows that; elsewhere only Python itself refuses them, and that is said.',
    'Exit code 1: a file or such a set is damaged, differs from the manifest, is missing or more than it has, or could not be read;',
    'or a number differs or could not be read again; or the Python that was asked does not load a file of torch.',
  ],
  async run({ operands: [wanted = ''], flags, repeated, isJson }, context) {
    const roster = await rosterOf(wanted);
    if ('refused' in roster) return roster;
    const manifestFile = flags.get('manifest');
    const manifest = manifestFile === undefined ? null : await readManifest(manifestFile);
    if (manifest !== null && 'refused' in manifest) return manifest;
    const asked: AskedNumber[] = [];
    for (const text of repeated.get('number') ?? []) {
      const number = parseAsked(text, roster.paths);
      if (!number.ok) return { refused: number.error };
      asked.push(number.value);
    }
    const files: Verified[] = [];
    for (const path of roster.paths) {
      files.push(await verifyOne(join(roster.root, path), path, manifest));
    }
    const python = flags.get('python');
    if (python !== undefined) await askPython(roster.root, files, python, context);
    const seen = new Set(roster.paths);
    for (const path of manifest?.keys() ?? []) {
      if (!seen.has(path)) files.push(without(path, 'missing', 'It is not there.'));
    }
    const sets = await proveSets(roster, files);
    const numbers: RereadNumber[] = [];
    for (const each of asked) {
      const file = files.find(({ path }) => path === each.path);
      numbers.push(await rereadAsked(roster.root, each, file));
    }
    const told = files.map((file) => withReread(file, numbers));
    const there = files.filter(({ level }) => level !== 'listed').map(({ path }) => path);
    const trackers = await lookAtTrackers(roster.root, there);
    const shortFiles = files.filter(isShort).length + sets.filter(isNotWhole).length;
    const short = shortFiles + shortNumbers(numbers);
    if (isJson)
      await context.out.json({ root: roster.root, files: told, sets, numbers, trackers, short });
    else {
      const rows = told.map(({ path, bytes, mark, level, says }) => [
        path,
        bytes,
        manifest === null ? null : mark,
        level,
        says,
      ]);
      await context.out.lines(tableLines(['file', 'bytes', 'manifest', 'proof', ''], rows));
      const asked = files.flatMap(({ path, python }) =>
        python === undefined ? [] : [[path, pythonWords(python)]],
      );
      if (asked.length > 0) {
        await context.out.line('');
        await context.out.lines(tableLines(['file', 'says your Python'], asked));
        const openness = opennessWords(files.flatMap(({ python }) => python ?? []));
        if (openness !== null) await context.out.line(openness);
      }
      if (sets.length > 0) {
        await context.out.line('');
        const made = sets.map(({ path, state, says }) => [path, state, says]);
        await context.out.lines(tableLines(['held together by', 'is', ''], made));
      }
      if (trackers.length > 0) {
        await context.out.line('');
        await context.out.lines(tableLines(['tracker', 'curves', ''], trackers.map(trackerRow)));
      }
      if (numbers.length > 0) {
        await context.out.line('');
        const head = ['number', 'in the file', 'reported', ''];
        await context.out.lines(tableLines(head, numbers.map(numberRow)));
      }
      const all = files.length + sets.length + numbers.length;
      const counts = [
        ...(sets.length === 0 ? [] : [` and ${counted(sets.length, 'set')} of them`]),
        ...(numbers.length === 0 ? [] : [`, ${counted(numbers.length, 'number')}`]),
      ].join('');
      await context.out.line(
        `${counted(files.length, 'file')}${counts}: ${String(all - short)} fine, ${String(short)} not`,
      );
    }
    return short > 0 ? 1 : 0;
  },
};

/** A file is re-read where a number of it was. */
const withReread = (file: Verified, numbers: readonly RereadNumber[]): Verified =>
  numbers.some(({ path, literal }) => path === file.path && literal !== null)
    ? { ...file, level: 're-read' }
    : file;

const isShort = ({ mark, loaded, python }: Verified): boolean =>
  loaded?.kind === 'damaged' ||
  (python !== undefined && python.kind !== 'loads') ||
  (mark !== 'equal' && mark !== 'not compared');

/** One after the other: each may take as much memory as its file is large. */
async function askPython(
  root: string,
  files: Verified[],
  python: string,
  { env, root: app }: CommandContext,
): Promise<void> {
  const asked = { python, env, program: join(app, 'resources', 'verify', 'python-check.py') };
  for (const [no, file] of files.entries()) {
    const { loaded, path } = file;
    if (loaded === null || loaded.kind === 'no-reader' || loaded.format !== 'torch') continue;
    files[no] = { ...file, python: await checkByPython(asked, resolve(root, path)) };
  }
}

interface Roster {
  readonly root: string;
  /** From there on, in their order. */
  readonly paths: readonly string[];
}

async function rosterOf(wanted: string): Promise<Roster | Refused> {
  try {
    const found = await lstat(wanted);
    if (found.isFile()) return { root: join(wanted, '..'), paths: [basename(wanted)] };
    if (!found.isDirectory()) return { refused: `${wanted} is neither a file nor a folder.` };
    const entries = await readdir(wanted, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name).slice(join(wanted, '/').length));
    return { root: wanted, paths: paths.sort() };
  } catch (cause) {
    return { refused: `${wanted} cannot be read: ${reasonOf(cause)}.` };
  }
}

async function readManifest(file: string): Promise<ReadonlyMap<string, string> | Refused> {
  try {
    if ((await lstat(file)).size > MAX_MANIFEST_BYTES) {
      return { refused: `${file} is longer than any manifest.` };
    }
    const hashes = new Map<string, string>();
    const lines = (await readFile(file, 'utf8')).split('\n');
    for (const [no, line] of lines.entries()) {
      if (line === '') continue;
      const [, sha256, name] = MANIFEST_LINE.exec(line) ?? [];
      if (sha256 === undefined || name === undefined) {
        return { refused: `${file}, line ${String(no + 1)}: no hash and name.` };
      }
      const path = line.startsWith('\\') ? unescaped(name) : name;
      hashes.set(path.replace(/^(?:\.\/)+/, ''), sha256);
    }
    return hashes;
  } catch (cause) {
    return { refused: `${file} cannot be read: ${reasonOf(cause)}.` };
  }
}

const unescaped = (name: string): string =>
  name.replace(/\\([\\nr])/g, (_, sign: string) => ({ n: '\n', r: '\r' })[sign] ?? '\\');

async function verifyOne(
  file: string,
  path: string,
  manifest: ReadonlyMap<string, string> | null,
): Promise<Verified> {
  try {
    // A pipe would wait for ever, and a link is whatever it points at.
    const found = await lstat(file);
    // W&B's `latest-run` and the like: it is no result of its own, and a manifest that names it wants its content.
    if (found.isSymbolicLink() && manifest?.has(path) !== true) {
      return without(path, manifest === null ? 'not compared' : 'extra', 'A link, not followed.');
    }
    if (!found.isFile()) return without(path, 'could not read', 'It is no plain file.');
    const { sha256, sizeBytes, loaded } = await proveFile(
      { path: file, name: basename(file) },
      () => undefined,
    );
    const known = manifest?.get(path);
    const mark =
      manifest === null
        ? 'not compared'
        : known === undefined
          ? 'extra'
          : known === sha256
            ? 'equal'
            : 'differs';
    const level = loaded?.kind === 'loaded' ? 'loaded' : 'hashed';
    return { path, bytes: sizeBytes, sha256, mark, level, loaded, says: saysOf(loaded) };
  } catch (cause) {
    return without(path, 'could not read', `${reasonOf(cause)}.`);
  }
}

/** What several of the files make up. */
async function proveSets(
  { root }: Roster,
  files: readonly Verified[],
): Promise<readonly SetFound[]> {
  const there = files.filter(({ level }) => level !== 'listed');
  const paths = there.map(({ path }) => path.split(sep).join('/'));
  const found: SetFound[] = [];
  for (const set of setsAmong(paths)) {
    const proven = await proveSet({ root, set }, () => undefined);
    if (proven !== null) found.push(proven);
  }
  return found;
}

function without(path: string, mark: Mark, says: string): Verified {
  return { path, bytes: null, sha256: null, mark, level: 'listed', loaded: null, says };
}

/** What was found in a file, or why nothing was. */
export function saysOf(loaded: Loaded | null): string | null {
  if (loaded === null || loaded.kind === 'no-reader') return 'no reader for such a file';
  if (loaded.kind === 'damaged') return `damaged: ${loaded.because}`;
  if (loaded.kind === 'not-loadable') return `not loaded: ${loaded.because}`;
  const { holds, numbers } = loaded;
  if (numbers === undefined || numbers.nonFinite === 0) return holds;
  return `${holds}; ${String(numbers.nonFinite)} of ${String(numbers.scanned)} are NaN or infinite`;
}

function reasonOf(cause: unknown): string {
  const errno = errnoOf(cause);
  if (errno !== null) return errno;
  if (cause instanceof Error) return cause.message.replace(/\.$/, '');
  throw cause;
}
