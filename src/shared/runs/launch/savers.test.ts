import { expect, it } from 'vitest';
import { judgeSavers } from './checks/savers-check.ts';
import { readSavers, type Savers } from './savers.ts';

const ID = 'r-20261123-023000-1a2b3c4d';
const NONE: Savers = { live: [], unplaced: [], past: null, held: 0, isLate: false };
const saver = (name: string | null = 'old') => ({ id: ID, name });

it('reads who saves there, and what of a name a box made up', () => {
  const told = [
    'motd',
    `MARK live ${ID} {"version":1,"id":"${ID}","name":"a \\"b\\" \\u00e9","command":"cut he`,
    `MARK live ${ID} {"name":"half`,
    `MARK live ../../x {"name":"no id"}`,
    `MARK elsewhere ${ID} {"name":"there"}`,
    `MARK unplaced ${ID} {"name":"older"}`,
    `MARK over ${ID} {"name":"\\q"}`,
    'MARK held 3',
    'MARK whole',
    '',
  ].join('\n');
  expect(readSavers(told, 'MARK')).toEqual({
    live: [saver('a "b" é'), saver(null), { ...saver('there'), isElsewhere: true }],
    unplaced: [saver('older')],
    past: saver(null),
    held: 3,
    isLate: false,
  });
  expect(readSavers(told.replace('MARK whole', ''), 'MARK')).toBeNull();
  expect(readSavers('MARK late\nMARK whole\n', 'MARK')).toMatchObject({ isLate: true, held: null });
});

it.each<[string, Parameters<typeof judgeSavers>, string | undefined, string]>([
  [
    'nobody',
    [{ results: 'out', cells: null, goesOn: false }, NONE],
    'pass',
    'No other run saves into out.',
  ],
  ['no answer', [{ results: 'out', cells: null, goesOn: false }, null], 'unknown', 'not known'],
  [
    'one of another machine',
    [
      { results: 'out', cells: null, goesOn: true },
      { ...NONE, live: [{ ...saver(), isElsewhere: true }] },
    ],
    'block',
    '“old” was launched on another machine that has this home, or on this one under another name, and no end is written down: what saves into out',
  ],
  [
    'one of another machine, which saves who knows where',
    [
      { results: null, cells: null, goesOn: true },
      { ...NONE, live: [{ ...saver(), isElsewhere: true }] },
    ],
    'block',
    'the same command in the same folder may still run there.',
  ],
  [
    'a late one',
    [
      { results: 'out', cells: null, goesOn: false },
      { ...NONE, isLate: true },
    ],
    'unknown',
    'not known',
  ],
  [
    'files of nobody',
    [
      { results: 'out', cells: null, goesOn: false },
      { ...NONE, held: 1 },
    ],
    'pass',
    'It holds files of no run',
  ],
  [
    'an old run',
    [
      { results: 'out', cells: null, goesOn: false },
      { ...NONE, held: 1, past: saver() },
    ],
    'warn',
    '“old”, which is over',
  ],
  [
    'an old run that left nothing',
    [
      { results: 'out', cells: null, goesOn: false },
      { ...NONE, past: saver() },
    ],
    'pass',
    'No other run',
  ],
  [
    'its own past',
    [
      { results: 'out', cells: null, goesOn: true },
      { ...NONE, held: 1, past: saver() },
    ],
    'pass',
    'No other run',
  ],
  [
    'cells with files',
    [
      { results: 'r', cells: 9, goesOn: false },
      { ...NONE, held: 4, past: saver() },
    ],
    'warn',
    '4 of the 9 cell folders hold files already, as of “old”.',
  ],
  [
    'a live one without a name',
    [
      { results: 'out', cells: null, goesOn: true },
      { ...NONE, live: [saver('\u202e')] },
    ],
    'block',
    `${ID} saves into out right now`,
  ],
  [
    'one that does not say where',
    [
      { results: 'out', cells: null, goesOn: false },
      { ...NONE, unplaced: [saver()], past: saver() },
    ],
    'unknown',
    'Where “old” saves is not known, because an older version launched it.',
  ],
  [
    'one that does not say where, where this one does not, either',
    [
      { results: null, cells: null, goesOn: false },
      { ...NONE, unplaced: [saver(), saver('older')] },
    ],
    'unknown',
    'Where “old” and “older” save is not known, because an older version launched them.',
  ],
  [
    'the same command',
    [
      { results: null, cells: null, goesOn: false },
      { ...NONE, live: [saver()] },
    ],
    'block',
    '“old” runs the same command',
  ],
  ['nothing to say', [{ results: null, cells: null, goesOn: false }, NONE], undefined, ''],
])('%s: %j is %s', (_what, args, answer, says) => {
  const [check] = judgeSavers(...args);
  expect(check?.answer).toBe(answer);
  expect(check?.says ?? '').toContain(says);
  if (answer === 'block') expect(check?.anyway).not.toBeNull();
});
