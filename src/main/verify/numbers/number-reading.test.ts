import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keyText, parseKey } from '../../../shared/verify/numbers/number-key.ts';
import { withFolder } from '../../storage/disk.fixture.ts';
import { readNumbers } from '../../workers/read-numbers.ts';

const SPECIMENS = new URL('../specimens/', import.meta.url);
const silent = (): void => undefined;

/** What is in a file of this name: every key with what stands there, or why nothing is told. */
async function listed(name: string, content: string | URL): Promise<readonly string[]> {
  let told: readonly string[] = [];
  await withFolder(async (folder) => {
    const path = join(folder, 'file');
    if (typeof content === 'string') writeFileSync(path, content);
    else copyFileSync(content, path);
    const { because, listed: all } = await readNumbers({ path, name, keys: null }, silent);
    told =
      because === null
        ? all.flatMap(({ parts, values }) =>
            values.map(({ row, literal }) => `${keyText({ parts, row })} ${literal}`),
          )
        : [because];
  });
  return told;
}

async function found(name: string, content: string, ...keys: string[]): Promise<readonly string[]> {
  let told: readonly string[] = [];
  await withFolder(async (folder) => {
    const path = join(folder, 'file');
    writeFileSync(path, content);
    const asked = keys.map((text) => {
      const key = parseKey(text);
      if (!key.ok) throw new Error(key.error);
      return key.value;
    });
    const read = await readNumbers({ path, name, keys: asked }, silent);
    if (read.because !== null) throw new Error(read.because);
    told = read.found.map((each) => (each.kind === 'found' ? each.literal : each.because));
  });
  return told;
}

it('numbers of JSON stand as they are written, whatever a parser would make of them', async () => {
  const text = `{"acc": 0.9130, "big": 12345678901234567890, "say": "1.5 \\"2\\"", "a.b": {"c": [1e-3, [NaN], {"d": -0}]},
    "none": null, "deep": ${'['.repeat(40)}7${']'.repeat(40)}, "last": -Infinity, "ok": true}`;
  expect(await listed('metrics.json', text)).toEqual([
    'acc 0.9130',
    'big 12345678901234567890',
    '["a.b"].c[0] 1e-3',
    '["a.b"].c[1][0] NaN',
    '["a.b"].c[2].d -0',
    'last -Infinity',
  ]);
});

it('a key that stands twice is told, and never one of the two', async () => {
  const text = '{"acc": 0.9, "acc": 0.8, "b": 1}';
  expect(await listed('a.json', text)).toEqual(['b 1']);
  expect(await found('a.json', text, 'acc', 'b', 'c', 'b@last')).toEqual([
    'this key stands in it more than once',
    '1',
    'it has no number under this key',
    'it has no number under this key',
  ]);
});

it('numbers of YAML stand there once, also where a text ends its lines as they ended until YAML 1.2', async () => {
  expect(await listed('a.yaml', 'acc: 0.913\nsay: |2-\n\u0085  b\nlast: 2\n')).toEqual([
    ...['acc 0.913', 'last 2'],
  ]);
});

it('records by the line: the last, the lowest, the highest, and at a step', async () => {
  const text =
    '{"step": 1, "loss": 0.50, "eval": {"f1": 0.1}}\n\n{"step": 2, "loss": 0.3}\r\n{"step": 2, "loss": NaN}\n{"step": 3, "loss": 0.40}\n';
  expect(await listed('log.jsonl', text)).toEqual([
    'step@last 3',
    'step@lowest 1',
    'step@highest 3',
    'loss@last 0.40',
    'loss@lowest 0.3',
    'loss@highest 0.50',
    'eval.f1@last 0.1',
    'eval.f1@lowest 0.1',
    'eval.f1@highest 0.1',
  ]);
  expect(await found('log.jsonl', text, 'loss@1', 'loss@2', 'loss@9', 'eval.f1@2')).toEqual([
    '0.50',
    'NaN',
    'it has no number under this key at step 9',
    'it has no number under this key at step 2',
  ]);
});

it('tables by their columns, with cells that are empty and names that stand twice', async () => {
  const text =
    'epoch,step,train loss,"a,b",acc,acc\n0,10,0.9,1,2,3\n0,20,,4,5,6\n1,30,0.80,x,8,9\n';
  expect(
    await found('log.csv', text, 'train loss@last', 'train loss@20', '["a,b"]@highest'),
  ).toEqual(['0.80', 'it has no number under this key at step 20', '4']);
  expect(await found('log.csv', text, 'acc@last', 'train loss@10')).toEqual([
    'it has no number under this key',
    '0.9',
  ]);
  expect(await listed('bare.tsv', '1\t2\n3\t4\n')).toContain('column 2@highest 4');
  const wide = Array.from({ length: 20 }, (_, at) => `c${String(at)}`);
  const row = wide.map((_, at) => String(at)).join(',');
  expect(await found('wide.csv', `${wide.join(',')}\n${row}\n`, 'c19@last')).toEqual(['19']);
});

it('what the libraries wrote is listed', async () => {
  const of = (name: string, as = name) => listed(as, new URL(name, SPECIMENS));
  expect(await of('texts/PyYAML-6.0.3--hparams.yaml', 'hparams.yaml')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^[a-z_.]+ [\d.e-]+$/)]),
  );
  expect(await of('tables/pandas-3.1.1--log.csv', 'log.csv')).toContain('step@last 200');
  expect(
    await of('records/tensorflow-2.21.0--events.out.tfevents.1.v2', 'events.out.tfevents.1.v2'),
  ).toEqual(expect.arrayContaining([expect.stringMatching(/^train\/loss@lowest /)]));
});

it.each([
  ['a.json', '{"a": 1', 'it is damaged: it is no valid JSON'],
  ['a.csv', 'a,b\n1', 'it is damaged: the row that ends in line 2 has 1 column'],
  ['a.csv', 'a,b\n1\n', 'the row that ends in line 2 has 1 column'],
  ['a.yaml', 'a: [1', 'it is damaged: it is no valid YAML'],
  ['a.bin', '1', 'Leasehold reads no single numbers of such a file'],
  ['a.txt', '1', 'Leasehold has no reader for such a file'],
  ['a.png', '1', 'it is damaged'],
])('%s with %j gives no number', async (name, content, because) => {
  const told = await listed(name, content);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(because);
});
