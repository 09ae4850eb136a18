import { expect, it } from 'vitest';
import { load, loadAll, passedOf, specimen } from '../load.fixture.ts';

const of = (text: string, name = 'x.csv') => load(name, Buffer.from(text));

it('what the libraries wrote is loaded', async () => {
  expect(await loadAll('tables')).toEqual({
    'numpy-2.4.6--header.csv': '4 rows, 3 columns: # a, b, c',
    'numpy-2.4.6--remark.csv': '4 rows, 3 columns without names',
    'numpy-2.4.6--savetxt.csv': '4 rows, 3 columns without names',
    'pandas-3.1.1--escaped.csv': '3 rows, 3 columns: step, loss, note',
    'pandas-3.1.1--log.csv': '3 rows, 3 columns: step, loss, note',
    'pandas-3.1.1--log.tsv': '3 rows, 3 columns: step, loss, note',
    'pandas-3.1.1--no-quotes.tsv': '2 rows, 2 columns: a, b',
    'pandas-3.1.1--no-rows.csv': '0 rows, 3 columns: step, loss, note',
    'pandas-3.1.1--one-column.csv': '3 rows, 1 column: loss',
    'pandas-3.1.1--semicolon.csv': '3 rows, 3 columns: step, loss, note',
    'pandas-3.1.1--utf-16.csv': 'not loadable: it is UTF-16, and Leasehold reads tables in UTF-8',
    'pandas-3.1.1--windows.csv': '3 rows, 4 columns: column 1, step, loss, note',
    'python--excel.csv': '3 rows, 2 columns: name, size',
  });
});

it.each([1, 2, 3, 7, 1 << 20])('cells are looked at in pieces of %i bytes', async (piece) => {
  const whole = specimen('tables/pandas-3.1.1--log.csv');
  expect(await load('x.csv', whole, piece)).toEqual({
    kind: 'loaded',
    format: 'csv',
    holds: '3 rows, 3 columns: step, loss, note',
    numbers: {
      ...{ scanned: 7, nonFinite: 3, allZero: [] },
      affected: [
        { tensor: 'loss', count: 2 },
        { tensor: 'note', count: 1 },
      ],
    },
  });
  const windows = await load('x.csv', specimen('tables/pandas-3.1.1--windows.csv'), piece);
  expect(windows).toMatchObject({ holds: '3 rows, 4 columns: column 1, step, loss, note' });
});

it('what is cut off within a row is found out or told', async () => {
  const whole = Buffer.from('step,note\n1,"two\nlines"\n2,b\n');
  const found = async (bytes: number): Promise<string> => {
    const loaded = await load('x.csv', whole.subarray(0, bytes));
    if (typeof loaded === 'string') return loaded.split(':')[0]!;
    return loaded.kind === 'loaded' && loaded.holds.endsWith('its last line has no end')
      ? 'told'
      : 'whole';
  };
  const all = await Promise.all(Array.from({ length: whole.length + 1 }, (_, at) => found(at)));
  const wholeRows = [10, 24, 28];
  expect(all.flatMap((each, at) => (each === 'whole' ? [at] : []))).toEqual(wholeRows);
  expect(all[0]).toBe('not loadable');
});

it('a table in an older encoding is not loaded, and damaged only where its rows are', async () => {
  const table = (text: string) => load('x.csv', Buffer.from(text, 'latin1'));
  expect(await table('a,b\nü,2\n')).toBe(
    'not loadable: it is not UTF-8, and may be of an older encoding',
  );
  expect(await table('a,b\nü,2\n3')).toMatch(/^damaged: the row that ends in line 3/);
});

it.each([
  ['a,b\n1,2\n3', 'the row that ends in line 3 has 1 column, and those before 2'],
  ['a,b\n1,"2\n3,4\n', 'the quote that begins in line 2 has no end'],
  ['a,b\n1,"2"3\n', 'a cell in line 2 goes on behind its closing quote'],
  ['a,b\n1,2\n\0\0\0', 'there are zero bytes in line 3'],
])('%j is damaged', async (text, because) => {
  expect(await of(text)).toBe(`damaged: ${because}`);
});

it.each([
  ['a,b\n1,2\n3\n', 'the row that ends in line 3 has 1 column, and those before 2'],
  ['a,b\n1,2\n1,2,3\n', 'the row that ends in line 3 has 3 columns, and those before 2'],
  ['a,b\r\n"1\r\n\r\n",2\r\n3\r\n', 'the row that ends in line 5 has 1 column, and those before 2'],
  ['', 'it holds no row, not even names of columns'],
  ['\n\n', 'it holds no row, not even names of columns'],
])('%j may be what was meant, and is no table that is loaded', async (text, because) => {
  expect(await of(text)).toBe(`not loadable: ${because}`);
});

it.each([
  ['x.csv', '"loss","step"\n"1",0.5,1\n"2",NA,2\n'],
  ['x.tsv', '"loss"\t"step"\n"1"\t0.5\t1\n"2"\tNA\t2\n'],
  ['x.csv', '"loss" "step"\n"1" 0.5 1\n"2" NA 2\n'],
  ['x.tsv', '"loss"   "step"\n"1"  0.5 1\n"22" NA  2\n'],
])('the names that R gives rows are a column: %s %j', async (name, text) => {
  expect(await of(text, name)).toMatchObject({
    holds: '2 rows, 3 columns: column 1, loss, step',
    numbers: { scanned: 3 },
  });
});

it('a table with quotes that lost the end of a row is not taken for one without', async () => {
  const whole = specimen('tables/pandas-3.1.1--log.tsv').toString();
  const lost = whole.replace('went on"\n', 'went on"\x0e');
  expect(lost).not.toBe(whole);
  expect(await of(lost, 'x.tsv')).toBe(
    'not loadable: it has doubled quotes, as in a table with quotes, and its rows are of one length without them only',
  );
  // As one without quotes may say it.
  const plain = 'a\tb\n"open\t1\nx ""y""\t2"\n""\t3\n';
  expect(await of(plain, 'x.tsv')).toMatchObject({ holds: '3 rows, 2 columns: a, b' });
});

it('a last letter that is cut off is found out', async () => {
  expect(await passedOf('x.csv', [Buffer.from('a\né').subarray(0, -1)])).toEqual([]);
});

it('a remark and a blank line are no rows', async () => {
  expect(await of('# by hand\na,b\n\n1,2\n# the end\n')).toMatchObject({
    holds: '1 row, 2 columns: a, b',
  });
});

it('keeps no more than the beginning of what is long', async () => {
  const wide = `${'x'.repeat(100)},${'a,'.repeat(50_000)}\n`;
  const found = await of(wide);
  expect(found).toMatchObject({ kind: 'loaded' });
  expect(JSON.stringify(found).length).toBeLessThan(300);
});
