// How well the app knows what is wrong with a box: labelled incidents, each played on a real machine behind a real sshd, and a
// week of a box that is well. `npm run bench -- incidents` prints each wrong answer and a table by id.
import { nameOf, type Label } from '../incidents/incident.ts';
import { playAll } from '../incidents/play.ts';
import { scoresOf, type IdScore, type Verdict } from '../incidents/score.ts';
import { replayWeek, type WeekResult } from '../incidents/week/replay-week.ts';
import { report, type BenchRow } from './harness.ts';

const SEED = 7;
const WEEK_S = 7 * 86_400;
const LABELS: readonly Label[] = ['found', 'clear', 'unknown'];

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function sayWrong({ incident, got, isRight, falseAlarms, because }: Verdict): void {
  if (isRight && falseAlarms.length === 0) return;
  const alarms = falseAlarms.length === 0 ? '' : `, false: ${falseAlarms.join(', ')}`;
  say(`WRONG ${nameOf(incident)} → ${got ?? 'nothing'}${alarms} (${because})`);
}

function rowsOf({ id, counts, falseAlarms }: IdScore): readonly BenchRow[] {
  const rows = LABELS.filter((label) => counts[label].expected > 0).map((label): BenchRow => {
    const { expected, got } = counts[label];
    return {
      measure: `${id} ${label}, of ${expected}`,
      value: got,
      unit: 'incidents',
      goal: 'all',
      isMet: got === expected,
    };
  });
  return [...rows, noneRow(`${id} false alarms`, falseAlarms)];
}

function noneRow(measure: string, value: number): BenchRow {
  return { measure, value, unit: 'alarms', goal: 'none', isMet: value === 0 };
}

function totals(scores: readonly IdScore[]): readonly BenchRow[] {
  const sum = (label: Label, part: 'expected' | 'got'): number =>
    scores.reduce((total, { counts }) => total + counts[label][part], 0);
  const pct = (100 * sum('found', 'got')) / sum('found', 'expected');
  const alarms = scores.reduce((total, { falseAlarms }) => total + falseAlarms, 0);
  return [
    {
      measure: `recall over ${sum('found', 'expected')} incidents to be found`,
      value: Math.round(10 * pct) / 10,
      unit: '%',
      goal: '100',
      isMet: pct === 100,
    },
    noneRow('false alarms in all', alarms),
  ];
}

function weekRows({ seconds, rows, patrolLooks, falseAlarms }: WeekResult): readonly BenchRow[] {
  const each = [...falseAlarms].map(([id, { count, firstS }]) =>
    noneRow(`healthy week, ${id}, first at second ${firstS}`, count),
  );
  const all = [...falseAlarms.values()].reduce((total, { count }) => total + count, 0);
  const days = Math.round((10 * seconds) / 86_400) / 10;
  const what = `${days} healthy days, ${rows} rows, ${patrolLooks} patrols`;
  return [...each, noneRow(`false alarms over ${what}`, all)];
}

const startedAtMs = performance.now();
/** `INCIDENTS="AD4 AD5" npm run bench -- incidents`: only these, and no week. */
const wanted = (process.env['INCIDENTS'] ?? '').split(' ').filter((id) => id !== '');
const { verdicts, left } = await playAll(({ id }) => wanted.length === 0 || wanted.includes(id));
verdicts.forEach(sayWrong);
for (const { incident, because } of left) say(`not here: ${nameOf(incident)} (${because})`);
const playedAtMs = performance.now();
const week = wanted.length === 0 ? await replayWeek(SEED, WEEK_S) : null;
const scores = scoresOf(verdicts);
report({
  name: 'incidents',
  rows: [
    ...scores.flatMap(rowsOf),
    ...totals(scores),
    { measure: 'incidents that this machine cannot play', value: left.length, unit: 'incidents' },
    ...(week === null ? [] : weekRows(week)),
    {
      measure: 'playing the incidents',
      value: Math.round((playedAtMs - startedAtMs) / 1000),
      unit: 's',
    },
    {
      measure: 'replaying the week',
      value: Math.round((performance.now() - playedAtMs) / 1000),
      unit: 's',
    },
  ],
});
