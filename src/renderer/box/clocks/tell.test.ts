import { describe, expect, it } from 'vitest';
import { MAX_EXTENSIONS, NOTHING_TOLD } from '../../../shared/clocks/clock.ts';
import { at, sampleClock } from '../../clocks/clocks.fixture.ts';
import { readBalance, tell } from './tell.ts';

const NOW = 1_700_000_000_000;
const walltime = sampleClock({
  id: 'slurm.walltime',
  entry: { kind: 'time', what: 'walltime' },
  due: { kind: 'unknown', because: 'not told' },
});
const moment = (atMs: number | null) => ({ kind: 'moment', atMs }) as const;

describe('what a person says of a clock', () => {
  it('is kept, moved with a record of it, and taken back', () => {
    const first = tell(NOTHING_TOLD, walltime, moment(NOW + 5), NOW);
    expect(first).toEqual({ ...NOTHING_TOLD, times: { walltime: NOW + 5 } });
    const moved = tell(first, { ...walltime, due: at(NOW + 5) }, moment(NOW + 9), NOW + 1);
    expect(moved.times).toEqual({ walltime: NOW + 9 });
    expect(moved.extensions).toEqual([
      {
        clockId: 'slurm.walltime',
        moved: 'end',
        saidAtMs: NOW + 1,
        fromMs: NOW + 5,
        toMs: NOW + 9,
      },
    ]);
    expect(tell(moved, walltime, moment(null), NOW).times).toEqual({});
  });

  it('moves the start of a timer, and says that it was the start', () => {
    const clock = sampleClock({ due: at(NOW + 100) });
    const first = tell(NOTHING_TOLD, clock, moment(NOW - 50), NOW);
    // What was measured before was an end and no start.
    expect(first).toMatchObject({ starts: { stopped: NOW - 50 }, extensions: [] });
    expect(tell(first, clock, moment(NOW), NOW).extensions).toMatchObject([
      { moved: 'start', fromMs: NOW - 50, toMs: NOW },
    ]);
  });

  it('moves and removes a deadline without touching the others', () => {
    const deadlines = ['a', 'b'].map((id) => ({ id, what: id, atMs: NOW }));
    const clock = sampleClock({ entry: { kind: 'deadline', id: 'a' }, due: at(NOW) });
    const told = { ...NOTHING_TOLD, deadlines };
    expect(tell(told, clock, moment(NOW + 1), NOW).deadlines).toEqual([
      deadlines[1],
      { ...deadlines[0], atMs: NOW + 1 },
    ]);
    expect(tell(told, clock, moment(null), NOW).deadlines).toEqual([deadlines[1]]);
  });

  it('keeps the newest records and no more of them', () => {
    let told = { ...NOTHING_TOLD, prepaidUntilMs: NOW };
    const clock = sampleClock({ entry: { kind: 'prepaid' } });
    for (let i = 1; i <= MAX_EXTENSIONS + 3; i += 1) {
      told = { ...tell(told, clock, moment(NOW + i), NOW), prepaidUntilMs: NOW + i };
    }
    expect(told.extensions).toHaveLength(MAX_EXTENSIONS);
    expect(told.extensions.at(-1)?.toMs).toBe(NOW + MAX_EXTENSIONS + 3);
  });

  it('is what was used, whether it is spot, and when it warns', () => {
    const quota = sampleClock({ entry: { kind: 'quota', forMs: 100 } });
    expect(tell(NOTHING_TOLD, quota, { kind: 'span', ms: 7 }, NOW).quotaUsed).toEqual({
      ms: 7,
      asOfMs: NOW,
    });
    const warning = sampleClock({ entry: { kind: 'warning' } });
    expect(tell(NOTHING_TOLD, warning, { kind: 'span', ms: 7 }, NOW).warningLeadMs).toBe(7);
    const spot = sampleClock({ entry: { kind: 'spot' } });
    expect(tell(NOTHING_TOLD, spot, { kind: 'spot', isSpot: true }, NOW).isSpot).toBe(true);
  });
});

describe('a balance that somebody types', () => {
  it('is exact, and may be below zero', () => {
    expect(readBalance(' 12.50 ', 'usd')).toEqual({ micros: 12_500_000, currency: 'USD' });
    expect(readBalance('−0.3', 'CNY')).toEqual({ micros: -300_000, currency: 'CNY' });
  });

  it.each([
    ['12,50', 'USD', 'number'],
    ['', 'USD', 'number'],
    ['1e9', 'USD', 'number'],
    ['12', 'RMB', 'currency'],
    ['12', '', 'currency'],
  ])('is refused with a reason: “%s” “%s”', (amount, currency, word) => {
    expect(readBalance(amount, currency)).toContain(word);
  });
});
