import { join } from 'node:path';
import { continuousNews } from '../../../shared/news/kinds/continuous-news.ts';
import { problem } from '../../../shared/problem.ts';
import { rulesOn, type KeepRulesOf } from '../../../shared/transfer/keep-rules.ts';
import { err, ok } from '../../../shared/result.ts';
import { OwnPython } from '../../evidence/own-python.ts';
import { ReportedNumbers } from '../../evidence/reported-numbers.ts';
import type { RunsKnown } from '../../files/run-roots.ts';
import { Manifests } from '../../manifest/manifests.ts';
import { MANIFESTS } from '../../manifest/manifest-store.ts';
import { placeOfResults } from '../../../shared/transfer/result-root.ts';
import { listResults, LONG_LIST } from '../../runs/list-results.ts';
import { hashesOf } from '../../transfer/box-hashes.ts';
import type { BoxBehind } from '../../../shared/transfer/behind.ts';
import { BehindWatch } from '../../transfer/behind-watch.ts';
import { BoxPulls } from '../../transfer/box-pulls.ts';
import { ContinuousPulls } from '../../transfer/continuous/continuous-pulls.ts';
import { targetsOf } from '../../transfer/hold-target.ts';
import { NamedFolders } from '../../transfer/named-folders.ts';
import { weighFolders } from '../../transfer/weigh-folders.ts';
import { HomeCheck } from '../../transfer/home-check.ts';
import { bytesPerS, Pace } from '../../transfer/pace.ts';
import { Closer } from '../closer.ts';
import type { LateHandlers } from '../endpoints.ts';
import { evidenceHandlers } from '../evidence-handlers.ts';
import type { RunsWing } from './runs.ts';
import type { Ground, Wing } from './wing.ts';

/** Of what runs leave: it comes home, and is proven. */
export type ResultsChannel = Extract<
  keyof LateHandlers,
  | `evidence:${string}`
  | `runs:${string}-pull`
  | `runs:${string}-continuous`
  | 'runs:pull'
  | 'runs:try-pull-now'
  | 'runs:round-now'
  | 'runs:proof'
  | 'runs:results'
  | 'runs:name-folder'
  | 'runs:unname-folder'
  | 'runs:weigh-folders'
>;

export interface ResultsWing extends Wing {
  /** What the runs of a box have left, and what of it is proven. */
  readonly runs: RunsKnown;
  /** Each pull that came to its end. */
  readonly pulled: BoxPulls['pulled'];
  /** How far this computer is behind a box; null: not known. */
  readonly behindOf: (boxId: string) => BoxBehind | null;
  /** Whether what is proven still is. */
  readonly home: HomeCheck;
  readonly handlers: Pick<LateHandlers, ResultsChannel>;
}

const NOT_CONNECTED = problem('not-connected', 'The box is not connected.');

/** What runs leave: brought here, proven, and held against what is still on the box. */
export function openResults(
  { hub, roster, database, scripts, news, ...ground }: Ground,
  { watch, workers, results }: RunsWing,
): ResultsWing {
  const closer = new Closer();
  const limitOf = (): number | null => ground.settings.current().pullLimitMBps;
  const keepRules: KeepRulesOf = (boxId) => rulesOn(ground.settings.current().keepRules, boxId);
  const manifests = new Manifests({
    ...{ scripts, workers },
    folder: join(ground.folders.data, MANIFESTS),
  });
  void manifests.sweep().then((swept) => {
    if (!swept.ok) ground.reportProblem(swept.error);
  });
  const folders = new NamedFolders({
    ...{ hub, roster, scripts },
    ...{ entries: database.entries, onProblem: ground.reportProblem },
  });
  closer.add(() => folders.close());
  const pulls = new BoxPulls({
    ...{ hub, roster, scripts, workers, manifests, watch, folders, keepRules },
    profileOf: ground.profiles.profileOf,
    targets: targetsOf(ground.folders.data, process.env, process.platform),
    ...{ evidence: database.evidence, entries: database.entries },
    onProblem: ground.reportProblem,
    chooseFolder: ground.desktop.chooseFolder,
    pace: new Pace(() => bytesPerS(limitOf())),
  });
  closer.add(() => pulls.close());
  const continuous = new ContinuousPulls({
    ...{ hub, roster, scripts, watch, pulls, keepRules, pulled: pulls.pulled },
    ...{ evidence: database.evidence, entries: database.entries },
    chooseFolder: ground.desktop.chooseFolder,
    onLongFailure: (failing) => news.tell(continuousNews, failing),
    onProblem: ground.reportProblem,
  });
  closer.add(() => continuous.close());
  const behind = new BehindWatch({
    ...{ hub, roster, scripts, keepRules },
    ...{ looked: watch.looked, pulled: pulls.pulled, folders },
    ...{ evidence: database.evidence, entries: database.entries },
    onProblem: ground.reportProblem,
  });
  closer.add(() => behind.close());
  const reported = new ReportedNumbers({
    ...{ workers, evidence: database.evidence },
    proof: (boxId, runId) => pulls.proof(boxId, runId),
  });
  const python = new OwnPython({
    ...{ workers, entries: database.entries, env: process.env },
    proof: (boxId, runId) => pulls.proof(boxId, runId),
    choose: ground.desktop.chooseProgram,
    program: join(ground.folders.verify, 'python-check.py'),
  });
  closer.add(() => python.close());
  return {
    behindOf: (boxId) => behind.of(boxId),
    runs: {
      look: (boxId) => watch.lookAtAll(boxId),
      folders: (boxId) => folders.rootsOf(boxId),
      proof: (boxId, runId) => pulls.proof(boxId, runId),
      list: (boxId, folder, walk) => {
        const connection = roster.connectionOf(boxId);
        const at = { folder, results: folder };
        return connection === null
          ? Promise.resolve(err(NOT_CONNECTED))
          : listResults(connection, scripts, at, {
              ...{ bounds: LONG_LIST, tellsLinks: true, ...walk },
            });
      },
      hash: (boxId, folder, paths) => {
        const connection = roster.connectionOf(boxId);
        return connection === null
          ? Promise.resolve(err(NOT_CONNECTED))
          : hashesOf(connection, { scripts, folder, paths });
      },
    },
    pulled: pulls.pulled,
    home: new HomeCheck(workers, database.evidence),
    handlers: {
      ...evidenceHandlers({
        ...{ roster, reported, python, evidence: database.evidence },
        chooseFile: ground.desktop.chooseFile,
      }),
      'runs:plan-pull': ({ boxId, id }) => pulls.plan(boxId, id),
      'runs:pull': ({ boxId, plan, left }) => pulls.pull(boxId, plan, left),
      'runs:stop-pull': ({ boxId }) => pulls.stop(boxId),
      'runs:pause-pull': ({ boxId }) => pulls.pause(boxId),
      'runs:resume-pull': ({ boxId }) => pulls.resume(boxId),
      'runs:try-pull-now': ({ boxId }) => {
        pulls.tryNow(boxId);
        return ok(null);
      },
      'runs:plan-continuous': ({ boxId, id }) => continuous.plan(boxId, id),
      'runs:start-continuous': ({ boxId, plan, everyMin, limitMBps }) =>
        continuous.start(boxId, plan, { everyMin, limitMBps }),
      'runs:stop-continuous': ({ boxId, id }) => continuous.stop(boxId, id),
      'runs:round-now': ({ boxId, id }) => {
        continuous.roundNow(boxId, id);
        return watch.look(boxId).then((looked) => (looked.ok ? ok(null) : looked));
      },
      'runs:results': ({ boxId, id }) => {
        const root = folders.root(boxId, id);
        if (root === null) return results(boxId, id);
        const connection = roster.connectionOf(boxId);
        return connection === null
          ? Promise.resolve(err(NOT_CONNECTED))
          : listResults(connection, scripts, placeOfResults(root));
      },
      'runs:name-folder': ({ boxId, folder }) => folders.add(boxId, folder),
      'runs:unname-folder': ({ boxId, id }) => folders.remove(boxId, id),
      'runs:weigh-folders': ({ boxId, folders: which }) => {
        const connection = roster.connectionOf(boxId);
        return connection === null
          ? Promise.resolve(err(NOT_CONNECTED))
          : weighFolders(connection, scripts, which);
      },
      'runs:proof': ({ boxId, id }) => pulls.proof(boxId, id),
    },
    close: () => closer.close(),
  };
}
