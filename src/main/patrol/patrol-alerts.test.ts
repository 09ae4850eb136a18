import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Alert } from '../../shared/alerts/alert.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import type { Box } from '../../shared/boxes/box.ts';
import type { DetectorId, Subject } from '../../shared/detectors/finding.ts';
import { foldReadings, type LatestFigures } from '../../shared/telemetry/latest-figures.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import type { AlertNews } from '../../shared/news/kinds/alert-news.ts';
import { Alerts } from '../alerts/alerts.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { ReachedRoster } from '../boxes/box-roster.fixture.ts';
import { eventually, FAST, startTestBox } from '../demo/demo-box.fixture.ts';
import type { DemoBox } from '../demo/demo-box.ts';
import { reading } from '../../shared/detectors/box.fixture.ts';
import { LIVE } from '../../shared/detectors/cases.fixture.ts';
import { shippedCatalog } from '../gotchas/gotchas.fixture.ts';
import { FindingsWatch } from '../detectors/findings-watch.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { shippedWatched } from '../profiles/profiles.fixture.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { Source } from '../streams/source.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { patrolBox } from './patrol-box.ts';
import { PatrolWatch } from './patrol-watch.ts';

// A real demo box over real SSH, looked at by the patrol itself; what it finds must open an alert, and ring.

const ID = 'b7b7f0de-1111-4222-8333-444455556666';
const data = mkdtempSync(join(tmpdir(), 'leasehold-patrol-alerts-'));

let demo: DemoBox;
let box: Box;
let connection: SshConnection | null = null;
let database: Database;
let hub: StreamHub;
let roster: BoxRoster;
let patrols: PatrolWatch;
let findings: FindingsWatch;
let figures: LatestFigures | null = null;
let alerts: Alerts;
const news: AlertNews[] = [];

async function connect(): Promise<void> {
  const opened = await openConnection({
    address: demo.address,
    credentials: [{ kind: 'key', privateKey: demo.clientKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  connection = opened.value;
}

async function look(): Promise<void> {
  expect(await patrols.now(ID)).toEqual({ ok: true, value: null });
}

let open: readonly Alert[] = [];
const alertOf = (id: DetectorId, subject: Subject['kind']): Alert | undefined =>
  open.find(({ finding }) => finding.detector === id && finding.subject.kind === subject);

const unexpected = (found: { readonly message: string }): never => {
  throw new Error(found.message);
};

/** As the app does at its start. */
function startApp(): void {
  hub = new StreamHub();
  roster = new ReachedRoster(hub, () => connection);
  patrols = new PatrolWatch({
    hub,
    roster,
    figures: { follow: () => () => undefined },
    figuresOf: () => figures,
    watchedOn: shippedWatched,
    scripts: onboxScripts,
    dataFolder: data,
    everyMs: () => 300_000,
    upMs: () => performance.now(),
    onProblem: unexpected,
    log: { warn: (message) => unexpected({ message }) },
  });
  findings = new FindingsWatch({
    hub,
    roster,
    readings: new Source(),
    facts: new Source(),
    patrols: patrols.parts,
    needCatalog: () => findings.useCatalog(shippedCatalog()),
  });
  alerts = new Alerts({
    hub,
    roster,
    findings: findings.findings,
    table: database.alerts,
    onNews: (each) => news.push(each),
    onOver: () => undefined,
    onProblem: unexpected,
  });
  alerts.changes.follow(({ value }) => (open = value ?? []));
  roster.put(untouchedEntry(box));
  roster.change(ID, {
    link: { kind: 'up', sinceMs: Date.now(), latencyMs: null },
    telemetry: LIVE,
  });
}

/**
 * Looks until a run and its log are there: the one before may have been ended by a fault, and the next begins by itself. Of one that was only
 * seen as it began nothing is known, and nothing could be told of its end.
 */
async function untilOneRuns(): Promise<void> {
  let isSeen = false;
  const stop = patrols.parts.follow(({ value: { seen } }) => {
    isSeen = seen?.runs.some(({ log }) => log !== null) ?? isSeen;
  });
  await eventually(look, () => isSeen);
  stop();
}

async function quitApp(): Promise<void> {
  await patrols.close();
  alerts.close();
  findings.close();
  hub.dispose();
}

beforeAll(async () => {
  demo = await startTestBox({ tuning: FAST });
  await connect();
  box = {
    ...USUAL_WAY,
    id: ID,
    name: 'train-a',
    platform: 'demo',
    address: demo.address,
    tags: [],
    addedAtMs: 0,
  };
  database = openTemporaryDatabase();
  database.boxes.add(box);
  startApp();
});
afterAll(async () => {
  await quitApp();
  database.close();
  connection?.close();
  await demo.stop();
  rmSync(data, { recursive: true, force: true });
});

/** Looks until this is told, as the patrol does on its cadence. */
function told(id: DetectorId, subject: Subject['kind']): Promise<Alert | undefined> {
  return eventually(
    async () => {
      await look();
      return alertOf(id, subject);
    },
    (alert) => alert?.finding.notSeenBecause === null,
  );
}

const over = (id: DetectorId, subject: Subject['kind']): Promise<Alert | undefined> =>
  eventually(
    async () => {
      await look();
      return alertOf(id, subject);
    },
    (alert) => alert === undefined || alert.finding.isEvent === true,
  );

it.each([
  ['disk-full', 'U6', 'mount', /home is full\.$/],
  ['inodes-full', 'U7', 'mount', /home: no inode is left\.$/],
  ['cgroup-oom', 'U9', 'box', /^The kernel ended a process for want of host memory/],
  ['reboot', 'GEN6', 'box', /^The box was rebooted, and a run went with it\.$/],
] as const)('%s opens an alert and rings: %s', async (fault, id, subject, headline) => {
  await eventually(look, () => alertOf(id, subject)?.finding.notSeenBecause !== null);
  // A reboot that takes no run along is no loss, and a run that no look has seen is not missed.
  if (fault === 'reboot' || fault === 'disk-full') await untilOneRuns();
  news.length = 0;
  expect(await demo.setFault(fault, true)).toMatchObject({ ok: true });
  if (fault === 'reboot') {
    await connection?.closed;
    await connect();
  }
  const alert = await told(id, subject);
  expect(alert?.finding).toMatchObject({
    severity: 'critical',
    headline: expect.stringMatching(headline) as string,
  });
  // The next save ends it, perhaps while the looks above went on: then it is told as what happened, and not as what is.
  if (fault === 'disk-full') {
    const telling = () =>
      open.filter(
        ({ finding: { subject, clues } }) =>
          subject.kind === 'run' &&
          clues.some((clue) => clue.kind === 'line' && clue.line.includes('No space left')),
      );
    await eventually(look, () => telling().length > 0);
    // One cause, one alert: that its log says so is no second one. Where the next run has begun by itself it is the log's that is told.
    const runs = telling().map(({ finding: { subject } }) => subject.kind === 'run' && subject.pid);
    expect(new Set(runs).size).toBe(runs.length);
    expect(telling()[0]?.finding.clues).toContainEqual({
      kind: 'line',
      line: expect.stringContaining('No space left on device') as string,
      file: expect.stringMatching(/train\.log$/) as string,
      atMs: expect.any(Number) as number,
    });
  }
  const rung = news.flatMap(({ alerts: each }) => each.map(({ finding }) => finding.detector));
  expect(rung).toContain(id);
  expect(await demo.setFault(fault, false)).toMatchObject({ ok: true });
  const after = await over(id, subject);
  // What lasted is over; what happened is not, until somebody says so.
  expect(after?.finding.isEvent ?? false).toBe(fault === 'cgroup-oom' || fault === 'reboot');
});

it('tells what the command line found while no window was open, and tells it once', async () => {
  await quitApp();
  expect(await demo.setFault('cgroup-oom', false)).toMatchObject({ ok: true });
  if (connection === null) throw new Error('not connected');
  const cron = {
    connection,
    boxId: ID,
    beside: { ...shippedWatched(null), isGpuWorking: null },
    fellIdleAtMs: null,
    hasAlerts: false,
  };
  const patrolled = () => patrolBox(cron, { scripts: onboxScripts, dataFolder: data });
  expect(await patrolled()).toMatchObject({ ok: true });
  expect(await demo.setFault('cgroup-oom', true)).toMatchObject({ ok: true });
  await eventually(patrolled, (ran) => ran.ok && ran.value.memory.untold.length > 0);
  await patrolled();
  news.length = 0;
  startApp();
  await look();
  const rung = () =>
    news.flatMap(({ alerts: each }) => each.map(({ finding }) => finding.detector));
  expect(rung()).toContain('U9');
  await look();
  await look();
  expect(rung().filter((id) => id === 'U9')).toHaveLength(1);
  expect(alertOf('U9', 'box')?.finding.notSeenBecause).toMatch(/^it happened between two checks/);
});

it('takes the live readings for a sign of life where a log is silent', async () => {
  let log: string | null = null;
  const stop = patrols.parts.follow(({ value: { seen } }) => {
    log = seen?.runs[0]?.log?.path ?? log;
  });
  expect(await demo.setFault('frozen-log', true)).toMatchObject({ ok: true });
  await eventually(look, () => log !== null);
  const longAgoS = Date.now() / 1000 - 1200;
  utimesSync(log ?? '', longAgoS, longAgoS);
  const works = (smPct: number): void => {
    figures = foldReadings(0, [reading({ smPct: 90 }), reading({ index: 1, smPct })]);
  };
  const words = (): readonly string[] => {
    const silent = findings.state.boxes[ID]?.findings.find(({ detector }) => detector === 'U43');
    return (silent?.clues ?? []).flatMap((each) => (each.kind === 'line' ? [each.line] : []));
  };
  // One of the cards rests, and nobody knows whether it is the run's own.
  works(0);
  await look();
  expect(words()).not.toContain('the GPU works');
  works(80);
  await look();
  expect(words()).toContain('the GPU works');
  expect(news.flatMap((each) => each.alerts.map(({ finding }) => finding.detector))).not.toContain(
    'U43', // a note is not rung
  );
  stop();
  expect(await demo.setFault('frozen-log', false)).toMatchObject({ ok: true });
});

it('says from which log a line is, and keeps what happened over a restart until somebody says that it is over', async () => {
  const oom = alertOf('U9', 'box');
  const [, killed] = oom?.finding.clues ?? [];
  expect(killed).toMatchObject({ kind: 'line', file: 'kernel log' });
  await quitApp();
  startApp();
  await look();
  const id = alertOf('U9', 'box')?.id ?? '';
  expect(id).toBe(oom?.id);
  expect(alertOf('U9', 'box')?.finding.notSeenBecause).toMatch(/^it happened between two checks/);
  expect(alerts.dismiss(ID, id)).toEqual({ ok: true, value: null });
  await look();
  expect(alertOf('U9', 'box')).toBeUndefined();
});
