import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import { runNews } from '../../../shared/news/kinds/run-news.ts';
import { continuousNews } from '../../../shared/news/kinds/continuous-news.ts';
import { ReportedNumbers } from '../../evidence/reported-numbers.ts';
import type { RunsKnown } from '../../files/run-roots.ts';
import { listResults, LONG_LIST } from '../../runs/list-results.ts';
import { knownBox } from '../../runs/known-box.ts';
import { LogReader } from '../../runs/log-reader.ts';
import { QueueEditor } from '../../runs/queue/queue-editor.ts';
import { RehearsalRunner } from '../../runs/request/rehearsal-runner.ts';
import { RequestFiles } from '../../runs/request/request-files.ts';
import { RunLauncher } from '../../runs/run-launcher.ts';
import { RunWatch } from '../../runs/run-watch.ts';
import { checkSweepIn } from '../../runs/sweep/read-sweep.ts';
import { SweepLauncher } from '../../runs/sweep/sweep-launcher.ts';
import { SweepWatch } from '../../runs/sweep/sweep-watch.ts';
import { BehindWatch } from '../../transfer/behind-watch.ts';
import { BoxPulls } from '../../transfer/box-pulls.ts';
import { BoxPushes } from '../../transfer/box-pushes.ts';
import { bytesPerS, Pace } from '../../transfer/pace.ts';
import { HomeCheck } from '../../transfer/home-check.ts';
import { ContinuousPulls } from '../../transfer/continuous/continuous-pulls.ts';
import { Workers } from '../../workers/workers.ts';
import { Closer } from '../closer.ts';
import { evidenceHandlers } from '../evidence-handlers.ts';
import { fileNameOf, savePicture, saveWhole } from '../save-picture.ts';
import type { LateHandlers } from '../endpoints.ts';
import type { MoneyWing } from './money.ts';
import type { Watching } from './watching.ts';
import type { Ground, Wing } from './wing.ts';

export interface Acting extends Wing {
  /** What the runs of a box have left, and what of it is proven. */
  readonly runs: RunsKnown;
  /** Whether what is proven still is. */
  readonly home: HomeCheck;
  readonly handlers: Pick<
    LateHandlers,
    Extract<keyof LateHandlers, `${'evidence' | 'runs'}:${string}`>
  >;
}

/** What a person has a box do: runs. Each act was shown before, and is read back after. */
export function openActing(
  { hub, roster, database, log, scripts, news, ...ground }: Ground,
  { telemetry, findings }: Watching,
  { meter, clocks, entries }: MoneyWing,
): Acting {
  const closer = new Closer();
  const watch = new RunWatch({
    hub,
    roster,
    scripts,
    entries: database.entries,
    redact: log.redactor.redact,
    onOver: (over) => news.tell(runNews, over),
    onProblem: ground.reportProblem,
    cellResultsOf: (queue, index) => sweeps.resultsOf(queue, index),
  });
  closer.add(() => watch.close());
  closer.add(watch.looked.follow(({ boxId, value }) => meter.launchedAre(boxId, value.runs)));
  const pushes = new BoxPushes({ hub, scripts });
  closer.add(() => pushes.close());
  const knowing = {
    roster,
    profileOf: ground.profiles.profileOf,
    watchedOn: ground.profiles.watchedOn,
    factsOf: (boxId: string) => telemetry.factsOf(boxId),
    runsOf: (boxId: string) => watch.runsOf(boxId),
    findings,
    clocks,
    entries,
  };
  const workers = new Workers(ground.desktop.startWorker);
  closer.add(() => workers.close());
  const sweeps = new SweepWatch({
    ...{ hub, roster, scripts, watch, check: checkSweepIn(workers) },
    entries: database.entries,
    redact: log.redactor.redact,
    onProblem: ground.reportProblem,
  });
  closer.add(() => sweeps.close());
  const launcher = new RunLauncher({
    roster,
    knownBox: (boxId) => knownBox(boxId, knowing),
    scripts,
    watch,
    pushes,
    checksOfCells: (queue, names) => sweeps.checksOfCells(queue, names),
  });
  closer.add(() => launcher.close());
  const rehearsals = new RehearsalRunner({
    ...{ hub, entries: database.entries },
    approve: ground.desktop.approveRehearsal,
    redact: log.redactor.redact,
  });
  closer.add(() => rehearsals.close());
  const logs = new LogReader({ roster, scripts, redact: log.redactor.redact });
  closer.add(() => logs.close());
  const queues = new QueueEditor({ roster, scripts, watch });
  const sweepLauncher = new SweepLauncher({
    ...{ roster, scripts, launcher, sweeps },
    knownBox: (boxId) => knownBox(boxId, knowing),
  });
  closer.add(() => sweepLauncher.close());
  const limitOf = (): number | null => ground.settings.current().pullLimitMBps;
  const pulls = new BoxPulls({
    ...{ hub, roster, scripts, workers, watch },
    ...{ evidence: database.evidence, entries: database.entries },
    onProblem: ground.reportProblem,
    chooseFolder: ground.desktop.chooseFolder,
    pace: new Pace(() => bytesPerS(limitOf())),
  });
  closer.add(() => pulls.close());
  const continuous = new ContinuousPulls({
    ...{ hub, roster, scripts, watch, pulls, pulled: pulls.pulled },
    ...{ evidence: database.evidence, entries: database.entries },
    chooseFolder: ground.desktop.chooseFolder,
    onLongFailure: (failing) => news.tell(continuousNews, failing),
    onProblem: ground.reportProblem,
  });
  closer.add(() => continuous.close());
  const behind = new BehindWatch({
    ...{ hub, roster, scripts },
    ...{ looked: watch.looked, pulled: pulls.pulled },
    ...{ evidence: database.evidence, entries: database.entries },
    onProblem: ground.reportProblem,
  });
  closer.add(() => behind.close());
  const reported = new ReportedNumbers({
    ...{ workers, evidence: database.evidence },
    proof: (boxId, runId) => pulls.proof(boxId, runId),
  });
  const requests = new RequestFiles(ground.desktop);
  return {
    runs: {
      look: (boxId) => watch.look(boxId),
      proof: (boxId, runId) => pulls.proof(boxId, runId),
      list: (boxId, folder) => {
        const connection = roster.connectionOf(boxId);
        const at = { folder, results: folder };
        return connection === null
          ? Promise.resolve(err(problem('not-connected', 'The box is not connected.')))
          : listResults(connection, scripts, at, { bounds: LONG_LIST });
      },
    },
    home: new HomeCheck(workers, database.evidence),
    handlers: {
      ...evidenceHandlers({
        ...{ roster, reported, evidence: database.evidence },
        chooseFile: ground.desktop.chooseFile,
      }),
      'runs:look': ({ boxId }) => watch.look(boxId),
      'runs:open-request': () => requests.open(),
      'runs:save-request': (wanted) => requests.save(wanted),
      'runs:choose-folder': () => requests.chooseFolder(),
      'runs:stop-push': ({ boxId }) => {
        pushes.stop(boxId);
        return ok(null);
      },
      'runs:rehearse': ({ boxId, plan, sweep }) =>
        rehearsals.run(
          boxId,
          sweep === undefined
            ? launcher.rehearsalOf(boxId, plan)
            : sweepLauncher.rehearsalOf(sweep, boxId, plan),
        ),
      'runs:stop-rehearsal': ({ boxId }) => {
        rehearsals.stop(boxId);
        return ok(null);
      },
      'runs:plan': async ({ boxId, request, queue }) => {
        const judged = await requests.judge(request);
        return judged.ok ? launcher.plan(boxId, request, queue) : judged;
      },
      'runs:plan-resume': ({ boxId, id }) => launcher.planResume(boxId, id),
      'runs:decline-resume': ({ boxId, id }) => launcher.declineResume(boxId, id),
      'runs:wish-queue': ({ boxId, id, wish }) => queues.wish(boxId, id, wish),
      'runs:add-cells': ({ boxId, id, addition, cells }) =>
        queues.add(boxId, id, { addition, cells }),
      'runs:launch': ({ boxId, plan, overridden }) =>
        launcher.launch(boxId, plan, new Set(overridden)),
      'runs:end': ({ boxId, id }) => launcher.end(boxId, id),
      'runs:plan-sweep': async ({ draft, shares }) => {
        const judged = await requests.judge(draft);
        return judged.ok ? sweepLauncher.plan(draft, shares) : judged;
      },
      'runs:plan-again': ({ sweep, shares }) => sweepLauncher.planAgain(sweep, shares),
      'runs:launch-sweep': ({ sweep, plan, overridden }) =>
        sweepLauncher.launch(sweep, plan, overridden),
      'runs:reconcile': ({ sweep }) => sweeps.reconcile(sweep),
      'runs:cell-figures': ({ sweep, cells }) => sweeps.figures(sweep, cells),
      'runs:read-log': ({ boxId, id, cell, from, until }) =>
        logs.read(boxId, watch.logOf(boxId, id, cell), { from, until }),
      'runs:find-in-log': ({ boxId, id, cell, wanted }) =>
        logs.find(boxId, watch.logOf(boxId, id, cell), wanted),
      'runs:stop-finding': ({ boxId }) => {
        logs.stop(boxId);
        return ok(null);
      },
      'runs:save-picture': ({ title, png }) =>
        savePicture(ground.desktop.chooseFile, `${fileNameOf(title, 'chart')}.png`, png),
      'runs:save-values': ({ title, csv }) =>
        saveWhole(
          ground.desktop.chooseFile,
          { name: `${fileNameOf(title, 'values')}.csv`, kind: 'csv' },
          Buffer.from(csv),
        ),
      'runs:choose-metrics': ({ boxId, id, cell, source }) => {
        watch.chooseMetrics(boxId, id, cell, source);
        return ok(null);
      },
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
      'runs:proof': ({ boxId, id }) => pulls.proof(boxId, id),
      'runs:results': ({ boxId, id }) => launcher.results(boxId, id),
    },
    wake: () => watch.wake(),
    close: () => closer.close(),
  };
}
