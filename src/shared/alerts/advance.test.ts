import { describe, expect, it } from 'vitest';
import { line, type Finding } from '../detectors/finding.ts';
import { afterTelling, advance, isToBeTold, mayComeBack, type AlertEvent } from './advance.ts';
import { alertAt, findingAt } from './alert.fixture.ts';
import { COUNTED_GAP_MS, MAX_SPANS, MAX_STEPS, REOPEN_WITHIN_MS, type Alert } from './alert.ts';

const S = 1000;
const MIN = 60 * S;

const after = (alert: Alert, ...events: readonly AlertEvent[]): Alert =>
  events.reduce(advance, alert);
const found = (atMs: number, part: Parameters<typeof findingAt>[1] = {}): AlertEvent => ({
  kind: 'found',
  finding: findingAt(atMs, part),
  atMs,
});
const lost: AlertEvent = { kind: 'unknown', because: 'the box is not connected' };

describe('an alert’s life', () => {
  it('is opened, seen, put off, woken and resolved, and remembers each', () => {
    const end = after(
      alertAt(0),
      { kind: 'seen', atMs: 1 * S },
      { kind: 'snooze', atMs: 2 * S, untilMs: 60 * S },
      { kind: 'wake', atMs: 60 * S },
      { kind: 'clear', atMs: 90 * S },
    );
    expect(end.stage).toEqual({
      kind: 'resolved',
      atMs: 90 * S,
      by: 'check',
      snoozedUntilMs: null,
    });
    expect(end.steps.map(({ kind }) => kind)).toEqual([
      'opened',
      'seen',
      'snoozed',
      'woken',
      'resolved',
    ]);
    expect(end.spans).toEqual([{ fromMs: 0, lastSeenMs: 0, toMs: 90 * S }]);
  });

  it('is ended by a clear answer or by the person, never by silence, and never by the person while a check sees it', () => {
    const blind = after(alertAt(0), lost);
    expect(blind.stage.kind).toBe('open');
    expect(blind.finding.notSeenBecause).toBe('the box is not connected');
    expect(advance(blind, lost)).toBe(blind);
    const dismiss: AlertEvent = { kind: 'dismiss', atMs: 5 * S };
    expect(after(blind, dismiss).stage).toMatchObject({ kind: 'resolved', by: 'person' });
    const seen = after(blind, found(4 * S));
    expect(advance(seen, dismiss)).toBe(seen);
  });

  it('is told again when what it tells of has happened once more, and not while it is told of', () => {
    const kill = (count: number): Pick<Finding, 'isEvent' | 'clues'> => ({
      isEvent: true,
      clues: [line(`oom_kill ${count} → ${count + 1}`)],
    });
    const first = after(alertAt(0, kill(0)), { kind: 'seen', atMs: 1 * S });
    expect(after(first, found(0, kill(0))).stage.kind).toBe('seen');
    // The look before could not be kept, so this one was compared with the same.
    expect(after(first, lost, found(300 * S, kill(0))).stage.kind).toBe('seen');
    const again = after(first, lost, found(300 * S, kill(1)));
    expect(again).toMatchObject({ stage: { kind: 'open' }, told: null });
    expect(isToBeTold(again)).toBe(true);
    expect(again.steps.at(-1)).toEqual({ kind: 'back', atMs: 300 * S, severity: 'warn' });
    const snoozed = after(first, { kind: 'snooze', atMs: 2 * S, untilMs: 900 * S });
    // What is put off is what had happened then.
    expect(after(snoozed, found(300 * S, kill(0))).stage.kind).toBe('snoozed');
    expect(isToBeTold(after(snoozed, found(300 * S, kill(1))))).toBe(true);
    const over = after(snoozed, { kind: 'clear', atMs: 200 * S });
    expect(isToBeTold(after(over, found(300 * S, kill(1))))).toBe(true);
  });

  it('stays as the person left it while it is seen again and again', () => {
    const seen = after(alertAt(0), { kind: 'seen', atMs: 1 * S });
    expect(after(seen, found(10 * S), found(20 * S)).stage.kind).toBe('seen');
    const snoozed = after(seen, { kind: 'snooze', atMs: 21 * S, untilMs: 10 * MIN });
    expect(after(snoozed, found(30 * S)).stage.kind).toBe('snoozed');
    // A snooze needs an end that lies ahead.
    expect(advance(seen, { kind: 'snooze', atMs: 5 * S, untilMs: 5 * S })).toBe(seen);
  });

  it('is the same alert when it comes back soon, with a span of its own, and stays put off', () => {
    const over = after(
      alertAt(0),
      { kind: 'snooze', atMs: 1 * S, untilMs: 60 * MIN },
      { kind: 'clear', atMs: 2 * MIN },
    );
    expect(mayComeBack(over, 2 * MIN + REOPEN_WITHIN_MS)).toBe(true);
    expect(mayComeBack(over, 2 * MIN + REOPEN_WITHIN_MS + 1)).toBe(false);
    const back = after(over, found(5 * MIN));
    expect(back.id).toBe(over.id);
    expect(back.stage).toMatchObject({ kind: 'snoozed', untilMs: 60 * MIN });
    expect(back.spans).toEqual([
      { fromMs: 0, lastSeenMs: 0, toMs: 2 * MIN },
      { fromMs: 5 * MIN, lastSeenMs: 5 * MIN, toMs: null },
    ]);
    expect(back.finding.sinceMs).toBe(5 * MIN);
    expect(after(over, found(61 * MIN)).stage.kind).toBe('open');
  });

  it('keeps its beginning over a restart, which the check does not know of', () => {
    const back = after(alertAt(0), lost, found(60 * MIN, { sinceMs: 59 * MIN }));
    expect(back.finding).toMatchObject({ sinceMs: 0, lastSeenMs: 60 * MIN, notSeenBecause: null });
    expect(back.spans).toEqual([{ fromMs: 0, lastSeenMs: 60 * MIN, toMs: null }]);
  });

  it('keeps the card’s UUID where a look does not tell it', () => {
    const again = after(alertAt(0), found(S, { subject: { kind: 'gpu', index: 0, uuid: null } }));
    expect(again.finding.subject).toEqual({ kind: 'gpu', index: 0, uuid: 'GPU-0' });
  });

  it('never ends before it began, whatever the clocks do', () => {
    const { spans } = after(alertAt(60 * MIN), { kind: 'clear', atMs: 0 });
    expect(spans).toEqual([{ fromMs: 60 * MIN, lastSeenMs: 60 * MIN, toMs: 60 * MIN }]);
    const set = after(alertAt(60 * MIN), found(1 * MIN));
    expect(set.spans).toEqual([{ fromMs: 1 * MIN, lastSeenMs: 1 * MIN, toMs: null }]);
  });

  it('does not grow without end', () => {
    let alert = alertAt(0);
    for (let i = 1; i <= MAX_STEPS; i += 1) {
      alert = after(
        alert,
        { kind: 'seen', atMs: i },
        { kind: 'snooze', atMs: i, untilMs: i + 1 },
        { kind: 'wake', atMs: i + 1 },
      );
    }
    expect(alert.steps).toHaveLength(MAX_STEPS);
    expect(alert.steps[0]).toMatchObject({ kind: 'opened' });
    for (let i = 1; i < MAX_SPANS; i += 1) {
      alert = after(alert, { kind: 'clear', atMs: i * MIN }, found(i * MIN + 1));
    }
    const over = after(alert, { kind: 'clear', atMs: MAX_SPANS * MIN });
    expect(over.spans).toHaveLength(MAX_SPANS);
    expect(mayComeBack(over, MAX_SPANS * MIN)).toBe(false);
    expect(over.steps.filter(({ kind }) => kind === 'resolved')).toHaveLength(MAX_SPANS);
  });
});

describe('what the person is told', () => {
  it('is told once, and again when it is worse than ever', () => {
    const alert = alertAt(0);
    expect(isToBeTold(alert)).toBe(true);
    const told = afterTelling(alert);
    expect(isToBeTold(after(told, found(10 * S)))).toBe(false);
    const worse = after(told, { kind: 'seen', atMs: S }, found(20 * S, { severity: 'critical' }));
    expect(worse.stage.kind).toBe('open');
    expect(isToBeTold(worse)).toBe(true);
    const known = afterTelling(worse);
    expect(isToBeTold(after(known, found(30 * S), found(40 * S, { severity: 'critical' })))).toBe(
      false,
    );
  });

  it('is told nothing more of what they have seen, of notes, and of what no check sees', () => {
    expect(isToBeTold(after(alertAt(0), { kind: 'seen', atMs: S }))).toBe(false);
    expect(isToBeTold(alertAt(0, { severity: 'info' }))).toBe(false);
    expect(isToBeTold(after(alertAt(0), lost))).toBe(false);
    expect(isToBeTold(after(alertAt(0), lost, found(S)))).toBe(true);
  });

  it('is told again after a snooze, but only if it is still there', () => {
    const snoozed = after(afterTelling(alertAt(0)), { kind: 'snooze', atMs: S, untilMs: MIN });
    expect(isToBeTold(snoozed)).toBe(false);
    const woken = after(snoozed, lost, { kind: 'wake', atMs: MIN });
    expect(isToBeTold(woken)).toBe(false);
    expect(isToBeTold(after(woken, found(2 * MIN)))).toBe(true);
  });

  it('is told through a snooze what has got worse', () => {
    const snoozed = after(alertAt(0), { kind: 'snooze', atMs: S, untilMs: 60 * MIN });
    expect(isToBeTold(after(snoozed, found(2 * S, { severity: 'critical' })))).toBe(true);
  });

  it('is not told again when it comes and goes', () => {
    const back = after(afterTelling(alertAt(0)), { kind: 'clear', atMs: MIN }, found(2 * MIN));
    expect(back.stage.kind).toBe('open');
    expect(isToBeTold(back)).toBe(false);
  });
});

describe('what it costs', () => {
  const dollars = (alert: Alert): number => (alert.cost.amounts[0]?.micros ?? 0) / 1_000_000;

  it('is counted while it is seen, from its first sign on', () => {
    const alert = after(alertAt(60 * S, { sinceMs: 0 }), found(70 * S), found(80 * S));
    // 3.60 an hour are a tenth of a cent a second.
    expect(dollars(alert)).toBeCloseTo(0.08);
    expect(alert.cost).toMatchObject({ seenMs: 80 * S, unpricedMs: 0 });
  });

  it('is not guessed for time that nobody saw', () => {
    const gap = after(alertAt(0), found(10 * S), lost, found(60 * MIN), found(60 * MIN + 10 * S));
    expect(gap.cost.seenMs).toBe(20 * S);
    const slept = after(alertAt(0), found(COUNTED_GAP_MS + 1));
    expect(slept.cost.seenMs).toBe(0);
    const setBack = after(alertAt(60 * S), found(0), found(10 * S));
    expect(setBack.cost.seenMs).toBe(10 * S);
  });

  it('says how long nobody knew the price, and keeps currencies apart', () => {
    const alert = after(
      alertAt(0),
      found(10 * S, { costPerHour: null }),
      found(20 * S, { costPerHour: { micros: 7_200_000, currency: 'CNY' } }),
      found(30 * S, { costPerHour: null, wastedShare: null }),
    );
    expect(alert.cost.unpricedMs).toBe(10 * S);
    expect(alert.cost.amounts).toEqual([
      { micros: 0, currency: 'USD' },
      { micros: 20_000, currency: 'CNY' },
    ]);
  });
});
