import { beforeEach, describe, expect, it } from 'vitest';
import { isToBeTold, afterTelling, advance } from '../alerts/advance.ts';
import { changeAlerts, EMPTY_BOOK, takeReport, type AlertBook } from '../alerts/alert-book.ts';
import { alertSchema } from '../alerts/alert-schema.ts';
import { alertAt, BOX, newId } from '../alerts/alert.fixture.ts';
import type { Alert } from '../alerts/alert.ts';
import { alertText } from '../alerts/alert-text.ts';
import { sampleGotcha } from '../gotchas/catalog.fixture.ts';
import { MAX_GONE, type GoneRun, type PatrolState } from '../patrol/patrol-state.ts';
import { problem } from '../problem.ts';
import { tellFindings } from './alert-words.ts';
import { BoxDetectors } from './box-detectors.ts';
import { LIVE } from './cases.fixture.ts';

const MIN = 60_000;
const said = (headline: string) => ({ short: null, headline, means: null, fix: null });
const alert = {
  short: 'run gone',
  commands: [],
  says: {
    'disk-full': said('Run crashed: the disk was full.'),
    'not-proven': said('Run stopped – cause unknown.'),
  },
  phrases: {},
};
const CATALOG = new Map([['U3', sampleGotcha({ id: 'U3', alert })]]);

function goneRun(pid: number, atMs: number, part: Partial<GoneRun> = {}): GoneRun {
  return {
    key: `${String(pid)}/500 ${String(atMs)}`,
    bootId: 'b1',
    pid,
    startTicks: 500,
    command: `python train.py --cell ${String(pid)}`,
    folder: '/work',
    user: 'me',
    sinceMs: 0,
    holdsGpu: true,
    lastSeenMs: atMs - 5 * MIN,
    missedMs: atMs,
    cause: 'disk-full',
    steps: [{ cause: 'disk-full', verdict: 'proven', because: 'OSError: No space left' }],
    failure: null,
    alike: [],
    twins: [],
    tmuxSession: null,
    workedUntilMs: null,
    log: null,
    lastLines: [],
    checkpoint: null,
    ...part,
  };
}

let box: BoxDetectors;
let book: AlertBook;
let told: readonly Alert[];

/** A look at that minute, through all that follows an alert; `told` is what the person hears of it. */
function look(minute: number, gone: readonly GoneRun[], part: Partial<PatrolState> = {}): void {
  const atMs = minute * MIN;
  const seen = { atMs, took: null, uptimeS: 900, runs: [], memoryShare: null, unread: [] };
  box.usePatrol({ seen: { ...seen, isWhole: true }, failed: null, gone, ...part });
  box.judge(atMs);
  book = takeReport(book, tellFindings(box.findings, CATALOG), newId);
  told = book.open.filter(isToBeTold);
  book = changeAlerts(book, (alert) => (isToBeTold(alert) ? afterTelling(alert) : alert));
}
const pidsOf = (alerts: readonly Alert[]): readonly (number | null)[] =>
  alerts.flatMap(({ finding: { detector, subject } }) =>
    detector === 'U3' ? [subject.kind === 'run' ? subject.pid : null] : [],
  );

beforeEach(() => {
  box = new BoxDetectors();
  box.useTelemetry(LIVE);
  [book, told] = [EMPTY_BOOK, []];
});

describe('runs that are gone', () => {
  it('are told each for itself: an old crash that is put off hides no new death', () => {
    look(5, [goneRun(41, 5 * MIN)]);
    expect(pidsOf(told)).toEqual([41]);
    book = changeAlerts(book, (alert) =>
      advance(alert, { kind: 'snooze', atMs: 6 * MIN, untilMs: 600 * MIN }),
    );
    look(10, [goneRun(41, 5 * MIN)]);
    expect(told).toEqual([]);
    look(15, [goneRun(42, 15 * MIN), goneRun(41, 5 * MIN)]);
    expect(pidsOf(told)).toEqual([42]);
    expect(book.open.map(({ stage }) => stage.kind)).toEqual(['snoozed', 'open']);
  });

  it('are over one by one, when the person is done with each', () => {
    const all = [41, 42, 43].map((pid) => goneRun(pid, 5 * MIN));
    look(5, all);
    expect(pidsOf(book.open)).toEqual([41, 42, 43]);
    look(10, all.slice(1));
    expect([pidsOf(book.open), pidsOf(book.resolved)]).toEqual([[42, 43], [41]]);
    look(15, []);
    expect(pidsOf(book.open)).toEqual([]);
  });

  it('stay while nobody can tell whether they are still remembered', () => {
    const all = [goneRun(41, 5 * MIN), goneRun(42, 5 * MIN)];
    look(5, all);
    const failed = {
      atMs: 0,
      tookMs: 1,
      times: 1,
      problem: problem('link-lost', 'The link broke.'),
    };
    look(10, [], { failed });
    box.useTelemetry({ kind: 'off' });
    look(15, []);
    expect(pidsOf(book.open)).toEqual([41, 42]);
    expect(book.open.map(({ finding }) => finding.notSeenBecause)).toEqual(
      Array(2).fill('the box is not connected'),
    );
    box.useTelemetry(LIVE);
    // More than are remembered: the one that fell out may still be gone.
    look(
      20,
      Array.from({ length: MAX_GONE }, (_, i) => goneRun(100 + i, 20 * MIN)),
    );
    expect(pidsOf(book.open).slice(0, 2)).toEqual([41, 42]);
  });

  it('are what they were over a restart, and end what an older Leasehold told of all of them as one', () => {
    const older = alertSchema.parse(
      JSON.parse(JSON.stringify(alertAt(4 * MIN, { detector: 'U3', subject: BOX }))),
    );
    book = { open: [older], resolved: [] };
    look(5, [goneRun(41, 5 * MIN)]);
    expect([pidsOf(book.open), pidsOf(book.resolved)]).toEqual([[41], [null]]);
    const [kept] = book.open.map((alert) => alertSchema.parse(JSON.parse(JSON.stringify(alert))));
    if (kept === undefined) throw new Error('no alert is open');
    box = new BoxDetectors();
    box.useTelemetry(LIVE);
    book = { open: [kept], resolved: [] };
    look(10, [goneRun(41, 5 * MIN)]);
    expect(book.open.map(({ id }) => id)).toEqual([kept.id]);
    expect(told).toEqual([]);
  });

  it('are told by what is proven: a death of unknown cause is no crash', () => {
    look(5, [goneRun(41, 5 * MIN), goneRun(42, 5 * MIN, { cause: null, steps: [] })]);
    const words = told.map((alert) => [alertText('train-a', [alert]), alert.finding.severity]);
    expect(words).toMatchObject([
      [{ title: 'train-a: Run crashed: the disk was full' }, 'critical'],
      [{ title: 'train-a: Run stopped – cause unknown' }, 'warn'],
    ]);
  });
});
