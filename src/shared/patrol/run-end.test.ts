import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processKey } from '../runs/process-ref.ts';
import type { TimeSpan } from '../runs/progress/left-time.ts';
import { RunEnds } from './run-end.ts';
import { readProgress } from '../runs/progress/run-progress.ts';

const NOON = Date.parse('2026-03-28T12:00:00Z');
const MIN = 60_000;
const LOG = '/root/train.log';
const TRAIN = { bootId: 'b1', pid: 41, startTicks: 500 };

describe('readProgress', () => {
  it.each([
    [
      ' 25%|██▌       | 123/500 [10:00<30:12,  4.88s/it]',
      { unit: 'step', atLeast: 123, atMost: 123, total: 500 },
    ],
    ['Epoch 3/10', { unit: 'epoch', atLeast: 2, atMost: 3, total: 10 }],
    ['Epoch [0/10]', { unit: 'epoch', atLeast: 0, atMost: 1, total: 10 }],
    ['epoch: 10 of 10, loss 0.1', { unit: 'epoch', atLeast: 9, atMost: 10, total: 10 }],
    ['step 100/1000 loss=2.31', { unit: 'step', atLeast: 100, atMost: 100, total: 1000 }],
    [
      ' iteration      100/    1000 | consumed samples: 25600',
      { unit: 'step', atLeast: 100, total: 1000 },
    ],
    [
      'Epoch 3/10:  50%|█████     | 500/1000 [01:00<01:00, 8.3it/s]',
      {
        unit: 'epoch',
        atLeast: 2.5,
        atMost: 3.5,
        total: 10,
        bar: { elapsedMs: MIN, leftMs: MIN, toCome: { atLeast: 6, atMost: 7 } },
      },
    ],
    [
      '1.50k/3.00k [1:00:00<1:00:00, 2.4s/it]',
      { atLeast: 1500, total: 3000, bar: { elapsedMs: 60 * MIN, leftMs: 60 * MIN, toCome: null } },
    ],
    ['0/500 [00:00<?, ?it/s]', { atLeast: 0, total: 500, bar: { elapsedMs: 0, leftMs: null } }],
  ])('reads %s', (line, expected) => {
    expect(readProgress(line)).toMatchObject(expected);
  });

  it.each([
    '',
    'Saving checkpoint to /data/ckpt-300',
    'loss 0.31 lr 3/4',
    // Of how many epochs, nobody says.
    'Epoch 3:  45%|████▌     | 450/1000 [01:00<01:13, 7.4it/s]',
    'Epoch: [3][100/1000] Time 0.2',
    "{'loss': 0.3, 'epoch': 1.2}",
    'step 1000/100',
    'step 3/0',
    'step 5/99999999999999999999',
    '2026/03/28 [10:00] started',
  ])('takes %s for no count of the run', (line) => {
    expect(readProgress(line)).toBeNull();
  });

  it('makes nothing absurd of any line, however hostile, and takes no time for it', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom(
        'Epoch ',
        'step ',
        '[',
        '/',
        ' of ',
        '10:00<',
        '9'.repeat(13),
        ' '.repeat(99),
      ),
      fc.integer({ min: -9, max: 1e13 }).map(String),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 300 }), (pieces) => {
        const progress = readProgress(pieces.join(''));
        if (progress === null) return;
        const { atLeast, atMost, total, bar } = progress;
        expect(0 <= atLeast && atLeast <= atMost && atMost <= total).toBe(true);
        expect([total, bar?.elapsedMs ?? 0, bar?.leftMs ?? 0].every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

interface Look {
  readonly atMs: number;
  readonly line: string | null;
  readonly writtenAtMs?: number;
}

/** What the last of these looks says of one run. */
function endAfter(looks: readonly Look[], sinceMs: number | null = NOON): TimeSpan | null {
  const ends = new RunEnds();
  let last: TimeSpan | null = null;
  for (const { atMs, line, writtenAtMs = atMs } of looks) {
    const log = { path: LOG, writtenAtMs, lastLines: line === null ? null : [line] };
    last = ends.look(atMs, [{ ...TRAIN, sinceMs, log }]).get(processKey(TRAIN))?.end ?? null;
  }
  return last;
}

const clockOf = (ms: number): string => {
  const s = Math.floor(ms / 1000);
  const [h, m] = [Math.floor(s / 3600), Math.floor(s / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return h > 0 ? `${String(h)}:${two(m)}:${two(s % 60)}` : `${two(m)}:${two(s % 60)}`;
};

describe('RunEnds', () => {
  const steady = fc.record({
    total: fc.integer({ min: 20, max: 100_000 }),
    perPartMs: fc.integer({ min: 50, max: 20_000 }),
    from: fc.double({ min: 0.05, max: 0.4, noNaN: true }),
    to: fc.double({ min: 0.5, max: 0.95, noNaN: true }),
    startedAt: fc.integer({ min: 0, max: 1000 }),
    shiftMs: fc.integer({ min: -1e12, max: 1e12 }),
  });

  it('finds the end of whatever goes on as it did, wherever it was resumed and whatever the date', () => {
    fc.assert(
      fc.property(steady, ({ total, perPartMs, from, to, startedAt, shiftMs }) => {
        const all = total + startedAt;
        const lookAt = (share: number, base: number): Look => {
          const done = Math.floor(total * share);
          const atMs = base + done * perPartMs;
          return { atMs, line: `step ${String(startedAt + done)}/${String(all)}` };
        };
        const looks = (base: number) => [lookAt(from, base), lookAt(to, base)];
        if (looks(0)[0]?.atMs === looks(0)[1]?.atMs) return;
        const end = endAfter(looks(NOON), NOON);
        const trueEndMs = NOON + total * perPartMs;
        expect(end?.fromMs).toBeLessThanOrEqual(trueEndMs + 1);
        expect(end?.toMs).toBeGreaterThanOrEqual(trueEndMs - 1);
        expect((end?.toMs ?? 0) - (end?.fromMs ?? 0)).toBeLessThanOrEqual(2);
        const base = NOON + shiftMs;
        expect((endAfter(looks(base), base)?.toMs ?? 0) - shiftMs).toBeCloseTo(end?.toMs ?? 0, 0);
      }),
      { numRuns: 200 },
    );
  });

  it('believes a bar of the whole run at the first look, within its own seconds', () => {
    fc.assert(
      fc.property(steady, ({ total, perPartMs, to }) => {
        const done = Math.max(1, Math.floor(total * to));
        const [elapsedMs, leftMs] = [done * perPartMs, (total - done) * perPartMs];
        const line = ` 50%|█ | ${String(done)}/${String(total)} [${clockOf(elapsedMs)}<${clockOf(leftMs)}, 1it/s]`;
        const atMs = NOON + elapsedMs;
        const end = endAfter([{ atMs, line }]);
        if (end === null) {
          // Only what is over within the seconds that a bar rounds off.
          expect(leftMs).toBeLessThan(1000);
          return;
        }
        const slackMs = 1000 * (1 + total / done);
        expect(end.fromMs).toBeLessThanOrEqual(atMs + leftMs);
        expect(end.toMs).toBeGreaterThanOrEqual(atMs + leftMs - slackMs);
        expect(end.toMs).toBeLessThanOrEqual(atMs + leftMs + slackMs);
      }),
      { numRuns: 300 },
    );
  });

  it('gives a range where epochs may be counted from 0 or from 1', () => {
    const line = 'Epoch 3/10:  50%|█████     | 500/1000 [01:00<01:00, 8.3it/s]';
    expect(endAfter([{ atMs: NOON + 10 * MIN, line }])).toEqual({
      fromMs: NOON + 23 * MIN,
      toMs: NOON + 25 * MIN,
    });
  });

  it.each([
    ['a count that was seen once', [{ atMs: NOON + MIN, line: 'step 100/1000' }]],
    [
      'a bar that began long after the run',
      [{ atMs: NOON + 60 * MIN, line: '450/1000 [01:00<01:13, 7.4it/s]' }],
    ],
    [
      'a count that falls back: it is one of several rounds',
      [
        { atMs: NOON + MIN, line: 'step 900/1000' },
        { atMs: NOON + 2 * MIN, line: 'step 100/1000' },
        { atMs: NOON + 3 * MIN, line: 'step 200/1000' },
      ],
    ],
    [
      'a count that stands still',
      [
        { atMs: NOON + MIN, line: 'step 100/1000' },
        { atMs: NOON + 2 * MIN, line: 'step 100/1000' },
      ],
    ],
    [
      'an end that is over while the run goes on',
      [{ atMs: NOON + 60 * MIN, writtenAtMs: NOON + 2 * MIN, line: '99/100 [02:00<00:01, 1s/it]' }],
    ],
    [
      'a log that went silent long ago',
      [
        {
          atMs: NOON + 60 * MIN,
          writtenAtMs: NOON + 2 * MIN,
          line: '10/1000 [02:00<3:18:00, 12s/it]',
        },
      ],
    ],
    [
      'a log from a time to come',
      [{ atMs: NOON, writtenAtMs: NOON + MIN, line: '1/9 [00:01<00:08]' }],
    ],
    ['a bar that is at its end', [{ atMs: NOON + MIN, line: '100/100 [01:00<00:00, 1.6it/s]' }]],
    ['a log that could not be read', [{ atMs: NOON + MIN, line: null }]],
    ['centuries', [{ atMs: NOON + MIN, line: '1/999999999 [01:00<99999:00:00, 60s/it]' }]],
  ] satisfies readonly (readonly [string, readonly Look[]])[])(
    'does not know an end from %s',
    (_what, looks) => {
      expect(endAfter(looks)).toBeNull();
    },
  );

  it('does not know the end of a run with a bar of which nobody knows when it began', () => {
    const looks = [{ atMs: NOON + MIN, line: '30/60 [01:00<01:00, 2s/it]' }];
    expect(endAfter(looks)).not.toBeNull();
    expect(endAfter(looks, null)).toBeNull();
  });

  it('goes on from what it knew where a look could not read the log, and forgets a run that is gone', () => {
    const first = { atMs: NOON + MIN, line: 'step 100/1000' };
    const blind = { atMs: NOON + 2 * MIN, line: null };
    const next = { atMs: NOON + 3 * MIN, line: 'step 300/1000' };
    expect(endAfter([first, blind, next])).toMatchObject({ toMs: NOON + 10 * MIN });
    const ends = new RunEnds();
    const run = (line: string, atMs: number) => ({
      ...TRAIN,
      sinceMs: NOON,
      log: { path: LOG, writtenAtMs: atMs, lastLines: [line] },
    });
    ends.look(NOON + MIN, [run('step 100/1000', NOON + MIN)]);
    ends.look(NOON + 2 * MIN, []);
    const anew = ends.look(NOON + 3 * MIN, [run('step 300/1000', NOON + 3 * MIN)]);
    // How far it is, its log says; how fast that goes, nobody knows from one look.
    expect([...anew]).toEqual([
      [processKey(TRAIN), { progress: { unit: 'step', atLeast: 300, total: 1000 }, end: null }],
    ]);
  });

  it('reads the log of a run as its request says, and takes nothing else there for its count', () => {
    const said = ['fitted {step} out of {total};', 'round {epoch}: {step} of {total}', 'L={loss}'];
    const at = (line: string, path = LOG): unknown => {
      const log = { path, writtenAtMs: NOON, lastLines: [line] };
      const progressOf = (logPath: string) => (logPath === LOG ? said : []);
      const runs = [{ ...TRAIN, sinceMs: NOON, log }];
      return new RunEnds().look(NOON + MIN, runs, progressOf).get(processKey(TRAIN))?.progress;
    };
    expect(at('fitted 3 out of 12; L = 0.5')).toEqual({ unit: 'step', atLeast: 3, total: 12 });
    expect(at('fitted 3 out of 12; L = 0.5', '/root/other.log')).toBeUndefined();
    // Of the one round, of however many.
    expect(at('round 2: 3 of 12')).toBeUndefined();
    expect(at('step 100/1000')).toBeUndefined();
    expect(at('step 100/1000', '/root/other.log')).toMatchObject({ total: 1000 });
  });
});
