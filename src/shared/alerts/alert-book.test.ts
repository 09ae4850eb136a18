import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoxFindings } from '../detectors/box-findings.ts';
import type { Finding, Severity } from '../detectors/finding.ts';
import { advance } from './advance.ts';
import { BOX, findingAt, gpu, newId, reportAt } from './alert.fixture.ts';
import {
  changeAlerts,
  EMPTY_BOOK,
  keyOf,
  takeReport,
  wakeDue,
  type AlertBook,
} from './alert-book.ts';
import { alertSchema } from './alert-schema.ts';
import type { Alert } from './alert.ts';

const MIN = 60_000;

const take = (book: AlertBook, report: BoxFindings): AlertBook => takeReport(book, report, newId);
const found = (atMs: number, part: Partial<Finding> = {}): BoxFindings =>
  reportAt(atMs, { findings: [findingAt(atMs, part)] });

describe('takeReport', () => {
  it('follows each check on each card as one alert', () => {
    const findings = [
      findingAt(0),
      findingAt(0, { subject: gpu(1) }),
      findingAt(0, { detector: 'U24' }),
    ];
    const book = take(EMPTY_BOOK, reportAt(0, { findings: [...findings, findingAt(0)] }));
    expect(book.open.map(({ finding }) => keyOf(finding))).toEqual([
      'U23 gpu GPU-0',
      'U23 gpu GPU-1',
      'U24 gpu GPU-0',
    ]);
    const again = take(book, reportAt(10, { findings }));
    expect(again.open.map(({ id }) => id)).toEqual(book.open.map(({ id }) => id));
  });

  it('resolves what a check found clear, and that alone', () => {
    const book = take(EMPTY_BOOK, found(0));
    const clearOf = (part: Partial<BoxFindings['clear'][number]>): AlertBook =>
      take(book, reportAt(MIN, { clear: [{ subject: gpu(0), detectors: ['U23'], ...part }] }));
    expect(clearOf({}).open).toEqual([]);
    expect(clearOf({}).resolved).toMatchObject([{ stage: { kind: 'resolved', by: 'check' } }]);
    expect(clearOf({ detectors: ['U24'] }).open).toHaveLength(1);
    expect(clearOf({ subject: gpu(1) }).open).toHaveLength(1);
    // Another card may stand in its place by now.
    expect(clearOf({ subject: gpu(0, null) }).open).toHaveLength(1);
    expect(clearOf({ subject: gpu(0, 'GPU-new') }).open).toHaveLength(1);
  });

  it('says why it is not seen: by the check, or that no check says anything', () => {
    const book = take(EMPTY_BOOK, found(0));
    const because = (part: Partial<BoxFindings>, from = book): string | null | undefined =>
      take(from, reportAt(MIN, part)).open[0]?.finding.notSeenBecause;
    expect(because({})).toBe('it has not been checked since');
    const blind = {
      detector: 'U23',
      title: '',
      because: 'the connection is down',
      gpus: [],
    } as const;
    expect(because({ unknown: [blind] })).toBe('the connection is down');
    expect(because({ unknown: [{ ...blind, gpus: [0] }] })).toBe('the connection is down');
    expect(because({ unknown: [{ ...blind, gpus: [1] }] })).toBe('it has not been checked since');
    const other = { ...blind, subject: { kind: 'mount', path: '/data' } } as const;
    expect(because({ unknown: [other] })).toBe('it has not been checked since');
    const lost = take(book, reportAt(MIN, { unknown: [blind] }));
    expect(because({}, lost)).toBe('the connection is down');
    const told = findingAt(0, { notSeenBecause: 'no reading' });
    expect(because({ findings: [told] })).toBe('no reading');
    // What nobody sees now is no news.
    expect(take(EMPTY_BOOK, reportAt(MIN, { findings: [told] }))).toBe(EMPTY_BOOK);
  });

  it('knows a card again that told its UUID only later', () => {
    const first = take(EMPTY_BOOK, found(0, { subject: gpu(0, null) }));
    const later = take(first, found(10));
    expect(later.open).toHaveLength(1);
    expect(later.open[0]?.finding.subject).toEqual(gpu(0));
    expect(take(later, found(20, { subject: gpu(0, null) })).open).toHaveLength(1);
    // The very card comes first, wherever it is plugged in now.
    const moved = take(
      later,
      reportAt(30, {
        findings: [
          findingAt(30, { subject: gpu(0, null) }),
          findingAt(30, { subject: gpu(2, 'GPU-0') }),
        ],
      }),
    );
    expect(moved.open.map(({ finding }) => finding.subject)).toEqual([
      gpu(2, 'GPU-0'),
      gpu(0, null),
    ]);
  });

  it('keeps a death apart from one with the same numbers in an earlier life of the machine', () => {
    const death = (atMs: number, bootId: string | null): Finding =>
      findingAt(atMs, {
        detector: 'U3',
        subject: { kind: 'run', bootId, pid: 41, startTicks: 500, command: 'python train.py' },
      });
    const snoozed = (bootId: string | null): AlertBook =>
      changeAlerts(take(EMPTY_BOOK, reportAt(0, { findings: [death(0, bootId)] })), (alert) =>
        advance(alert, { kind: 'snooze', atMs: 0, untilMs: 60 * MIN }),
      );
    const stages = ({ open }: AlertBook): readonly string[] => open.map(({ stage }) => stage.kind);
    const now = reportAt(MIN, { findings: [death(0, 'b1'), death(MIN, 'b2')] });
    expect(stages(take(snoozed('b1'), now))).toEqual(['snoozed', 'open']);
    // A box that does not tell its life for once, and what an older Leasehold kept without it, are the same as before.
    const once = take(snoozed('b1'), reportAt(MIN, { findings: [death(MIN, null)] }));
    expect(stages(once)).toEqual(['snoozed']);
    expect(once.open[0]?.finding.subject).toMatchObject({ bootId: 'b1' });
    expect(stages(take(once, now))).toEqual(['snoozed', 'open']);
    const learnt = take(snoozed(null), reportAt(MIN, { findings: [death(MIN, 'b1')] }));
    expect(stages(learnt)).toEqual(['snoozed']);
    expect(stages(take(learnt, now))).toEqual(['snoozed', 'open']);
    // Nor does the end of one end the other.
    const clear = [{ subject: death(0, 'b1').subject, detectors: ['U3' as const] }];
    expect(take(take(snoozed('b1'), now), reportAt(2 * MIN, { clear })).open).toMatchObject([
      { finding: { subject: { bootId: 'b2' } }, stage: { kind: 'open' } },
    ]);
  });

  it('goes on with what is back soon, and begins anew with what is back late', () => {
    const clear = (book: AlertBook, atMs: number): AlertBook =>
      take(book, reportAt(atMs, { clear: [{ subject: gpu(0), detectors: ['U23'] }] }));
    const over = clear(take(EMPTY_BOOK, found(0)), MIN);
    const soon = take(over, found(2 * MIN));
    expect(soon.open[0]?.id).toBe(over.resolved[0]?.id);
    expect(soon.resolved).toEqual([]);
    const late = take(over, found(60 * MIN));
    expect(late.open[0]?.id).not.toBe(over.resolved[0]?.id);
    expect(late.resolved).toHaveLength(1);
  });

  it('keeps what happened beside what is found of the same later, and takes neither for its end', () => {
    const box = { subject: BOX, severity: 'critical' } as const;
    const book = take(EMPTY_BOOK, found(0, { ...box, isEvent: true, headline: 'It was killed.' }));
    const near = take(
      book,
      found(MIN, { ...box, severity: 'warn', headline: 'It is nearly full.' }),
    );
    expect(near.open).toMatchObject([{ finding: { headline: 'It was killed.', isEvent: true } }]);
    const clear = take(near, reportAt(2 * MIN, { clear: [{ subject: BOX, detectors: ['U23'] }] }));
    expect(clear.open).toMatchObject([{ finding: { headline: 'It was killed.' } }]);
    expect(clear.open[0]?.finding.notSeenBecause).toMatch(/^it happened between two checks/);
  });

  it('wakes what was put off when its time has come', () => {
    const put = changeAlerts(take(EMPTY_BOOK, found(0)), (alert) =>
      advance(alert, { kind: 'snooze', atMs: 0, untilMs: MIN }),
    );
    expect(wakeDue(put, MIN - 1)).toBe(put);
    expect(wakeDue(put, MIN).open[0]?.stage.kind).toBe('open');
  });
});

/** What can come to a box’s alerts, over any length of time and any setting of the clock. */
type Step =
  | {
      readonly kind: 'report';
      readonly answers: readonly ('found' | 'lost' | 'blind' | 'clear' | 'silent')[];
      readonly severity: Severity;
    }
  | { readonly kind: 'seen' | 'dismiss' | 'quit' }
  | { readonly kind: 'snooze'; readonly forMs: number };

const SUBJECTS = [BOX, gpu(0), gpu(1)] as const;

const step: fc.Arbitrary<Step & { readonly elapsedMs: number }> = fc
  .tuple(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('report' as const),
          answers: fc.array(
            fc.constantFrom(
              'found' as const,
              'lost' as const,
              'blind' as const,
              'clear' as const,
              'silent' as const,
            ),
            { minLength: SUBJECTS.length, maxLength: SUBJECTS.length },
          ),
          severity: fc.constantFrom('critical' as const, 'warn' as const, 'info' as const),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constantFrom('seen' as const, 'dismiss' as const, 'quit' as const),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('snooze' as const),
          forMs: fc.integer({ min: 1, max: 120 * MIN }),
        }),
      },
    ),
    // Mostly forwards, at times a whole day, at times back.
    fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 10 * MIN }) },
      { weight: 1, arbitrary: fc.constantFrom(-24 * 60 * MIN, -5 * MIN, 0, 24 * 60 * MIN) },
    ),
  )
  .map(([each, elapsedMs]) => ({ ...each, elapsedMs }));

function play(book: AlertBook, each: Step, atMs: number): AlertBook {
  const all = (kind: 'seen' | 'dismiss'): AlertBook =>
    changeAlerts(book, (alert) => advance(alert, { kind, atMs }));
  switch (each.kind) {
    case 'report':
      return take(book, reportOf(each, atMs));
    case 'seen':
    case 'dismiss':
      return all(each.kind);
    case 'snooze':
      return changeAlerts(book, (alert) =>
        advance(alert, { kind: 'snooze', atMs, untilMs: atMs + each.forMs }),
      );
    case 'quit': {
      // As the database gives it back.
      const kept = (alert: Alert): Alert => alertSchema.parse(JSON.parse(JSON.stringify(alert)));
      const back = { open: book.open.map(kept), resolved: book.resolved.map(kept) };
      return changeAlerts(back, (alert) => advance(alert, { kind: 'unknown', because: 'closed' }));
    }
  }
}

function reportOf(
  { answers, severity }: Extract<Step, { kind: 'report' }>,
  atMs: number,
): BoxFindings {
  const of = (wanted: string) => SUBJECTS.filter((_subject, i) => answers[i] === wanted);
  return reportAt(atMs, {
    findings: [
      ...of('found').map((subject) => findingAt(atMs, { subject, severity })),
      ...of('lost').map((subject) =>
        findingAt(atMs, { subject, severity, notSeenBecause: 'lost' }),
      ),
    ],
    clear: of('clear').map((subject) => ({ subject, detectors: ['U23'] })),
    unknown: of('blind').map((subject) => ({
      detector: 'U23',
      title: '',
      because: 'blind',
      gpus: subject.kind === 'gpu' ? [subject.index] : [],
    })),
  });
}

it('keeps one open alert a key, resolves none without an answer, and loses no span, in any order of events', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let book = EMPTY_BOOK;
      let atMs = 1_000_000_000;
      const ends = new Map<string, number>();
      for (const each of steps) {
        atMs += each.elapsedMs;
        const before = book;
        book = play(wakeDue(book, atMs), each, atMs);
        expectSound(book);
        const answered =
          each.kind === 'report'
            ? reportOf(each, atMs).clear.map(({ subject }) => keyOf({ detector: 'U23', subject }))
            : [];
        const found =
          each.kind === 'report'
            ? reportOf(each, atMs).findings.filter(({ notSeenBecause }) => notSeenBecause === null)
            : [];
        for (const finding of found) {
          expect(book.open.filter((alert) => keyOf(alert.finding) === keyOf(finding))).toHaveLength(
            1,
          );
        }
        for (const was of before.open) {
          const is = [...book.open, ...book.resolved].find(({ id }) => id === was.id);
          expect(is, 'an alert is never gone').toBeDefined();
          if (is?.stage.kind !== 'resolved') continue;
          const wasSaid = answered.includes(keyOf(was.finding));
          const wasDismissed = each.kind === 'dismiss' && was.finding.notSeenBecause !== null;
          expect(wasSaid || wasDismissed, 'resolved by an answer').toBe(true);
        }
        for (const { id, spans } of [...book.open, ...book.resolved]) {
          const closed = spans.filter(({ toMs }) => toMs !== null).length;
          expect(closed, 'a span stays').toBeGreaterThanOrEqual(ends.get(id) ?? 0);
          ends.set(id, closed);
        }
      }
    }),
    { numRuns: 150 },
  );
});

function expectSound({ open, resolved }: AlertBook): void {
  const keys = open.map(({ finding }) => keyOf(finding));
  expect(new Set(keys).size).toBe(keys.length);
  expect(open.every(({ stage }) => stage.kind !== 'resolved')).toBe(true);
  expect(resolved.every(({ stage }) => stage.kind === 'resolved')).toBe(true);
  const ids = [...open, ...resolved].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { stage, spans, cost } of [...open, ...resolved]) {
    expect(spans.at(-1)?.toMs === null).toBe(stage.kind !== 'resolved');
    let endMs = -Infinity;
    for (const [i, { fromMs, lastSeenMs, toMs }] of spans.entries()) {
      expect(fromMs).toBeGreaterThanOrEqual(endMs);
      expect(lastSeenMs).toBeGreaterThanOrEqual(fromMs);
      if (i < spans.length - 1) expect(toMs).not.toBeNull();
      if (toMs !== null) expect(toMs).toBeGreaterThanOrEqual(lastSeenMs);
      endMs = toMs ?? Infinity;
    }
    expect(cost.seenMs).toBeGreaterThanOrEqual(0);
  }
}
