import type { Steps } from '../steps.ts';
import { brokenSets, homeState, type HomeState } from '../transfer/home.ts';
import type { PulledFile } from '../transfer/pull.ts';
import type {
  Blocker,
  CopiesRead,
  FoundOnBox,
  FoundResults,
  InspectedRun,
  Inspection,
  KeptLoss,
  LeftBehind,
} from './inspection.ts';

/** Copies that were read longer ago may have been changed by whatever else runs on this computer. */
export const COPIES_HOLD_MS = 60 * 60_000;
/** As many lines as a person reads; the sentence has the whole number. */
const MOST_SHOWN = 20;
/** As many files as take a few milliseconds. */
const IN_STEP = 500;

export interface JudgedBeside {
  readonly atMs: number;
  readonly monoMs: number;
  /** The newest reading of the copies; null: there was none since Leasehold was started. */
  readonly read: CopiesRead | null;
  /** What tells the versions of the copies now. */
  readonly stamps: string;
  /** What is wrong with the evidence, as a sentence; null: each entry is what was written. */
  readonly evidenceFault: string | null;
  readonly losses: readonly KeptLoss[];
  readonly sha256: (text: string) => string;
}

type Unjudged = Omit<Blocker, 'accepted'>;

/** What stands between a box and its end. What nobody knows blocks like what is known to be missing. */
export function* judgeInspectionInSteps(
  found: FoundOnBox,
  judged: readonly JudgedResults[],
  beside: JudgedBeside,
): Steps<Inspection> {
  const { sha256 } = beside;
  const resting = copiesOf(judged);
  const copies = yield* digestInSteps(resting, sha256);
  const raised: Unjudged[] = [
    ...evidenceBlockers(beside),
    ...aliveRuns(found),
    ...aliveProcesses(found, sha256),
    elsewhere(found, sha256),
  ];
  for (const results of judged) raised.push(...(yield* resultBlockers(results, sha256)));
  raised.push(...copyBlockers(copies, resting.length, beside));
  const blockers = raised.map((each): Blocker => ({ ...each, accepted: acceptedOf(each, beside) }));
  const runs = judged.map(inspected);
  const left = [...judged.flatMap(leftOf), ...found.absent.map(absentLeft)];
  const listed: string[] = [];
  for (const each of found.results) listed.push(yield* digestOfFiles(each.listed, sha256));
  const digest = sha256(
    JSON.stringify([
      runs,
      left,
      copies,
      blockers.map(({ id, loss, accepted }) => [id, loss, accepted?.atMs ?? null]),
      listed,
    ]),
  );
  const copiesReadAtMs = resting.length === 0 ? null : (beside.read?.atMs ?? null);
  return { atMs: found.atMs, runs, blockers, left, copies, copiesReadAtMs, digest };
}

/** A box that cannot be looked at: unknown is never clear, and nobody can say what would be lost. */
export function blockedUnseen(
  because: string,
  { atMs, sha256 }: Pick<JudgedBeside, 'atMs' | 'sha256'>,
): Inspection {
  const blocker: Blocker = {
    ...{ id: 'not-looked', kind: 'not-looked', stage: 'inventory', entry: null, loss: null },
    ...{ says: `The box cannot be looked at. ${because}`, shows: [], accepted: null },
  };
  const copies = sha256('[]');
  return {
    ...{ atMs, runs: [], blockers: [blocker], left: [], copies, copiesReadAtMs: null },
    digest: sha256(because),
  };
}

const acceptedOf = ({ id, loss }: Unjudged, { losses }: JudgedBeside): Blocker['accepted'] => {
  const kept = losses.find((each) => each.id === id && each.loss === loss);
  return kept === undefined ? null : { atMs: kept.atMs, because: kept.because };
};

/** Whatever an end rests on stands there: what was proven, what was left and why, what was given up. */
function evidenceBlockers({ evidenceFault }: JudgedBeside): readonly Unjudged[] {
  if (evidenceFault === null) return [];
  return [
    {
      ...{ id: 'evidence-broken', kind: 'evidence-broken', stage: 'proven', entry: null },
      ...{ says: evidenceFault, shows: [], loss: null },
    },
  ];
}

function aliveRuns({ runs }: FoundOnBox): readonly Unjudged[] {
  return runs
    .filter(({ isOver }) => !isOver)
    .map(({ id, name }) => ({
      ...{ id: `run-alive:${id}`, kind: 'run-alive', stage: 'inventory', entry: null },
      says: `“${name}” is still running. It would end without warning, and what it has not saved would be lost.`,
      ...{ shows: [id], loss: id },
    }));
}

/** What holds a GPU is a job, and is told by itself; what only writes to a file is mostly a service of the box, and is told together. */
function aliveProcesses(
  { processes, processesUnknown }: FoundOnBox,
  sha256: JudgedBeside['sha256'],
): readonly Unjudged[] {
  const holders = processes.filter(({ holdsGpu }) => holdsGpu);
  const others = processes.filter(({ holdsGpu }) => !holdsGpu);
  const alive = holders.map((each): Unjudged => ({
    ...{ id: `process-alive:${each.key}`, kind: 'process-alive', stage: 'inventory', entry: null },
    says: `Process ${String(each.pid)}, which Leasehold did not launch, is still running and holds a GPU.`,
    ...{ shows: [each.command], loss: each.key },
  }));
  if (others.length > 0) {
    const keys = others.map(({ key }) => key).sort();
    alive.push({
      ...{ id: 'process-alive:others', kind: 'process-alive', stage: 'inventory', entry: null },
      says:
        others.length === 1
          ? 'A process that Leasehold did not launch is still writing to a file. It may be a job.'
          : `${String(others.length)} processes that Leasehold did not launch are still writing to files. Any of them may be a job.`,
      shows: others.slice(0, MOST_SHOWN).map(({ pid, command }) => `${String(pid)}: ${command}`),
      loss: sha256(JSON.stringify(keys)),
    });
  }
  if (processesUnknown === null) return alive;
  return [
    ...alive,
    {
      ...{ id: 'processes-unknown', kind: 'processes-unknown', stage: 'inventory', entry: null },
      says: `Whether anything else still runs is not known. ${processesUnknown}`,
      ...{ shows: [], loss: null },
    },
  ];
}

/** Leasehold proves what runs have left, and has looked at nothing besides: a person alone knows whether that is all. */
function elsewhere({ results }: FoundOnBox, sha256: JudgedBeside['sha256']): Unjudged {
  const folders = results.map(({ path }) => path).sort();
  return {
    ...{ id: 'elsewhere', kind: 'elsewhere', stage: 'inventory', entry: null },
    says:
      folders.length === 0
        ? 'No run that Leasehold launched here left results, and it has not looked at other files.'
        : 'Leasehold has not looked at files outside these folders.',
    shows: folders.slice(0, MOST_SHOWN),
    loss: sha256(JSON.stringify(folders)),
  };
}

interface JudgedFile {
  readonly file: FoundResults['listed'][number];
  readonly pulled: PulledFile | undefined;
  readonly state: HomeState;
}

export interface JudgedResults extends FoundResults {
  readonly files: readonly JudgedFile[];
}

/** How each file that the box has stands to what was pulled of it, which all else here asks. */
export function* judgeFilesInSteps(
  found: readonly FoundResults[],
): Steps<readonly JudgedResults[]> {
  const judged: JudgedResults[] = [];
  for (const results of found) {
    const known = new Map((results.proven?.files ?? []).map((file) => [file.path, file]));
    const files: JudgedFile[] = [];
    for (const file of results.listed) {
      const pulled = known.get(file.path);
      files.push({ file, pulled, state: homeState(file, pulled) });
      if (files.length % IN_STEP === 0) yield;
    }
    judged.push({ ...results, files });
  }
  return judged;
}

/** Of rows that may be very many: the hash of the hashes of their parts. */
export function* digestInSteps(
  rows: readonly unknown[],
  sha256: JudgedBeside['sha256'],
): Steps<string> {
  const parts: string[] = [];
  for (let at = 0; at < rows.length; at += IN_STEP) {
    parts.push(sha256(JSON.stringify(rows.slice(at, at + IN_STEP))));
    yield;
  }
  return sha256(parts.join());
}

const digestOfFiles = (
  files: FoundResults['listed'],
  sha256: JudgedBeside['sha256'],
): Steps<string> => digestInSteps(files.map(versionOf), sha256);

const isProvenHere = ({ state }: JudgedFile): boolean => state === 'home' || state === 'accepted';

type Missing = 'damaged' | 'not-home';

/** Null: the very file is here, or a person has decided about it. */
function missingAs(state: HomeState): Missing | null {
  switch (state) {
    case 'home':
    case 'accepted':
    case 'left':
      return null;
    case 'damaged':
      return 'damaged';
    default:
      return 'not-home';
  }
}

const WHY: Readonly<Record<HomeState, string>> = {
  home: 'proven to be here',
  accepted: 'damaged, and accepted',
  left: 'left on the box',
  damaged: 'damaged, here as on the box',
  begun: 'was still growing when it was brought home',
  waits: 'left for a later round',
  short: 'not proven to be here',
  unknown: 'new since the results were brought home',
  changed: 'changed since it was brought home',
  unstamped: 'proven by an older Leasehold, which cannot tell it from its next version',
};

function* resultBlockers(
  { runName, path, listed, proven, files }: JudgedResults,
  sha256: JudgedBeside['sha256'],
): Steps<readonly Unjudged[]> {
  if (proven === null) {
    if (listed.length === 0) return [];
    return [
      {
        ...{
          id: `never-pulled:${path}`,
          kind: 'never-pulled',
          stage: 'pulled',
          entry: curvesIn(listed),
        },
        says: `The results of “${runName}” were never brought home: ${countOf(listed.length)}.`,
        shows: listed.slice(0, MOST_SHOWN).map((file) => file.path),
        loss: yield* digestOfFiles(listed, sha256),
      },
    ];
  }
  const raised: Unjudged[] = [];
  for (const kind of ['not-home', 'damaged'] as const) {
    const found = files.filter(({ state }) => missingAs(state) === kind);
    if (found.length === 0) continue;
    const lost = found.map(({ file }) => file);
    const what =
      kind === 'damaged' ? 'cannot be loaded' : 'not proven to be on this computer as it is now';
    raised.push({
      ...{ id: `${kind}:${path}`, kind, stage: kind === 'damaged' ? 'proven' : 'pulled' },
      entry: kind === 'damaged' ? null : curvesIn(lost),
      says: `${countOf(found.length)} of “${runName}”: ${what}.`,
      shows: found.slice(0, MOST_SHOWN).map(({ file, state }) => `${file.path}: ${WHY[state]}`),
      loss: yield* digestOfFiles(lost, sha256),
    });
  }
  const broken = brokenSets(proven);
  if (broken.length > 0) {
    raised.push({
      ...{ id: `damaged:sets:${path}`, kind: 'damaged', stage: 'proven', entry: null },
      says: `“${runName}”: ${countOf(broken.length, 'set')} of files that belong together, not proven to be whole.`,
      shows: broken.slice(0, MOST_SHOWN).map((set) => `${set.path}: ${set.says}`),
      loss: sha256(JSON.stringify(broken)),
    });
  }
  return raised;
}

function copyBlockers(
  copies: string,
  count: number,
  { read, atMs, monoMs, stamps }: JudgedBeside,
): readonly Unjudged[] {
  if (count === 0) return [];
  // By the later of the two: one is set back by anybody, and the other need not count while this computer sleeps.
  const isFresh =
    read !== null &&
    read.copies === copies &&
    read.stamps === stamps &&
    Math.abs(atMs - read.atMs) <= COPIES_HOLD_MS &&
    monoMs - read.monoMs <= COPIES_HOLD_MS;
  if (!isFresh) {
    return [
      {
        ...{ id: 'copies-unread', kind: 'copies-unread', stage: 'proven', entry: null },
        says: `The copies on this computer have to be read again, byte by byte: ${countOf(count)}.`,
        ...{ shows: [], loss: null },
      },
    ];
  }
  if (read.faults.length === 0) return [];
  return [
    {
      ...{ id: 'copies-gone', kind: 'copies-gone', stage: 'proven', entry: null },
      says: `${countOf(read.faults.length)} on this computer: no longer what was proven. Bring the results home again.`,
      ...{ shows: read.faults.slice(0, MOST_SHOWN), loss: null },
    },
  ];
}

/** A copy on this computer on which an end of the box would rest. */
export interface RestingCopy {
  readonly to: string;
  readonly file: Pick<PulledFile, 'path' | 'bytes'> & { readonly sha256: string };
}

/** Of all that the box still has and that is home. */
export const copiesOf = (judged: readonly JudgedResults[]): readonly RestingCopy[] =>
  judged.flatMap(({ proven, files }) => {
    if (proven === null) return [];
    return files.filter(isProvenHere).flatMap(({ pulled }) => {
      if (pulled === undefined || pulled.sha256 === null) return [];
      const { path, bytes, sha256 } = pulled;
      return [{ to: proven.to, file: { path, bytes, sha256 } }];
    });
  });

function inspected({ runId, runName, path, proven, listed, files }: JudgedResults): InspectedRun {
  const home = files.filter(isProvenHere);
  return {
    ...{ runId, runName, path, to: proven?.to ?? null, evidence: proven?.evidence ?? null },
    ...{ files: listed.length, bytes: bytesOf(listed) },
    ...{ homeFiles: home.length, homeBytes: bytesOf(home.map(({ file }) => file)) },
  };
}

/** One for each reason: which files they are, the evidence of the pull has. */
function leftOf({ runName, path, files, others }: JudgedResults): readonly LeftBehind[] {
  const byReason = new Map<string, FoundResults['listed'][number][]>();
  for (const { file, pulled, state } of files) {
    if (state !== 'left' || pulled?.left === undefined) continue;
    const known = byReason.get(pulled.left);
    if (known === undefined) byReason.set(pulled.left, [file]);
    else known.push(file);
  }
  if (others.length > 0) byReason.set('Links and special files are not brought home.', [...others]);
  return [...byReason].map(([because, left]) => ({
    ...{ runName, path, because, files: left.length, bytes: bytesOf(left) },
    shows: left.slice(0, MOST_SHOWN).map((file) => file.path),
  }));
}

const absentLeft = ({ runName, path }: FoundOnBox['absent'][number]): LeftBehind => ({
  ...{ runName, path, files: 0, bytes: 0, shows: [] },
  because: 'There is no such folder on the box.',
});

/** Files of curves that nobody can write again: what the entry about them is for. */
const CURVES = /(?:^|\/)(?:events\.out\.tfevents\.[^/]*|metrics\.(?:jsonl|csv))$/;
const curvesIn = (files: readonly { readonly path: string }[]): string | null =>
  files.some(({ path }) => CURVES.test(path)) ? 'U20' : null;

const bytesOf = (files: readonly { readonly bytes: number }[]): number =>
  files.reduce((all, { bytes }) => all + bytes, 0);

const versionOf = ({ path, bytes, modifiedAtMs, stamp }: FoundResults['listed'][number]) => [
  path,
  bytes,
  stamp ?? modifiedAtMs,
];

const countOf = (count: number, one = 'file'): string =>
  `${String(count)} ${one}${count === 1 ? '' : 's'}`;
