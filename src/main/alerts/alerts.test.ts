import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findingAt, gpu, reportAt } from '../../shared/alerts/alert.fixture.ts';
import { COUNTED_GAP_MS, type Alert } from '../../shared/alerts/alert.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import type { BoxFindings } from '../../shared/detectors/box-findings.ts';
import type { Finding } from '../../shared/detectors/finding.ts';
import { alertNews, type AlertNews } from '../../shared/news/kinds/alert-news.ts';
import type { NewsWords } from '../../shared/news/news.ts';
import type { Problem } from '../../shared/problem.ts';
import type { FindingsDelta } from '../../shared/streams/findings-stream.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { Source } from '../streams/source.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { Alerts } from './alerts.ts';

const MIN = 60_000;
const CLIENT = 1;
const BOX: Box = {
  id: 'b7b7f0de-1111-4222-8333-444455556666',
  name: 'train-a',
  platform: 'generic-ssh',
  address: { host: '192.0.2.7', port: 22, user: 'root' },
  ...USUAL_WAY,
  tags: [],
  addedAtMs: 0,
};

let database: Database;
let hub: StreamHub;
let roster: BoxRoster;
let findings: Source<FindingsDelta>;
let alerts: Alerts;
let news: (AlertNews & { readonly text: NewsWords | null })[];
let over: Alert[];
let problems: Problem[];

function start(): void {
  hub = new StreamHub();
  hub.addClient(CLIENT, () => undefined);
  roster = new BoxRoster(hub);
  findings = new Source();
  alerts = new Alerts({
    hub,
    roster,
    findings,
    table: database.alerts,
    onNews: (each) => news.push({ ...each, text: alertNews.words(each, Date.now()) }),
    onOver: (_boxId, alert) => over.push(alert),
    onProblem: (found) => problems.push(found),
  });
  put();
}

function put(box = BOX): void {
  const state = {
    link: { kind: 'idle' },
    telemetry: { kind: 'off' },
    flavour: { kind: 'unknown' },
    gpus: null,
    load: null,
  } as const;
  roster.put({ box, ...state });
}

function quit(): void {
  alerts.close();
  // What every source of findings says when Leasehold quits.
  findings.tell({ boxId: BOX.id, findings: null });
  hub.dispose();
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2025-11-21T12:00:00Z') });
  database = openTemporaryDatabase();
  database.boxes.add(BOX);
  [news, over, problems] = [[], [], []];
  start();
});
afterEach(() => {
  quit();
  database.close();
  expect(problems).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const later = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
function tell(part: Partial<BoxFindings>, boxId = BOX.id): void {
  findings.tell({ boxId, findings: reportAt(Date.now(), part) });
}
const found = (part: Partial<Finding> = {}, boxId = BOX.id): void =>
  tell({ findings: [findingAt(Date.now(), part)] }, boxId);
const clear = (): void => tell({ clear: [{ subject: gpu(0), detectors: ['U23'] }] });

function stateOf(stream: 'alerts' | 'alert-log', key: string): unknown {
  const opened = hub.open(CLIENT, stream, key);
  if (!opened.ok) throw new Error(opened.error.message);
  hub.close(CLIENT, opened.value.subscription);
  return opened.value.state;
}
const open = (boxId = BOX.id): readonly Alert[] =>
  (stateOf('alerts', '') as { boxes: Record<string, readonly Alert[]> }).boxes[boxId] ?? [];
/** As a window that opens it a second time finds it. */
function log(): readonly Alert[] {
  stateOf('alert-log', BOX.id);
  return stateOf('alert-log', BOX.id) as readonly Alert[];
}
function first(): Alert {
  const [alert] = open();
  if (alert === undefined) throw new Error('no alert is open');
  return alert;
}

describe('the alerts of a box', () => {
  it('are opened by what is found, told once, and ended by a clear answer with a mark', async () => {
    found();
    expect(open()).toMatchObject([{ stage: { kind: 'open' }, told: 'warn' }]);
    expect(news).toMatchObject([
      { box: { name: 'train-a' }, text: { title: 'train-a: GPU 0 is held at 50 % of its clock' } },
    ]);
    await later(10_000);
    found();
    expect(news).toHaveLength(1);
    await later(10_000);
    clear();
    expect(open()).toEqual([]);
    expect(over).toMatchObject([{ spans: [{ toMs: Date.now() }] }]);
    expect(log()).toMatchObject([{ stage: { kind: 'resolved', by: 'check' } }]);
  });

  it('are followed for a box that is not stored, as long as Leasehold runs', async () => {
    const other = { ...BOX, id: 'b7b7f0de-2222-4222-8333-444455556666' };
    put(other);
    found({}, other.id);
    tell({ clear: [{ subject: gpu(0), detectors: ['U23'] }] }, other.id);
    await later(MIN);
    stateOf('alert-log', other.id);
    expect(stateOf('alert-log', other.id)).toHaveLength(1);
    roster.remove(other.id);
    expect(open(other.id)).toEqual([]);
    expect(hub.has('alert-log', other.id)).toBe(false);
    put();
    found();
    found({}, other.id);
    expect(open()).toHaveLength(1);
  });

  it('outlive a restart: open stays open, with its beginning, until a check has looked', async () => {
    found();
    const before = first();
    await later(MIN);
    found();
    quit();
    await later(8 * 60 * MIN);
    start();
    expect(first()).toMatchObject({
      id: before.id,
      stage: { kind: 'open' },
      finding: {
        sinceMs: before.finding.sinceMs,
        lastSeenMs: before.finding.lastSeenMs + MIN,
        notSeenBecause: 'Leasehold was closed, and the box has not been checked since',
      },
    });
    tell({
      unknown: [{ detector: 'U23', title: '', because: 'the box is not connected', gpus: [] }],
    });
    expect(first().finding.notSeenBecause).toBe('the box is not connected');
    found();
    expect(first()).toMatchObject({ id: before.id, finding: { notSeenBecause: null } });
    // It was told before, and nobody saw it while Leasehold was closed.
    expect(news).toHaveLength(1);
    expect(first().cost.seenMs).toBe(MIN);
    clear();
    expect(over).toMatchObject([{ spans: [{ fromMs: before.finding.sinceMs, toMs: Date.now() }] }]);
  });

  it('come back as the same alert soon after, also when Leasehold was started anew in between', async () => {
    found();
    const { id } = first();
    clear();
    await later(5 * MIN);
    quit();
    start();
    found();
    expect(first()).toMatchObject({ id, stage: { kind: 'open' }, spans: { length: 2 } });
    expect(log()).toEqual([]);
    expect(news).toHaveLength(1);
    clear();
    await later(COUNTED_GAP_MS);
    found();
    expect(first().id).not.toBe(id);
  });

  it('are seen by the person, put off with an end, and told again after it', async () => {
    found();
    const { id } = first();
    alerts.seen(BOX.id);
    expect(first().stage.kind).toBe('seen');
    expect(alerts.snooze(BOX.id, id, Date.now()).ok).toBe(false);
    expect(alerts.snooze(BOX.id, id, Date.now() + 32 * 24 * 60 * MIN).ok).toBe(false);
    expect(alerts.snooze(BOX.id, id, Date.now() + 60 * MIN).ok).toBe(true);
    expect(alerts.summary()).toBeNull();
    await later(59 * MIN);
    found();
    expect(news).toHaveLength(1);
    await later(MIN);
    expect(first().stage.kind).toBe('open');
    expect(news).toMatchObject([
      {},
      { text: { title: 'train-a: still there: GPU 0 is held at 50 % of its clock' } },
    ]);
    expect(alerts.summary()).toEqual({ boxId: BOX.id, text: 'train-a: warning: throttled' });
    alerts.snooze(BOX.id, id, Date.now() + 60 * MIN);
    alerts.snooze(BOX.id, id, null);
    expect(first().stage.kind).toBe('open');
  });

  it('are said to be over by the person only where no check sees them', () => {
    found();
    const { id } = first();
    expect(alerts.dismiss(BOX.id, id)).toMatchObject({ ok: false, error: { code: 'bad-input' } });
    tell({});
    expect(alerts.dismiss(BOX.id, id).ok).toBe(true);
    expect(log()).toMatchObject([{ stage: { by: 'person' } }]);
    expect(alerts.dismiss(BOX.id, id)).toMatchObject({ ok: false });
    expect(alerts.seen('b7b7f0de-9999-4222-8333-444455556666')).toMatchObject({ ok: false });
  });

  it('are told together where a report has several, the worst first', () => {
    const worse = findingAt(Date.now(), {
      detector: 'U22',
      severity: 'critical',
      headline: 'Lost.',
    });
    tell({ findings: [findingAt(Date.now()), worse] });
    expect(news).toMatchObject([
      { alerts: [{ finding: { detector: 'U22' } }, {}], text: { title: 'train-a: Lost' } },
    ]);
  });

  it('know whether the person looks at them', () => {
    expect(alerts.isLookedAt(BOX.id)).toBe(false);
    const opened = hub.open(CLIENT, 'alert-log', BOX.id);
    expect(alerts.isLookedAt(BOX.id)).toBe(true);
    hub.setPace(CLIENT, 'hidden');
    expect(alerts.isLookedAt(BOX.id)).toBe(false);
    hub.setPace(CLIENT, 'visible');
    if (opened.ok) hub.close(CLIENT, opened.value.subscription);
    expect(alerts.isLookedAt(BOX.id)).toBe(false);
  });

  it('are kept when they change, and their figures no more often than once a minute', async () => {
    const write = vi.spyOn(database.alerts, 'write');
    const refresh = vi.spyOn(database.alerts, 'refresh');
    found();
    for (let i = 0; i < 12; i += 1) {
      await later(10_000);
      found();
    }
    expect(write).toHaveBeenCalledTimes(1);
    expect(refresh).toHaveBeenCalledTimes(2);
    expect(database.alerts.open()).toMatchObject({
      value: { rows: [{ alert: { cost: { seenMs: 2 * MIN } } }] },
    });
  });

  it('are told although they cannot be kept, and the person hears of that', () => {
    const broken = { ok: false, error: { code: 'disk-full' } as Problem } as const;
    vi.spyOn(database.alerts, 'write').mockReturnValue(broken);
    found();
    expect(news).toHaveLength(1);
    expect(problems.splice(0)).toEqual([broken.error]);
    vi.restoreAllMocks();
  });
});
