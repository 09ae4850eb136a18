import { expect, it } from 'vitest';
import { Cursor } from '../cursor.ts';
import { NotLoadable } from '../damage.ts';
import { readSchema } from './schema.ts';
import { THRIFT } from './thrift.ts';

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];

/** As Thrift writes it: type, how often, name, children. */
function element(name: string, children: number, repetition: number): Buffer {
  const text = Buffer.from(name);
  const field = (delta: number, type: number, ...bytes: number[]): number[] => [
    (delta << 4) | type,
    ...bytes,
  ];
  return Buffer.from([
    ...(children === 0 ? field(1, THRIFT.i32, 2) : []),
    ...field(children === 0 ? 2 : 3, THRIFT.i32, ...varint(repetition * 2)),
    ...field(1, THRIFT.binary, ...varint(text.length), ...text),
    ...(children === 0 ? [] : field(1, THRIFT.i32, ...varint(children * 2))),
    0,
  ]);
}

/** The root, levels of lists in each other, and in the last the columns. */
function read(levels: number, leaves: number) {
  const elements = [
    element('root', 1, 0),
    ...Array.from({ length: levels - 1 }, () => element('l', 1, 2)),
    element('l', leaves, 2),
    ...Array.from({ length: leaves }, () => element('x', 0, 0)),
  ];
  const count = elements.length;
  const head = Buffer.from([(15 << 4) | THRIFT.struct, ...varint(count)]);
  const whole = Buffer.concat([head, ...elements]);
  const read = (at: number, length: number): Buffer => whole.subarray(at, at + length);
  const cursor = new Cursor({ sizeBytes: whole.length, read }, 'it');
  return readSchema(cursor, { id: 2, type: THRIFT.list });
}

it('columns beside each other share the lists that they lie in', () => {
  const [one, other] = read(5, 2);
  expect(one?.lists).toHaveLength(5);
  expect(other?.lists).toBe(one?.lists);
});

it('more names than memory should hold are refused', () => {
  expect(read(90, 100)).toHaveLength(100);
  expect(() => read(90, 60_000)).toThrow(NotLoadable);
});
