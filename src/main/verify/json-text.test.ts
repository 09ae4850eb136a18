import { expect, it } from 'vitest';
import { load, loadAll, specimen } from './load.fixture.ts';

it('what Python wrote is loaded', async () => {
  expect(await loadAll('texts')).toEqual({
    'PyYAML-6.0.3--documents.yaml': '3 documents',
    'PyYAML-6.0.3--flow.yml': '1 field',
    'PyYAML-6.0.3--hparams.yaml': '8 fields',
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
