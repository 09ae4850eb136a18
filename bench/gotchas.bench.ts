// How well the handbook's search knows what people paste and type, and what it costs.
import { labelledTexts, shippedGotchas } from '../src/main/gotchas/gotchas.fixture.ts';
import { publicEnds, scoreOf, type PublicEnd } from '../src/main/gotchas/public-ends.fixture.ts';
import { buildIndex, search } from '../src/shared/gotchas/search.ts';
import { report, type BenchRow } from './harness.ts';

const GOAL_FIRST_PCT = 90;
const GOAL_THREE_PCT = 100;
const REPEATS = 20;
const LONG_PASTE_CHARS = 2_000_000;

const gotchas = shippedGotchas();
const index = buildIndex(gotchas);
const texts = labelledTexts();
const labelled = texts.filter(({ expected }) => expected !== null);
const others = texts.filter(({ expected }) => expected === null);

/** Of the labelled texts, those whose entry is among the first so many. */
function recallPct(count: number): number {
  const found = labelled.filter(({ expected, text }) =>
    search(index, text)
      .hits.slice(0, count)
      .some(({ id }) => id === expected),
  );
  return Math.round((1000 * found.length) / labelled.length) / 10;
}

function recallRow(count: number, goal: number): BenchRow {
  const value = recallPct(count);
  return {
    measure: `entry within the first ${count}, of ${labelled.length} labelled texts`,
    value,
    unit: '%',
    goal: `at least ${goal}`,
    isMet: value >= goal,
  };
}

/** The median, in milliseconds. */
function timed(work: () => void): number {
  const took = Array.from({ length: REPEATS }, () => {
    const startedAtMs = performance.now();
    work();
    return performance.now() - startedAtMs;
  }).sort((a, b) => a - b);
  return Math.round((took[REPEATS / 2] ?? 0) * 100) / 100;
}

const ends = publicEnds();

/** How the triage does on log ends after public issues (see PublicEnd); its words were tuned on one half only. */
function endRows(half: PublicEnd['half']): readonly BenchRow[] {
  const { failures, named, wrong } = scoreOf(ends.filter((each) => each.half === half));
  const value = Math.round((1000 * named) / failures) / 10;
  return [
    { measure: `named of ${failures} public log ends, ${half} half`, value, unit: '%' },
    {
      measure: `wrongly named, ${half} half`,
      value: wrong,
      unit: 'texts',
      goal: 'none',
      isMet: wrong === 0,
    },
  ];
}

const falseSigns = others.filter(({ text }) =>
  search(index, text).hits.some(({ reason }) => reason.kind === 'sign'),
).length;
const line = 'epoch 3 step 1200 loss 2.114 lr 1.0e-04\n';
const long = line.repeat(LONG_PASTE_CHARS / line.length);

report({
  name: 'gotchas',
  rows: [
    recallRow(1, GOAL_FIRST_PCT),
    recallRow(3, GOAL_THREE_PCT),
    {
      measure: `signs seen in ${others.length} texts that show nothing`,
      value: falseSigns,
      unit: 'texts',
      goal: 'none',
      isMet: falseSigns === 0,
    },
    ...endRows('tuned'),
    ...endRows('untouched'),
    { measure: 'making the index', value: timed(() => void buildIndex(gotchas)), unit: 'ms' },
    {
      measure: 'a search for two words',
      value: timed(() => void search(index, 'gpu throttling')),
      unit: 'ms',
    },
    { measure: 'a pasted log of 2 MB', value: timed(() => void search(index, long)), unit: 'ms' },
  ],
});
