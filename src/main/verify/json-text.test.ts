import { expect, it } from 'vitest';
import { load, loadAll, specimen } from './load.fixture.ts';

it('what Python wrote is loaded', async () => {
  expect(await loadAll('texts')).toEqual({
    'PyYAML-6.0.3--documents.yaml': '3 documents',
    'PyYAML-6.0.3--flow.yml': '1 field',
    'PyYAML-6.0.3--hparams.yaml': '8 fields',
    'pandas-3.1.1--records.json': '3 records',
    'pandas-3.1.1--table.json': '3 fields',
    'python--log.jsonl': '3 records',
    'python--metrics.json': '3 fields',
  });
});

it('records that are cut off or no text are found out', async () => {
  const whole = specimen('texts/python--log.jsonl');
  expect(await load('x.jsonl', whole.subarray(0, -5))).toBe(
    'damaged: it is no valid JSON in line 3',
  );
  expect(await load('x.jsonl', Buffer.from([0x22, 0xff, 0x22]))).toBe('damaged: it is not UTF-8');
  expect(await load('x.json', Buffer.from('{"a": NaN, "b": "NaN"'))).toBe(
    'damaged: it is no valid JSON',
  );
});

it('two bytes a letter are read where the first ones say so', async () => {
  const text = Buffer.from('\ufeff{"a": [1, "ü"]}', 'utf16le');
  expect(await load('x.json', text)).toMatchObject({ holds: '1 field' });
  expect(await load('x.json', Buffer.from(text).swap16())).toMatchObject({ holds: '1 field' });
  expect(await load('x.yaml', text)).toMatchObject({ holds: '1 field' });
  expect(await load('x.json', text.subarray(0, -1))).toBe('damaged: it is not UTF-16');
});

it('a record in each line is loaded as such under the name that pandas and datasets give it', async () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) => `{"step": ${String(at)}, "loss": NaN}\n`).join('');
  expect(await load('x.json', Buffer.from(lines(3)), 7)).toEqual({
    kind: 'loaded',
    format: 'jsonl',
    holds: '3 records',
  });
  expect(await load('x.json', Buffer.from(`[1]\n\n[2]`))).toMatchObject({ holds: '2 records' });
  // One line is one text; and so is a record that takes several.
  expect(await load('x.json', Buffer.from(`${lines(1)}\n `))).toMatchObject({ format: 'json' });
  expect(await load('x.json', Buffer.from('[\n1,\n2]\n'))).toMatchObject({ format: 'json' });
  expect(await load('x.json', Buffer.from(lines(3)).subarray(0, -4))).toBe(
    'damaged: it is no valid JSON in line 3',
  );
  // Longer than a text that is held in memory, and its first line than what is looked through at once.
  const long = `{"text": "${'x'.repeat(70_000)}"}\n`.repeat(500);
  expect(await load('x.json', Buffer.from(long))).toMatchObject({ holds: '500 records' });
});
