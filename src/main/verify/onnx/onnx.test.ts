import { expect, it } from 'vitest';
import { MAX_HELD } from './graph-names.ts';
import { cutsOf, flipsOf, load, loadAll, passedOf, specimen } from '../load.fixture.ts';

const whole = specimen('onnx/onnx-1.23.2--matmul.onnx');
const kinds = specimen('onnx/onnx-1.23.2--kinds.onnx');

it('what the library wrote is loaded', async () => {
  expect(await loadAll('onnx')).toEqual({
    'onnx-1.23.2--branch.onnx': '5 nodes, 3 tensors, 9 numbers',
    'onnx-1.23.2--kinds.onnx': '1 node, 18 tensors, 79 numbers',
    'onnx-1.23.2--matmul.onnx': '1 node, 1 tensor, 32 numbers',
  });
});

it.each([1, 7, 1 << 20])('numbers are looked at in pieces of %i bytes', async (piece) => {
  expect(await load('x.onnx', kinds, piece)).toMatchObject({
    numbers: {
      nonFinite: 3,
      affected: [
        { tensor: 'weight', count: 1 },
        { tensor: 'half', count: 1 },
        { tensor: 'given', count: 1 },
      ],
      allZero: ['double'],
    },
  });
});

it('is found out wherever it is cut off, and with a byte too many', async () => {
  for (const bytes of [whole, kinds]) expect(await passedOf('x.onnx', cutsOf(bytes))).toEqual([]);
});

/** A message as protobuf has it: its fields one after the other. */
const field = (no: number, content: Buffer | number): Buffer =>
  typeof content === 'number'
    ? Buffer.concat([varint(no * 8), varint(content)])
    : Buffer.concat([varint(no * 8 + 2), varint(content.length), content]);
const text = (no: number, content: string): Buffer => field(no, Buffer.from(content));

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; bytes.length === 0 || rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) + (rest >= 128 ? 128 : 0));
  }
  return Buffer.from(bytes);
}

const modelOf = (...graph: readonly Buffer[]): Buffer =>
  Buffer.concat([field(1, 10), field(7, Buffer.concat(graph)), field(8, field(2, 21))]);

/** Of float32 numbers, three of them, and what else is said of it. */
const withTensor = (...more: readonly Buffer[]): Buffer =>
  modelOf(field(5, Buffer.concat([field(1, 3), field(2, 1), text(8, 'w'), ...more])));

it('a model of which each part is right is loaded', async () => {
  expect(await load('x.onnx', withTensor(field(9, Buffer.alloc(12))))).toMatchObject({
    holds: '0 nodes, 1 tensor, 3 numbers',
  });
});

const entry = (key: string, value: string): Buffer =>
  field(13, Buffer.concat([text(1, key), text(2, value)]));
const outside = field(14, 1);

it.each([
  ['too few bytes', withTensor(field(9, Buffer.alloc(11)))],
  ['too many bytes', withTensor(field(9, Buffer.alloc(16)))],
  ['no bytes', withTensor()],
  ['values one by one, and one too few', withTensor(field(4, Buffer.alloc(8)))],
  ['values one by one that are cut off', withTensor(field(4, Buffer.alloc(11)))],
  ['values of another type', withTensor(field(7, Buffer.alloc(3)))],
  ['values beside its bytes', withTensor(field(9, Buffer.alloc(12)), field(4, Buffer.alloc(12)))],
  ['a second size', withTensor(field(1, 2), field(9, Buffer.alloc(12)))],
  ['a size beyond all', withTensor(field(1, 2 ** 52), field(9, Buffer.alloc(12)))],
  ['no type', withTensor(field(2, 0), field(9, Buffer.alloc(12)))],
  ['bytes here and in another file', withTensor(field(9, Buffer.alloc(12)), outside)],
  ['another file that has no name', withTensor(outside, entry('offset', '0'))],
  ['a place that is none', withTensor(outside, entry('location', 'a'), entry('offset', '-4'))],
  ['a number where a graph is to be', Buffer.concat([field(1, 10), field(7, 3)])],
  ['a group, which protobuf gave up', Buffer.concat([whole, Buffer.from([0x0b])])],
  ['a name that is no text', withTensor(field(8, Buffer.from([0xff])), field(9, Buffer.alloc(12)))],
])('is found out with %s', async (_what, bytes) => {
  expect(await load('x.onnx', bytes)).toMatch(/^damaged: /);
});

it('is found out with more levels than any model, and is not lost in them', async () => {
  let graph: Buffer = Buffer.alloc(0);
  for (let level = 0; level < 400; level += 1) {
    graph = field(1, field(5, field(6, graph)));
  }
  expect(await load('x.onnx', modelOf(graph))).toBe('damaged: it has more levels than any model');
});

it('a name that nothing gives is found out, whichever letter of it is another', async () => {
  for (const name of ['x', 'weight', 'y']) {
    const at = whole.indexOf(Buffer.concat([varint(name.length), Buffer.from(name)]));
    expect(at).toBeGreaterThan(0);
    const passed: string[] = [];
    for (const bytes of flipsOf(whole, at + 1, at + 1 + name.length)) {
      const found = await load('x.onnx', bytes);
      if (typeof found !== 'string') passed.push(Buffer.from(bytes).toString());
    }
    expect(passed).toEqual([]);
  }
});

/** An operator that a writer made up in a domain of its own. */
const own = Buffer.concat([text(4, 'Own'), text(7, 'example')]);
/** A value of any type. */
const value = (name: string): Buffer => Buffer.concat([text(1, name), field(2, Buffer.alloc(0))]);

it('a graph within a node may need what stands before that node, and nothing else', async () => {
  const node = (needs: string, gives: string, ...more: readonly Buffer[]) =>
    field(1, Buffer.concat([text(1, needs), text(2, gives), own, ...more]));
  const inner = (needs: string) =>
    field(5, Buffer.concat([text(1, 'body'), field(6, node(needs, 'z')), field(20, 5)]));
  const given = field(11, value('x'));
  const model = (needs: string) => modelOf(node('x', 'a'), node('', 'b', inner(needs)), given);
  for (const needs of ['x', 'a', '']) {
    expect(await load('x.onnx', model(needs))).toMatchObject({ kind: 'loaded' });
  }
  expect(await load('x.onnx', model('b'))).toMatch(/^damaged: it needs "b"/);
});

it('what a function says of values that no node of it gives is not asked for', async () => {
  const graph = [field(11, value('x')), field(12, value('x'))];
  const told = field(25, Buffer.concat([text(1, 'F'), field(12, value('unused'))]));
  const model = Buffer.concat([modelOf(...graph), told]);
  expect(await load('x.onnx', model)).toMatchObject({ kind: 'loaded' });
});

it('a name that is longer than any is looked at is no damage', async () => {
  const graph = [field(11, value('x')), field(1, text(2, 'n'.repeat(5000)))];
  expect(await load('x.onnx', modelOf(...graph))).toMatch(/^not loadable: a name in it/);
});

it('any number of nodes within a node may need what stands before it', async () => {
  const node = field(1, Buffer.concat([text(1, 'x'), own]));
  const nodes = field(6, Buffer.alloc(200_000 * node.length, node));
  const inner = field(5, Buffer.concat([text(1, 'body'), nodes, field(20, 5)]));
  const around = field(1, Buffer.concat([inner, own]));
  const model = (given: string) => modelOf(around, field(11, value(given)));
  expect(await load('x.onnx', model('x'))).toMatchObject({ kind: 'loaded' });
});

it('of more nodes than are held the names are not looked at, and that is said', async () => {
  const node = field(1, own);
  const nodes = Buffer.alloc(MAX_HELD * node.length, node);
  const lost = field(1, Buffer.concat([text(1, 'lost'), own]));
  expect(await load('x.onnx', modelOf(nodes, lost))).toMatchObject({
    holds: `${String(MAX_HELD + 1)} nodes, 0 tensors, 0 numbers, too many names to look at`,
  });
});

const ofOperator = (name: string, domain: string, ...more: readonly Buffer[]): Buffer =>
  field(1, Buffer.concat([text(1, 'x'), text(2, 'y'), text(4, name), text(7, domain), ...more]));
const attribute = (name: string, ...more: readonly Buffer[]): Buffer =>
  field(5, Buffer.concat([text(1, name), ...more]));
const input = field(11, value('x'));

it.each([
  ['an operator', ofOperator('Reku', '')],
  ['an operator, by its other domain', ofOperator('Reku', 'ai.onnx')],
  [
    'what an operator is given',
    ofOperator('Softmax', '', attribute('axit', field(3, 1), field(20, 2))),
  ],
  ['as many values as it takes', ofOperator('MatMul', '')],
])('%s that ONNX has not is not said to be loaded', async (_what, node) => {
  expect(await load('x.onnx', modelOf(input, node))).toMatch(/^not loadable: /);
});

it('of a newer ONNX than is known no operator is doubted, nor one that a model brings along', async () => {
  const graph = field(7, Buffer.concat([input, ofOperator('Reku', '')]));
  const newer = [field(1, 10), graph, field(8, field(2, 999))];
  expect(await load('x.onnx', Buffer.concat(newer))).toMatchObject({ kind: 'loaded' });
  const brought = field(25, text(1, 'Reku'));
  const model = Buffer.concat([modelOf(input, ofOperator('Reku', '')), brought]);
  expect(await load('x.onnx', model)).toMatchObject({ kind: 'loaded' });
});

it.each([
  ['of no type', attribute('axis', field(3, 1))],
  ['of another type than its value', attribute('axis', field(3, 1), field(20, 1))],
  ['without a name', attribute('', field(3, 1), field(20, 2))],
])('what an operator is given is found out %s', async (_what, given) => {
  const model = modelOf(input, ofOperator('Softmax', '', given));
  expect(await load('x.onnx', model)).toMatch(/^damaged: /);
});

it.each([
  ['a node without an operator', field(1, text(1, 'x'))],
  ['an output without a name', field(12, field(2, Buffer.alloc(0)))],
  ['an input without a type', field(11, text(1, 'y'))],
])('%s is found out', async (_what, part) => {
  expect(await load('x.onnx', modelOf(input, part))).toMatch(/^damaged: /);
});

it('an output without a type is no damage: onnxruntime loads it', async () => {
  const model = modelOf(input, field(12, text(1, 'x')));
  expect(await load('x.onnx', model)).toMatchObject({ kind: 'loaded' });
});

it('fields that nobody knows are not said to be loaded', async () => {
  expect(await load('x.onnx', Buffer.concat([whole, field(99, 1)]))).toMatch(/^not loadable: /);
});

it('a bit flipped in the frame of a tensor is never passed over', async () => {
  const name = whole.indexOf('weight', whole.indexOf('graph'));
  const from = whole.lastIndexOf(Buffer.from([0x08, 0x08, 0x08, 0x04]), name);
  expect(name - from).toBeLessThan(10);
  // From the tag of the tensor to the tag and the length of its bytes, but for the letters of its name.
  const ranges = [
    [from - 3, name - 2],
    [name + 6, name + 9],
  ] as const;
  for (const [begin, end] of ranges) {
    for (const bytes of flipsOf(whole, begin, end)) {
      expect(await load('x.onnx', bytes)).toMatch(/^(?:damaged|not loadable): /);
    }
  }
});
