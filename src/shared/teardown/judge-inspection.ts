import type { Steps } from '../steps.ts';
import { copyBlockers, type CopiesKnown } from './blockers/copy-blockers.ts';
import { elsewhere, othersUnknown, strayFiles, trackerLogs } from './blockers/place-blockers.ts';
import { ordersElsewhere } from './blockers/order-blockers.ts';
import { openSweeps, waitingQueues } from './blockers/queue-blockers.ts';
import { MOST_SHOWN, type Raised } from './blockers/raised.ts';
import { absentResults, linksOut, resultBlockers } from './blockers/result-blockers.ts';
import {
  bytesOf,
  copiesOf,
  digestInSteps,
  digestOfFiles,
  isEmptied,
  isProvenHere,
  type Hashing,
  type JudgedResults,
} from './blockers/result-files.ts';
import { aliveProcesses, aliveRuns, missingRuns, unknownRuns } from './blockers/run-blockers.ts';
import { verbBlockers } from './blockers/verb-blockers.ts';
import { endFacts, type FoundOnBox, type FoundResults } from './found-on-box.ts';
import type { ProofNeed } from './proof-holds.ts';
import type { Blocker, InspectedRun, Inspection, KeptLoss, LeftBehind } from './inspection.ts';

export interface JudgedBeside extends CopiesKnown {
  /** What is wrong with the evidence, as a sentence; null: each entry is what was written. */
  readonly evidenceFault: string | null;
  readonly losses: readonly KeptLoss[];
  /** How far a copy has to be proven. */
  readonly needs: ProofNeed;
  readonly sha256: Hashing;
}

/** What nobody has looked at for so long may have come to be something else: a person says it again. */
export const ELSEWHERE_HOLDS_MS = 12 * 3600_000;

/** What rests on a person's own look alone. */
const LOOKED_BY_HAND: ReadonlySet<Raised['kind']> = new Set([
  'elsewhere',
  'processes-unknown',
  'not-there',
  'run-missing',
]);

/** SECURITY: what was away and is there again may have been written to: a yes to its absence does not count for the next one. */
export const withoutReturned = (
  losses: readonly KeptLoss[],
  blockers: readonly Pick<Blocker, 'id' | 'loss'>[],
): readonly KeptLoss[] =>
  losses.filter(
    ({ id, loss }) =>
      !(id === 'run-missing' || id.startsWith('not-there:')) ||
      blockers.some((each) => each.id === id && each.loss === loss),
  );

/** What stands between a box and its end. What nobody knows blocks like what is known to be missing. */
export function* judgeInspectionInSteps(
  found: FoundOnBox,
  judged: readonly JudgedResults[],
  beside: JudgedBeside,
): Steps<Inspection> {
  const { sha256 } = beside;
  const resting = copiesOf(judged);
  const copies = yield* digestInSteps(resting, sha256);
  const raised: Raised[] = [
    ...evidenceBlockers(beside),
    ...ordersElsewhere(found, sha256),
    ...aliveRuns(found),
    ...unknownRuns(found, sha256),
    ...missingRuns(found, sha256),
    ...waitingQueues(found, sha256),
    ...openSweeps(found, sha256),
    ...aliveProcesses(found, sha256),
    ...(yield* trackerLogs(found, sha256)),
    ...strayFiles(found, sha256),
    ...othersUnknown(found, sha256),
    elsewhere(found, sha256),
  ];
  raised.push(...absentResults(found, sha256));
  raised.push(...(yield* linksOut(found, sha256)));
  for (const results of judged) {
    raised.push(...(yield* resultBlockers(results, { ...beside, machine: found.machine })));
  }
  raised.push(...copyBlockers(copies, resting.length, found.machine, beside));
  raised.push(...verbBlockers(found, sha256));
  const blockers = raised.map((each): Blocker => ({
    verb: null,
    ...each,
    accepted: acceptedOf(each, beside),
  }));
  const runs = judged.map(inspected);
  const left = [
    ...judged.flatMap(leftOf),
    ...found.absent.filter(({ missed }) => missed === null).map(absentLeft),
  ];
  const listed: string[] = [];
  for (const each of found.results) listed.push(yield* digestOfFiles(each.listed, sha256));
  const digest = sha256(
    JSON.stringify([
      runs,
      left,
      copies,
      blockers.map(({ id, loss, accepted }) => [id, loss, accepted?.atMs ?? null]),
      ...[listed, found.machine],
      // What each verb does was shown, and as old as it was: a yes to that is none to what is known instead.
      endFacts(found.profile),
    ]),
  );
  const copiesReadAtMs = resting.length === 0 ? null : (beside.read?.atMs ?? null);
  const { atMs, machine } = found;
  return { atMs, machine, runs, blockers, left, copies, copiesReadAtMs, digest };
}

/** A box that cannot be looked at: unknown is never clear, and nobody can say what would be lost. */
export function blockedUnseen(
  because: string,
  { atMs, sha256 }: Pick<JudgedBeside, 'atMs' | 'sha256'>,
): Inspection {
  const blocker: Blocker = {
    ...{ id: 'not-looked', kind: 'not-looked', stage: 'inventory', entry: 'GEN8', verb: null },
    ...{ says: `The box cannot be looked at. ${because}`, shows: [], loss: null, accepted: null },
  };
  const copies = sha256('[]');
  return {
    ...{
      atMs,
      machine: null,
      runs: [],
      blockers: [blocker],
      left: [],
      copies,
      copiesReadAtMs: null,
    },
    digest: sha256(because),
  };
}

function acceptedOf(
  { id, kind, loss }: Raised,
  { losses, atMs }: JudgedBeside,
): Blocker['accepted'] {
  const kept = losses.find((each) => each.id === id && each.loss === loss);
  if (kept === undefined) return null;
  // What was looked at by nobody but a person holds as long as they can remember it; a clock that was set back makes it no younger.
  const isOld = LOOKED_BY_HAND.has(kind) && Math.abs(atMs - kept.atMs) > ELSEWHERE_HOLDS_MS;
  return isOld ? null : { atMs: kept.atMs, because: kept.because };
}

/** Whatever an end rests on stands there: what was proven, what was left and why, what was given up. */
function evidenceBlockers({ evidenceFault }: JudgedBeside): readonly Raised[] {
  if (evidenceFault === null) return [];
  return [
    {
      ...{ id: 'evidence-broken', kind: 'evidence-broken', stage: 'proven', entry: null },
      ...{ says: evidenceFault, shows: [], loss: null },
    },
  ];
}

function inspected(results: JudgedResults): InspectedRun {
  const { runId, runName, path, proven, listed, files, away } = results;
  const home = files.filter(isProvenHere);
  return {
    ...{ runId, runName, path, to: proven?.to ?? null, evidence: proven?.evidence ?? null },
    ...{ files: listed.length, bytes: bytesOf(listed) },
    ...{ homeFiles: home.length, homeBytes: bytesOf(home.map(({ file }) => file)) },
    ...((away.length > 0 || isEmptied(results)) && {
      away: { files: away.length, bytes: bytesOf(away) },
    }),
  };
}

/** One for each reason: which files they are, the evidence of the pull has. */
function leftOf(results: JudgedResults): readonly LeftBehind[] {
  const { runName, path, files, others, gone } = results;
  // A folder that is away has them still, as far as anybody knows.
  const there = isEmptied(results) ? gone : files;
  const byReason = new Map<string, FoundResults['listed'][number][]>();
  for (const { file, pulled, state } of there) {
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
