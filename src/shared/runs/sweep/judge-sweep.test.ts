import { describe, expect, it } from 'vitest';
import type { CellMark } from '../queue/queue-view.ts';
import { isCopyOnly, judgeAgain, judgeSweep, tallySweep, type SeenShare } from './judge-sweep.ts';
import { sweepCellWords } from './sweep-words.ts';
import type { SharePresence, SweepCellKind } from './sweep-view.ts';

const cells = ['a', 'b', 'c'].map((name) => ({ name, command: 'x', results: name }));
const queue = (marks: Readonly<Record<number, CellMark>>, commented: readonly number[] = []) => ({
  cells: cells.map(({ name }, at) => ({
    name,
    command: 'x',
    isCommented: commented.includes(at + 1),
  })),
  marks,
  pruning: [],
});
const share = (presence: SharePresence, more: Partial<SeenShare> = {}): SeenShare => ({
  ...{ run: 'r', place: 'box', cells: [0, 1, 2], presence, wasThere: true },
  queue: queue({}),
  ...more,
});
const ended = (kind: 'exit' | 'cut', exitCode: number): CellMark => ({
  ...{ beganAtMs: 1, times: 1 },
  end: { kind, exitCode, atMs: 2 },
});
const begun: CellMark = { beganAtMs: 1, times: 1, end: null };
const ran: CellMark = { ...begun, ranAtMs: 2 };
const uncopied = { kind: 'uncopied', why: 'disk-full', atMs: 3 } as const;
const copied: CellMark = { ...ran, end: { kind: 'copied', files: 4, atMs: 3 } };
const kindsOf = (...shares: SeenShare[]) =>
  judgeSweep({ cells }, shares).map(({ state }) => state.kind);

describe('a cell of a sweep', () => {
  it.each<[string, SeenShare, readonly string[]]>([
    [
      'in a queue that goes on',
      share('alive', { queue: queue({ 1: ended('exit', 0), 2: begun }) }),
      ['done', 'running', 'waiting'],
    ],
    [
      'in a queue that is over',
      share('over', { queue: queue({ 1: ended('exit', 3), 2: begun }) }),
      ['failed', 'interrupted', 'never-started'],
    ],
    [
      'whose results are copied, in a queue that goes on',
      share('alive', { queue: queue({ 1: ran, 2: { ...ran, end: uncopied }, 3: copied }) }),
      ['copying', 'uncopied', 'done'],
    ],
    [
      'whose copy was cut off, in a queue that is over',
      share('over', { queue: queue({ 1: ran, 2: { ...ran, end: uncopied }, 3: copied }) }),
      ['uncopied', 'uncopied', 'done'],
    ],
    [
      'that was cut off in a queue that goes on',
      share('alive', { queue: queue({ 1: ended('cut', 143) }) }),
      ['waiting', 'waiting', 'waiting'],
    ],
    [
      'that was left out by hand',
      share('alive', { queue: queue({}, [2]) }),
      ['waiting', 'missing', 'waiting'],
    ],
    [
      'whose run never came to be',
      share('absent', { wasThere: false, queue: null }),
      ['never-started', 'never-started', 'never-started'],
    ],
    ['whose run is gone', share('absent', { queue: null }), ['missing', 'missing', 'missing']],
    [
      'whose box was never reached',
      share('unseen', { queue: null }),
      ['unseen', 'unseen', 'unseen'],
    ],
    [
      'whose box is away',
      share('unseen', { queue: queue({ 1: begun }) }),
      ['running', 'waiting', 'waiting'],
    ],
    [
      'whose box is gone',
      share('gone', { queue: queue({ 1: ended('exit', 0), 2: begun }) }),
      ['done', 'interrupted', 'never-started'],
    ],
    [
      'whose box is gone and was never reached',
      share('gone', { queue: null }),
      ['missing', 'missing', 'missing'],
    ],
    [
      'that nobody was given',
      share('alive', { cells: [0, 1] }),
      ['waiting', 'waiting', 'never-started'],
    ],
  ])('%s', (_, seen, kinds) => {
    expect(kindsOf(seen)).toEqual(kinds);
  });

  it('without a copy, whose box is gone, has nothing that could be copied', () => {
    const gone = share('gone', { queue: queue({ 1: { ...ran, end: uncopied } }) });
    const [cell] = judgeSweep({ cells }, [gone]);
    const { title } = sweepCellWords(cell as never, true);
    expect(title).toContain('its box is gone. Running it again runs its command');
  });

  it('is what its best run made of it, and twice where two runs did it or go on to', () => {
    const failed = share('over', { queue: queue({ 1: ended('exit', 3), 2: ended('exit', 0) }) });
    const again = share('alive', { cells: [0, 1], queue: queue({ 1: begun }) });
    const judged = judgeSweep({ cells }, [failed, again]);
    expect(judged).toMatchObject([
      { state: { kind: 'running' }, share: 1, isTwice: false },
      { state: { kind: 'done' }, share: 0, isTwice: true },
      { state: { kind: 'never-started' }, share: 0, isTwice: false },
    ]);
    expect(tallySweep(judged)).toMatchObject({ running: 1, done: 1, empty: 0, twice: 1 });
  });

  it('that left nothing where it was done is what another run makes of it, which is no second time', () => {
    const left = share('over', { queue: queue({ 1: ended('exit', 0) }), empty: new Set([0]) });
    const judged = (other: SeenShare) => judgeSweep({ cells }, [left, other])[0];
    // That it left nothing there is not all that is to come of it.
    expect(judged(share('alive'))).toMatchObject({
      ...{ state: { kind: 'waiting' }, share: 1, isTwice: false },
    });
    const done = judged(share('over', { queue: queue({ 1: ended('exit', 0) }) }));
    expect(done).toMatchObject({ state: { kind: 'done' }, share: 1, isTwice: false });
    expect(done && 'isEmpty' in done).toBe(false);
    for (const over of [share('over'), left]) {
      expect(judged(over)).toMatchObject({
        ...{ state: { kind: 'done' }, share: 0, isTwice: false, isEmpty: true },
      });
    }
  });

  /** What has become of the newest try, which runs it no more. */
  const ENDED: readonly SeenShare[] = [
    share('gone', { queue: queue({ 1: begun }) }),
    share('gone'),
    share('gone', { queue: queue({ 1: { ...ran, end: uncopied } }) }),
    share('over', { queue: queue({ 1: ended('exit', 1) }) }),
    share('over', { queue: queue({ 1: ended('exit', 0) }), empty: new Set([0]) }),
    share('absent', { queue: null }),
    share('unseen', { queue: queue({ 1: ended('exit', 1) }) }),
  ];
  it.each<[string, SeenShare, SweepCellKind, string]>([
    ['waits', share('alive'), 'waiting', 'no'],
    [
      'was cut off and comes again',
      share('alive', { queue: queue({ 1: ended('cut', 143) }) }),
      ...(['waiting', 'no'] as const),
    ],
    ['runs', share('alive', { queue: queue({ 1: begun }) }), 'running', 'no'],
    ['may wait', share('unseen'), 'waiting', 'risk'],
    ['may run', share('unseen', { queue: queue({ 1: begun }) }), 'running', 'risk'],
    ['may do anything', share('unseen', { queue: null }), 'unseen', 'risk'],
  ])('that %s on one box is not over because another try is', (_, other, kind, again) => {
    for (const over of ENDED) {
      for (const shares of [
        [other, over],
        [over, other],
      ]) {
        const [cell] = judgeSweep({ cells }, shares);
        expect(cell).toMatchObject({ state: { kind }, share: shares.indexOf(other) });
        expect(cell && judgeAgain(cell, shares).kind).toBe(again);
      }
    }
  });

  it('that goes on for sure on one box is no risk because of another that is away', () => {
    const away = share('unseen', { queue: queue({ 1: begun }) });
    for (const here of [share('alive'), share('alive', { queue: queue({ 1: begun }) })]) {
      const [cell] = judgeSweep({ cells }, [away, here]);
      expect(cell && judgeAgain(cell, [away, here]).kind).toBe('no');
      expect(cell).toMatchObject({ share: 1, mayBeTwice: true });
    }
  });

  it.each<[string, SeenShare, 'isTwice' | 'mayBeTwice' | null]>([
    ['that no box has shown', share('unseen', { wasThere: false, queue: null }), 'mayBeTwice'],
    ['that waited when it was last seen', share('unseen'), 'mayBeTwice'],
    [
      'that ran when it was last seen',
      share('unseen', { queue: queue({ 1: begun }) }),
      'mayBeTwice',
    ],
    [
      'that was done when last seen',
      share('unseen', { queue: queue({ 1: ended('exit', 0) }) }),
      'isTwice',
    ],
    [
      'that failed when last seen',
      share('unseen', { queue: queue({ 1: ended('exit', 1) }) }),
      null,
    ],
    ['that was never there', share('absent', { wasThere: false, queue: null }), null],
  ])('done here as well as one %s is %3$s', (_, other, expected) => {
    const done = share('over', { queue: queue({ 1: ended('exit', 0) }) });
    for (const shares of [
      [other, done],
      [done, other],
    ]) {
      const [cell] = judgeSweep({ cells: cells.slice(0, 1) }, shares);
      expect(cell).toMatchObject({ state: { kind: 'done' }, isTwice: expected === 'isTwice' });
      expect(cell?.mayBeTwice === true).toBe(expected === 'mayBeTwice');
      const told = tallySweep(cell === undefined ? [] : [cell]);
      expect([told.twice, told['maybe-twice']]).toEqual([
        Number(expected === 'isTwice'),
        Number(expected === 'mayBeTwice'),
      ]);
    }
  });

  it.each<[string, SeenShare, string]>([
    ['is done', share('over', { queue: queue({ 1: ended('exit', 0) }) }), 'no'],
    ['runs', share('alive', { queue: queue({ 1: begun }) }), 'no'],
    ['waits', share('alive'), 'no'],
    ['may run on a box that is away', share('unseen', { queue: queue({ 1: begun }) }), 'risk'],
    ['may wait on a box that is away', share('unseen'), 'risk'],
    [
      'was left out by hand on a box that is away',
      share('unseen', { queue: queue({}, [1]) }),
      'risk',
    ],
    ['was left out by hand', share('alive', { queue: queue({}, [1]) }), 'free'],
    ['may do anything on a box that was never reached', share('unseen', { queue: null }), 'risk'],
    [
      'failed on a box that is away',
      share('unseen', { queue: queue({ 1: ended('exit', 1) }) }),
      'free',
    ],
    ['was interrupted', share('over', { queue: queue({ 1: begun }) }), 'free'],
    ['is missing', share('absent', { queue: null }), 'free'],
    ['never started', share('over'), 'free'],
  ])('that %s may be run again: %s', (_, seen, again) => {
    const [first] = judgeSweep({ cells }, [seen]);
    expect(first && judgeAgain(first, [seen]).kind).toBe(again);
  });

  it('that is done and left nothing may be run again', () => {
    const seen = share('over', { queue: queue({ 1: ended('exit', 0) }), empty: new Set([0]) });
    const [first] = judgeSweep({ cells }, [seen]);
    expect(first && judgeAgain(first, [seen]).kind).toBe('free');
  });
});

describe('a cell that has run and was not copied', () => {
  const boxes = [{ boxId: 'a' }, { boxId: 'b' }];
  const cellOf = (why: string) =>
    judgeSweep({ cells }, [
      share('over', { queue: queue({ 1: { ...ran, end: { ...uncopied, why } } }) }),
    ])[0];

  it('is copied again on its own box alone, and run where its results are not', () => {
    const cell = cellOf('disk-full');
    if (cell === undefined) throw new Error('no cell');
    expect(judgeAgain(cell, [{ presence: 'over' }])).toEqual({ kind: 'free' });
    expect(isCopyOnly(cell, boxes, 'a')).toBe(true);
    expect(isCopyOnly(cell, boxes, 'b')).toBe(false);
    // What is gone on both sides, only running it brings back.
    const gone = cellOf('copy-gone');
    expect(gone !== undefined && isCopyOnly(gone, boxes, 'a')).toBe(false);
  });

  it('is not taken for copied where some of its results are removed already', () => {
    const cut = share('over', { queue: { ...queue({ 1: ran, 2: ran }), pruning: [1] } });
    const [pruned, whole] = judgeSweep({ cells }, [cut]);
    expect([pruned, whole].map((cell) => cell && isCopyOnly(cell, boxes, 'a'))).toEqual([
      ...[false, true],
    ]);
    expect(pruned && sweepCellWords(pruned, true).title).toContain('Resume its queue on the box');
    expect(whole && sweepCellWords(whole, true).title).toContain('Run it again on the same box');
  });

  it('is no second one beside the queue that copies it again', () => {
    const first = share('over', { cells: [0], queue: queue({ 1: { ...ran, end: uncopied } }) });
    const second = share('alive', { cells: [0], queue: queue({ 1: ran }) });
    const [cell] = judgeSweep({ cells }, [first, second]);
    expect(cell).toMatchObject({ state: { kind: 'copying' }, share: 1, isTwice: false });
    const lost = share('over', { cells: [0], queue: queue({}) });
    expect(judgeSweep({ cells }, [first, lost])[0]).toMatchObject({
      state: { kind: 'uncopied' },
      share: 0,
    });
  });
});
