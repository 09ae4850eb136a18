import { catalogOf } from '../../../shared/detectors/alert-words.ts';
import { alertNews } from '../../../shared/news/kinds/alert-news.ts';
import { sentinelNews } from '../../../shared/news/kinds/sentinel-news.ts';
import { marksOfLastSpan } from '../../../shared/telemetry/alert-marks.ts';
import { Alerts } from '../../alerts/alerts.ts';
import { FindingsWatch } from '../../detectors/findings-watch.ts';
import { readInstant } from '../../meter/instant.ts';
import { forgetOthers } from '../../patrol/memory-file.ts';
import { PatrolWatch } from '../../patrol/patrol-watch.ts';
import { GpuHolders } from '../../processes/gpu-holders.ts';
import { PushWaiters } from '../../push/push-waiters.ts';
import { PushTargets } from '../../push/push-targets.ts';
import { forgetOtherBooks } from '../../sentinels/sentinel-file.ts';
import { SentinelWatch } from '../../sentinels/sentinel-watch.ts';
import { FiguresWatch } from '../../telemetry/figures-watch.ts';
import { SparkWatch } from '../../telemetry/spark-watch.ts';
import { Telemetry } from '../../telemetry/telemetry.ts';
import { Webhook } from '../../webhook/webhook.ts';
import { Closer } from '../closer.ts';
import type { LateHandlers } from '../endpoints.ts';
import { historyHandlers } from '../history-handlers.ts';
import { systemProxies } from '../system-proxies.ts';
import type { Access } from './access.ts';
import type { GatedChannel, Ground, Wing } from './wing.ts';

export interface Watching extends Wing {
  readonly handlers: Pick<LateHandlers, WatchingChannel>;
  readonly telemetry: Telemetry;
  readonly patrols: PatrolWatch;
  readonly findings: FindingsWatch;
  readonly alerts: Alerts;
  readonly sentinels: SentinelWatch;
  readonly webhook: Webhook;
  readonly pushTargets: PushTargets;
  readonly pushWaiters: PushWaiters;
  readonly gpuHolders: GpuHolders;
}

type WatchingChannel = Exclude<
  Extract<
    keyof LateHandlers,
    `${'alerts' | 'gpu-holders' | 'history' | 'patrol' | 'push' | 'sentinels' | 'webhook'}:${string}`
  >,
  GatedChannel
>;

/** What looks at boxes and finds out what is the matter with them, and where that is told. */
export function openWatching(ground: Ground, { secrets }: Access): Watching {
  const { hub, settings, roster, database, folders, log, scripts, gotchas, news } = ground;
  const { reportProblem: onProblem } = ground;
  const { redactor } = log;
  const closer = new Closer();
  const telemetry = new Telemetry({
    hub,
    table: database.history,
    refusals: database.refusals,
    scripts,
    log: log.child('telemetry'),
    onProblem,
  });
  closer.add(() => telemetry.close());
  const { readings, facts } = telemetry;
  const figures = new FiguresWatch({ hub, roster, readings });
  closer.add(() => figures.close());
  const sparks = new SparkWatch({
    hub,
    roster,
    figures: figures.figures,
    pastOf: (...range) => telemetry.loadByMinute(...range),
  });
  closer.add(async () => {
    sparks.close();
    await sparks.settled();
  });
  const patrols = new PatrolWatch({
    hub,
    roster,
    figures: figures.figures,
    figuresOf: (boxId) => figures.currentOf(boxId),
    watchedOn: ground.profiles.watchedOn,
    scripts,
    dataFolder: folders.data,
    everyMs: () => settings.current().patrolEveryMin * 60_000,
    upMs: () => readInstant().upMs,
    onProblem,
    log: log.child('patrol'),
  });
  closer.add(() => patrols.close());
  closer.add(settings.onChange(() => patrols.settingsChanged()));
  const findings = new FindingsWatch({
    hub,
    roster,
    readings,
    facts,
    patrols: patrols.parts,
    needCatalog: () => void gotchas.list(),
  });
  closer.add(() => findings.close());
  closer.add(gotchas.reads.follow((read) => findings.useCatalog(catalogOf(read))));
  const alerts = new Alerts({
    hub,
    roster,
    findings: findings.findings,
    table: database.alerts,
    onNews: (found) => news.tell(alertNews, found),
    onOver: (boxId, alert) => telemetry.mark(boxId, marksOfLastSpan(alert)),
    onProblem,
  });
  closer.add(() => alerts.close());
  const sentinels = new SentinelWatch({
    hub,
    roster,
    scripts,
    dataFolder: folders.data,
    redact: redactor.redact,
    onProblem,
    onNews: (came) => {
      news.tell(sentinelNews, came);
      // Why a run ended, a patrol says.
      const isProcess = came.kind === 'over' && came.over.awaited.kind === 'process';
      if (isProcess && came.over.end === 'happened') void patrols.now(came.box.id);
    },
  });
  closer.add(() => sentinels.close());
  const webhook = new Webhook({
    hub,
    entries: database.entries,
    secrets,
    redactor,
    settings,
    findProxies: systemProxies,
    onProblem,
  });
  closer.add(() => webhook.close());
  const gpuHolders = new GpuHolders({ roster, scripts });
  closer.add(() => gpuHolders.close());
  const pushTargets = new PushTargets({ webhook, secrets, redactor });
  const pushWaiters = new PushWaiters({
    roster,
    nameOf: (boxId) => roster.boxOf(boxId)?.name ?? 'a box',
    runOf: (boxId, process) => patrols.runOf(boxId, process),
    targets: pushTargets,
    scripts,
    redact: redactor.redact,
    onProblem,
  });
  closer.add(() => pushWaiters.close());
  return {
    telemetry,
    patrols,
    findings,
    alerts,
    sentinels,
    webhook,
    pushTargets,
    pushWaiters,
    gpuHolders,
    handlers: {
      ...historyHandlers({ telemetry, roster, chooseFile: ground.desktop.chooseFile }),
      'patrol:now': ({ boxId }) => patrols.now(boxId),
      'patrol:dismiss': ({ boxId, key }) => patrols.dismiss(boxId, key),
      'alerts:seen': ({ boxId }) => alerts.seen(boxId),
      'alerts:snooze': ({ boxId, alertId, untilMs }) => alerts.snooze(boxId, alertId, untilMs),
      'alerts:dismiss': ({ boxId, alertId }) => alerts.dismiss(boxId, alertId),
      'sentinels:arm': ({ boxId, awaited, forMs }) => sentinels.arm(boxId, awaited, forMs),
      'sentinels:remove': ({ boxId, id }) => sentinels.remove(boxId, id),
      'gpu-holders:look': ({ boxId }) => gpuHolders.look(boxId),
      'push:look': ({ boxId }) => pushWaiters.look(boxId),
      'push:plan': ({ boxId, ...wanted }) => pushWaiters.plan(boxId, wanted),
      'push:test': ({ boxId, plan }) => pushWaiters.test(boxId, plan),
      'push:arm': ({ boxId, plan }) => pushWaiters.arm(boxId, plan),
      'push:end': ({ boxId, id }) => pushWaiters.end(boxId, id),
      'webhook:set': (wanted) => webhook.set(wanted),
      'webhook:forget': () => webhook.forget(),
      'webhook:test': () => webhook.test(),
    },
    wake: () => {
      alerts.look();
      patrols.wake();
      sentinels.wake();
      webhook.look();
    },
    sweep: (listed) => {
      for (const forget of [forgetOthers, forgetOtherBooks]) {
        void forget(folders.data, listed).then((swept) => {
          if (!swept.ok) onProblem(swept.error);
        });
      }
    },
    close: () => closer.close(),
  };
}
