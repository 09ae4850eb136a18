import { join } from 'node:path';
import type { Problem } from '../../../shared/problem.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Interruptions } from '../../../shared/runs/checkpoints/interruptions.ts';
import { isOver } from '../../../shared/runs/launch/launched-run.ts';
import { runNews } from '../../../shared/news/kinds/run-news.ts';
import { knownBox } from '../../runs/known-box.ts';
import { knownInterruptions } from '../../runs/known-interruptions.ts';
import { LogReader } from '../../runs/log-reader.ts';
import { Notices } from '../../runs/notices.ts';
import { QueueEditor } from '../../runs/queue/queue-editor.ts';
import { RehearsalRunner } from '../../runs/request/rehearsal-runner.ts';
import { RequestFiles } from '../../runs/request/request-files.ts';
import { RunLauncher } from '../../runs/run-launcher.ts';
import { RunWatch } from '../../runs/run-watch.ts';
import { checkSweepIn } from '../../runs/sweep/read-sweep.ts';
import { SweepLauncher } from '../../runs/sweep/sweep-launcher.ts';
import { SweepWatch } from '../../runs/sweep/sweep-watch.ts';
import { BoxPushes } from '../../transfer/box-pushes.ts';
import { keepMeasured } from '../../transfer/measured-pushes.ts';
import { LOCAL_HASHES, LocalHashes } from '../../transfer/local-hashes.ts';
import { Workers } from '../../workers/workers.ts';
import { Closer } from '../closer.ts';
import { fileNameOf, savePicture, saveWhole } from '../save-picture.ts';
import type { LateHandlers } from '../endpoints.ts';
import type { MoneyWing } from './money.ts';
import type { ResultsChannel } from './results.ts';
import type { Watching } from './watching.ts';
import type { GatedChannel, Ground, Wing } from './wing.ts';

/** The rest of `runs:` is of what they leave. */
export interface RunsWing extends Wing {
  readonly watch: RunWatch;
  readonly sweeps: SweepWatch;
  /** One pool for all that is heavy: sweeps that a box tells, and results that came home. */
  readonly workers: Workers;
  /** Which files lie where a run has its results. */
  readonly results: RunLauncher['results'];
  readonly end: RunLauncher['end'];
  readonly handlers: Pick<
    LateHandlers,
    Exclude<Extract<keyof LateHandlers, `runs:${string}`>, ResultsChannel | GatedChannel>
  >;
}

/** What a person has a box run. Each act was shown before, and is read back after. */
export function openRuns(
  { hub, roster, database, log, scripts, news, ...ground }: Ground,
  { telemetry, findings, sentinels, pushTargets, pushWaiters }: Watching,
  { meter, clocks, entries }: MoneyWing,
): RunsWing {
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
  closer.add(
    watch.looked.follow(({ boxId, value }) =>
      sentinels.runsAreOver(boxId, new Set(value.runs.filter(isOver).map(({ id }) => id))),
    ),
  );
  const hashes = new LocalHashes(join(ground.folders.data, LOCAL_HASHES));
  const pushes = new BoxPushes({
    ...{ hub, scripts, hashes },
    onMeasured: (boxId, push) => {
      const kept = keepMeasured(entries, boxId, push);
      if (!kept.ok) ground.reportProblem(kept.error);
    },
  });
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
    evidence: database.evidence,
    tellsTo: () => pushTargets.usual(),
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
    notices: new Notices({
      ...{ waiters: pushWaiters, sentinels, onProblem: ground.reportProblem },
      nameOf: (boxId) => roster.boxOf(boxId)?.name ?? 'a box',
    }),
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
    ...{ roster, scripts, launcher, pushes, sweeps },
    knownBox: (boxId) => knownBox(boxId, knowing),
  });
  closer.add(() => sweepLauncher.close());
  const requests = new RequestFiles(ground.desktop);
  const interruptions = async (boxId: string): Promise<Result<Interruptions, Problem>> => {
    const ledger = meter.ledgerOf(boxId);
    if (!ledger.ok) return ledger;
    const told = clocks.entriesOf(boxId);
    const { runs, atMs } = watch.seenOf(boxId);
    return knownInterruptions(boxId, {
      ...{ folder: ground.folders.data, runs, ledger: ledger.value },
      atMs: atMs ?? Date.now(),
      profile: ground.profiles.profileOf(roster.boxOf(boxId)?.platform ?? ''),
      told: told.ok ? told.value : null,
      evidence: database.evidence,
    });
  };
  return {
    ...{ watch, sweeps },
    workers,
    results: (boxId, id) => launcher.results(boxId, id),
    end: (boxId, id, pass) => launcher.end(boxId, id, pass),
    handlers: {
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
      'runs:machine-gone': ({ boxId, id, machine }) => launcher.machineGone(boxId, id, machine),
      'runs:wish-queue': ({ boxId, id, wish }) => queues.wish(boxId, id, wish),
      'runs:add-cells': ({ boxId, id, ...added }) => queues.add(boxId, id, added),
      'runs:launch': ({ boxId, plan, overridden }) =>
        launcher.launch(boxId, plan, new Set(overridden)),
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
      'runs:interruptions': ({ boxId }) => interruptions(boxId),
    },
    wake: () => watch.wake(),
    close: () => closer.close(),
  };
}
