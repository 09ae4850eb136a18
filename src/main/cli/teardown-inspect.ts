import { isArchived } from '../../shared/boxes/archived.ts';
import { endVerbs } from '../../shared/teardown/end-verb.ts';
import { WAY_FORWARD } from '../../shared/teardown/blocker-words.ts';
import type { PatrolSeen } from '../../shared/patrol/patrol-state.ts';
import { selectSeen } from '../../shared/patrol/select-seen.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { watchedOn } from '../../shared/profiles/places.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import type { FoundSweep } from '../../shared/teardown/found-on-box.ts';
import { openBlockers, type Inspection } from '../../shared/teardown/inspection.ts';
import { PROOF_HOLDS_MIN, type ProofNeed } from '../../shared/teardown/proof-holds.ts';
import type { ResultRoot } from '../../shared/transfer/result-root.ts';
import { patrolBox } from '../patrol/patrol-box.ts';
import { listResults, LONG_LIST } from '../runs/list-results.ts';
import { SeenRuns } from '../runs/seen-runs.ts';
import { lookAtAllRuns, lookAtRuns } from '../runs/look-at-runs.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { peekSettings } from '../storage/settings.ts';
import { BoxInspector } from '../teardown/box-inspector.ts';
import { findOrders } from '../teardown/box-orders.ts';
import { everSeenOn } from '../teardown/ever-seen.ts';
import { findOutside } from '../teardown/find-outside.ts';
import { findQueues } from '../teardown/find-queues.ts';
import { trustedKeyOf } from '../teardown/inspect-box.ts';
import { TeardownRecords } from '../teardown/teardown-records.ts';
import { hashesOf } from '../transfer/box-hashes.ts';
import { HomeCheck } from '../transfer/home-check.ts';
import { namedRootsOf } from '../transfer/named-folders.ts';
import { proofOfRun } from '../transfer/run-proof.ts';
import { inProcess } from '../workers/in-process.ts';
import type { Command, CommandInput } from './command.ts';
import {
  overItsLink,
  REACHES_A_BOX,
  tellUnreached,
  withNamedBox,
  type NamedBox,
} from './named-box.ts';
import { printable } from './printable.ts';
import { profilesFor } from './profiles-common.ts';
import { counted } from './table.ts';

const NEVER_ENDS =
  'It never ends a box, and no yes is given here: that takes a person in the window.';

export const teardownInspect: Command = {
  name: 'teardown inspect',
  summary: 'what is between a box and its end, each with what shows it and what to do',
  operands: ['<box>'],
  flags: {},
  details: [
    NEVER_ENDS,
    ...REACHES_A_BOX,
    'A sweep is compared with its roster in the window, which knows all of its boxes: here it is told as not known.',
    'Exit code 1: the box did not answer, or something is in the way.',
  ],
  run: (input, context) =>
    withNamedBox(input.operands[0] ?? '', context, (known) => inspect(known, input, false)),
};

export const teardownPlan: Command = {
  name: 'teardown plan',
  summary:
    'the same once the copies here were read again, and what each action of the platform does',
  operands: ['<box>'],
  flags: {},
  details: [
    NEVER_ENDS,
    'Every copy on this computer that an end would rest on is read byte by byte. The window reads them again for itself.',
    ...REACHES_A_BOX,
    'Exit code 1: the box did not answer, or something is in the way of every action.',
  ],
  run: (input, context) =>
    withNamedBox(input.operands[0] ?? '', context, (known) => inspect(known, input, true)),
};

async function inspect(
  known: NamedBox,
  { isJson }: CommandInput,
  hasProof: boolean,
): Promise<0 | 1> {
  const { box, context } = known;
  const profiles = await profilesFor(context);
  const profile = profiles.all.find((each) => each.profile.id === box.platform)?.profile ?? null;
  const all = profiles.all.map((each) => each.profile);
  const folders = namedRootsOf(known.database.entries, box.id);
  const name = hasProof ? 'plan' : 'inspection';
  if (!folders.ok) return tellUnreached(known, folders.error, name, isJson);
  const listed = known.database.boxes.list();
  if (!listed.ok) return tellUnreached(known, listed.error, name, isJson);
  // What they keep is known to the window alone.
  const unseen = listed.value.rows
    .filter((each) => !isArchived(each) && each.id !== box.id && each.platform === box.platform)
    .map((each) => each.name);
  // Settings that cannot be read may ask for all that there is to ask for.
  const needs = (await peekSettings(known.folder))?.settings.proofNeeds ?? 'loaded';
  const looked = await overItsLink(
    known,
    async (connection): Promise<Result<Inspection, Problem>> => {
      const inspector = inspectorOver(connection, known, {
        ...{ profile, all, folders: folders.value, unseen, needs },
      });
      if (hasProof) {
        const read = await inspector.readCopies(new AbortController().signal, () => undefined);
        if (!read.ok) return read;
      }
      return ok(await inspector.inspect());
    },
  );
  if (!looked.ok) return tellUnreached(known, looked.error, name, isJson);
  const verbs = profile === null || !hasProof ? [] : endVerbs(profile).map(({ verb }) => verb);
  const open = openBlockers(looked.value);
  const perVerb = verbs.map((verb) => ({
    verb,
    open: openBlockers(looked.value, verb).filter((each) => each.verb !== null),
  }));
  const { out } = context;
  if (isJson) {
    const { runs, left, blockers, digest } = looked.value;
    await out.json({
      ...{ box: box.name, problem: null },
      [name]: { digest, runs, left, blockers, verbs: perVerb.map(({ verb }) => verb) },
    });
  } else {
    await out.lines(
      [
        ...open.flatMap(linesOf),
        open.length === 0
          ? `${box.name}: nothing is in the way of all actions.`
          : `${box.name}: ${counted(open.length, 'thing')} in the way.`,
        ...perVerb.flatMap((each) => [`${each.verb}:`, ...each.open.flatMap(linesOf)]),
      ].map(printable),
    );
  }
  const isFree = open.length === 0 && (!hasProof || perVerb.some((each) => each.open.length === 0));
  return isFree ? 0 : 1;
}

const linesOf = ({
  kind,
  says,
  shows,
  entry,
}: Inspection['blockers'][number]): readonly string[] => [
  `${says}${entry === null ? '' : ` (${entry})`}`,
  ...shows.map((line) => `    ${line}`),
  `  → ${WAY_FORWARD[kind]}`,
];

interface Beside {
  readonly profile: Profile | null;
  readonly all: readonly Profile[];
  readonly folders: readonly ResultRoot[];
  /** The names of the other boxes of this platform. */
  readonly unseen: readonly string[];
  readonly needs: ProofNeed;
}

/** The very inspector of the window, over one connection. */
function inspectorOver(
  connection: SshConnection,
  { box, database, scripts, folder: dataFolder, context }: NamedBox,
  { profile, all, folders, unseen, needs }: Beside,
): BoxInspector {
  let seen: PatrolSeen | null = null;
  const records = new TeardownRecords(database.evidence);
  const seenRuns = new SeenRuns({
    entries: database.entries,
    onProblem: ({ message }) => void context.err.line(message),
  });
  return new BoxInspector(box.id, {
    runs: {
      look: async () => {
        const newest = await lookAtRuns(connection, scripts);
        const looked = newest.ok ? await lookAtAllRuns(connection, scripts, newest.value) : newest;
        return looked.ok ? ok({ ...looked.value, problem: null }) : looked;
      },
      folders: () => folders,
      proof: (boxId, runId) => proofOfRun(database.evidence, boxId, runId),
      list: (_boxId, folder) =>
        listResults(
          connection,
          scripts,
          { folder, results: folder },
          { bounds: LONG_LIST, tellsLinks: true },
        ),
      hash: (_boxId, folder, paths) => hashesOf(connection, { scripts, folder, paths }),
    },
    home: new HomeCheck(inProcess, database.evidence),
    records,
    everSeenOn: (boxId) =>
      everSeenOn(boxId, {
        ...{ evidence: database.evidence, records },
        seen: (id) => seenRuns.of(id),
      }),
    patrol: async () => {
      const beside = { ...watchedOn(box.platform, all), isGpuWorking: null };
      const asked = { connection, boxId: box.id, beside, fellIdleAtMs: null, hasAlerts: false };
      const ticked = await patrolBox(asked, { scripts, dataFolder });
      if (!ticked.ok) return ticked;
      seen = selectSeen(ticked.value.look, ticked.value.alive, ticked.value.took);
      return ok(null);
    },
    seenOn: () => seen,
    queues: (_boxId, runs) => findQueues(connection, runs, { scripts, redact: (text) => text }),
    orders: (_boxId, machine) =>
      findOrders(box.id, connection, machine, {
        scripts,
        records,
        look: () => Promise.resolve(null),
      }),
    sweeps: (_boxId, runs) => Promise.resolve(sweepsIn(runs)),
    outside: (_boxId, runs, results) =>
      findOutside(connection, runs, results, { scripts, profile, others: { kept: [], unseen } }),
    // Only the app knows of linked providers; here nothing is ended.
    instanceOf: () => null,
    hostKeyOf: (boxId) => trustedKeyOf(database.hostKeys, boxId),
    factsOf: () => profile,
    proofHoldsMs: () => PROOF_HOLDS_MIN.usual * 60_000,
    proofNeeds: () => needs,
    monoMs: () => performance.now(),
  });
}

const sweepsIn = (runs: readonly LaunchedRun[]): readonly FoundSweep[] =>
  [...new Set(runs.flatMap(({ sweep }) => sweep?.id ?? []))].map((id) => ({
    ...{ id, name: id, cells: 0, open: [], which: [], away: [] },
    because: 'The command line sees one box: the window holds it against its roster.',
  }));
