import type { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { quoted } from '../quoted.ts';
import {
  checkShape,
  readList,
  readStruct,
  readText,
  readWhole,
  THRIFT,
  thriftFields,
  type Shape,
  type ThriftField,
} from './thrift.ts';

/** From `parquet.thrift`. */
const FIELD = { type: 1, bytes: 2, repetition: 3, name: 4, children: 5, kind: 6, meaning: 10 };
const UNIT: Shape = { needs: {} };
const TIME: Shape = { needs: { 1: 'truth', 2: UNIT } };
/** What its values mean, by its number: numbers with a scale, times, whole numbers of a width. Others say no more. */
const MEANINGS: Readonly<Record<number, Shape>> = {
  ...{ 5: { needs: { 1: 'i32', 2: 'i32' } }, 7: TIME, 8: TIME, 10: { needs: { 2: 'truth' } } },
};
/** Of maps and lists, the kinds that said so before there were meanings: readers that know one of both take either. */
const KINDS_OF: Readonly<Record<number, readonly number[]>> = { 2: [1, 2], 3: [3] };
/** A kind from before there were others: letters. */
const TEXT = 0;
const [OPTIONAL, REPEATED] = [1, 2];
const MAX_TYPE = 7;
/** Each takes memory for every name above it. */
const MAX_LEVELS = 100;
/** Names in the paths of all columns, and letters in those of their lists. */
const MAX_HELD = 4_000_000;

/** A column as it is stored: of a nested one, each of its leaves. */
export interface Leaf {
  readonly path: readonly string[];
  readonly type: number;
  /** A row may have several of its values, or none. */
  readonly isRepeated: boolean;
  /** How many levels of it may be missing, and how many may come several times. */
  readonly depth: number;
  readonly repeats: number;
  /** The lists that it lies in, from the outside to the inside, and how deep each is. */
  readonly lists: readonly { readonly name: string; readonly depth: number }[];
  /** Of each value, where all have as many. */
  readonly fixedBytes: number;
  readonly isText: boolean;
}

interface Open extends Pick<Leaf, 'path' | 'depth' | 'repeats' | 'lists'> {
  left: number;
}

interface Element {
  readonly name: string;
  readonly children: number;
  readonly type: number | null;
  readonly repetition: number;
  readonly fixedBytes: number;
  readonly isText: boolean;
}

/** The columns of a table, from the tree of their names. */
export function readSchema(cursor: Cursor, field: ThriftField): readonly Leaf[] {
  const count = readList(cursor, field, THRIFT.struct);
  if (count === 0) throw new Damaged('it has no columns, and no list of them');
  /** What is open at this place, from the outside to the inside. */
  const open: Open[] = [
    { left: readElement(cursor).children, path: [], depth: 0, repeats: 0, lists: [] },
  ];
  const leaves: Leaf[] = [];
  let held = 0;
  for (let no = 1; no < count; no += 1) {
    while (open.at(-1)?.left === 0) open.pop();
    const parent = open.at(-1);
    if (parent === undefined) throw new Damaged('a column of it belongs to nothing');
    parent.left -= 1;
    const { name, children, type, repetition, fixedBytes, isText } = readElement(cursor);
    const path = [...parent.path, name];
    const repeats = parent.repeats + (repetition === REPEATED ? 1 : 0);
    const depth = parent.depth + (repetition >= OPTIONAL ? 1 : 0);
    let { lists } = parent;
    held += path.length;
    if (repetition === REPEATED) {
      const list = { name: path.join('\0'), depth };
      lists = [...lists, list];
      held += list.name.length + lists.length;
    }
    if (held > MAX_HELD) throw new NotLoadable('its columns have too many names');
    const nested = { path, depth, repeats, lists };
    if (type === null) open.push({ ...nested, left: children });
    else leaves.push({ ...nested, type, isRepeated: repeats > 0, fixedBytes, isText });
    if (open.length > MAX_LEVELS) throw new NotLoadable('its columns are nested too deep');
  }
  if (open.some(({ left }) => left > 0)) throw new Damaged('some of its columns are not named');
  return leaves;
}

function readElement(cursor: Cursor): Element {
  let name: string | null = null;
  let type: number | null = null;
  let [children, repetition, fixedBytes, kind, meaning] = [0, 0, 0, -1, -1];
  for (const field of thriftFields(cursor)) {
    if (field.id === FIELD.name) name = readText(cursor, field);
    if (field.id === FIELD.children) children = readWhole(cursor, field, THRIFT.i32);
    if (field.id === FIELD.type) type = readWhole(cursor, field, THRIFT.i32);
    if (field.id === FIELD.bytes) fixedBytes = readWhole(cursor, field, THRIFT.i32);
    if (field.id === FIELD.kind) kind = readWhole(cursor, field, THRIFT.i32);
    if (field.id === FIELD.meaning) meaning = readMeaning(cursor, field);
    if (field.id === FIELD.repetition) repetition = readWhole(cursor, field, THRIFT.i32);
  }
  const isType = type === null || (type >= 0 && type <= MAX_TYPE && children === 0);
  if (name === null || !isType || children < 0 || repetition < 0 || repetition > REPEATED) {
    throw new Damaged('a column of it is not described');
  }
  if (kind >= 0 && KINDS_OF[meaning]?.includes(kind) === false) {
    throw new Damaged(`the column ${quoted(name)} is described in two ways`);
  }
  return { name, children, type, repetition, fixedBytes, isText: kind === TEXT };
}

/** Its number, which is all that most of them say. */
function readMeaning(cursor: Cursor, field: ThriftField): number {
  let meaning = -1;
  for (const part of readStruct(cursor, field)) {
    meaning = part.id;
    const shape = MEANINGS[part.id];
    if (shape !== undefined) checkShape(cursor, part, shape);
  }
  return meaning;
}
