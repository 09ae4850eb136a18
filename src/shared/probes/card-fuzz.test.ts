import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCardReportForm, parseCardReport } from './card-forms.ts';
import { parsePmon } from './pmon.ts';
import { queryForm } from './query-form.ts';
import { parseQuery, type QueryRow } from './query.ts';
import { sample } from './sample.fixture.ts';

interface Read {
  readonly rows: readonly QueryRow[];
  readonly unreadable: readonly string[];
}

function read(text: string): Read {
  const form = queryForm(text);
  if (isCardReportForm(form)) return parseCardReport(form, text);
  return form === 'process-monitor' ? parsePmon(text) : parseQuery(text, true);
}

const SAMPLES = [
  'query-form--h100-590-q-load',
  'query-form--rtx2080s-610-q-load',
  'query-form--a100-535-q-x',
  'query-form--h100-mig-590-table-load',
  'query-form--a100-table-one-err',
  'query-form--rtx4080s-595-pmon-load',
  'query-form--h100-mig-590-list',
  'query--h100-590-csv-load',
];

/** Damage that shows: no digit becomes another digit. */
const damage = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({
    kind: fc.constant('insert' as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    text: fc.constantFrom(
      '\x1b[31m',
      '\ufffd',
      '\0',
      ',',
      '\n',
      '\r',
      'GPU is lost',
      '-',
      '|',
      '<',
      ':',
    ),
  }),
  fc.record({ kind: fc.constant('join' as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
);

type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

function damaged(text: string, how: Damage): string {
  const at = Math.floor(how.at * (text.length - 1));
  if (how.kind === 'cut') return text.slice(0, at);
  if (how.kind === 'insert') return text.slice(0, at) + how.text + text.slice(at);
  const newline = text.indexOf('\n', at);
  return newline < 0 ? text : text.slice(0, newline) + text.slice(newline + 1);
}

/** Every figure with its unit, by the name of its field. */
function figures(rows: readonly QueryRow[]): ReadonlySet<string> {
  return new Set(
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([field, cell]) =>
        cell.kind === 'value' && cell.unit !== null && /^[\d.]+$/.test(cell.text)
          ? [`${field} ${cell.text} ${cell.unit}`]
          : [],
      ),
    ),
  );
}

describe.each(SAMPLES)('%s', (name) => {
  const { text } = sample(name);
  const truth = figures(read(text).rows);

  it('gives no figure that it did not say, whatever happens to it on the way', () => {
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
        const after = damages.reduce(damaged, text);
        for (const said of figures(read(after).rows)) expect(truth).toContain(said);
      }),
      { numRuns: 40 },
    );
  });
});

it('never throws, and keeps a bounded piece of anything', () => {
  const heads = ['', ...SAMPLES.map((name) => sample(name).text.slice(0, 600))];
  fc.assert(
    fc.property(
      fc.constantFrom(...heads),
      fc.string({ unit: 'binary', maxLength: 300 }),
      (head, noise) => {
        const { unreadable } = read(head + noise);
        for (const line of unreadable) expect(line.length).toBeLessThan(250);
      },
    ),
    { numRuns: 150 },
  );
});

it.each(SAMPLES)('looks into no endless line after %s', (name) => {
  const { text } = sample(name);
  const before = read(text);
  const { rows, unreadable } = read(`${text}${'7 '.repeat(5_000_000)}`);
  expect(figures(rows)).toEqual(figures(before.rows));
  expect(unreadable.length).toBeGreaterThan(before.unreadable.length);
});
