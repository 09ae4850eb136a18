import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import type { NumberSpan } from '../number-scan.ts';
import { tensorFormat, type Structure } from '../reading.ts';
import { StrictUtf8 } from '../utf8.ts';
import { plural } from '../plural.ts';
import { quoted } from '../quoted.ts';
import { readVarint } from '../protobuf.ts';
import { GraphNames } from './graph-names.ts';
import { MESSAGES, type MessageName } from './messages.ts';
import { KnownOperators, type SaidNode } from './known-operators.ts';
import { judgeTensor, type ExternalTensor, type SaidTensor } from './tensor.ts';

export const onnx = tensorFormat('onnx', /\.onnx$/i, readOnnx);

/** Beyond what any model has; each takes memory while a file is read. */
const MAX_TENSORS = 200_000;
const MAX_TEXT_BYTES = 4096;
/** The library's own readers give up at this. */
const MAX_DEPTH = 100;
const MAX_DIMENSIONS = 64;

/** What is asked of each field on the wire. */
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
type Wire = (typeof WIRE)[keyof typeof WIRE];

function readOnnx(source: ByteSource): Structure {
  const walk = new ModelWalk(source);
  walk.model();
  const { tensors, numbers, nodes, external, spans, hasTooManyNames } = walk;
  const elsewhere = external.length === 0 ? '' : `, ${String(external.length)} in other files`;
  const names = hasTooManyNames ? ', too many names to look at' : '';
  return {
    holds: `${plural(nodes, 'node')}, ${plural(tensors, 'tensor')}${elsewhere}, ${plural(numbers, 'number')}${names}`,
    spans,
  };
}

/** The tensors of a model whose bytes lie in other files. */
export function readExternalTensors(source: ByteSource): readonly ExternalTensor[] {
  const walk = new ModelWalk(source);
  walk.model();
  return walk.external;
}

/** A model, field by field, as protobuf has them: each is known, each ends where what it lies in goes on. */
class ModelWalk {
  readonly spans: NumberSpan[] = [];
  readonly external: ExternalTensor[] = [];
  tensors = 0;
  numbers = 0;
  nodes = 0;
  readonly #cursor: Cursor;
  readonly #names = new GraphNames();
  readonly #operators = new KnownOperators();
  /** What the innermost messages say of themselves, from the outermost on. */
  readonly #said: Said[] = [];
  #hasUnknown = false;

  constructor(source: ByteSource) {
    this.#cursor = new Cursor(source, 'it');
  }

  get hasTooManyNames(): boolean {
    return this.#names.hasTooMany;
  }

  model(): void {
    const found = this.#message('Model', this.#cursor.left, 0);
    // What every writer puts behind the graph is missing where a file was cut off between two fields.
    for (const [field, what] of [
      [1, 'its version'],
      [7, 'its graph'],
      [8, 'the operators that it is written in'],
    ] as const) {
      if (!found.has(field)) throw new Damaged(`${what} is missing`);
    }
    if (this.#hasUnknown) {
      throw new NotLoadable('it has fields that the models known to Leasehold have not');
    }
    this.#operators.end();
  }

  /** Its fields that were there. */
  #message(name: MessageName, end: number, depth: number): ReadonlySet<number> {
    if (depth > MAX_DEPTH) throw new Damaged('it has more levels than any model');
    if (name === 'Node') this.nodes += 1;
    this.#names.begin(name);
    const tensor = name === 'Tensor' ? newTensor() : null;
    const said: Said = { name, field: 0, number: 0, texts: new Map(), node: newNode() };
    this.#said.push(said);
    const found = new Set<number>();
    while (this.#cursor.at < end) {
      const { field, wire } = this.#tag(name, end);
      found.add(field);
      said.field = field;
      const bytes = wire === WIRE.bytes ? this.#length(end) : 0;
      if (tensor !== null) this.#tensorField(tensor, field, wire, bytes, depth);
      else this.#field(name, field, wire, bytes, depth);
      if (this.#cursor.at > end) throw new Damaged('a field of it ends behind what it lies in');
    }
    this.#said.pop();
    if (tensor !== null) this.#tensor(tensor);
    this.#judge(said, found);
    // Of what nobody knows, something may be what is missing.
    if (!this.#hasUnknown) this.#names.end(name);
    return found;
  }

  #field(name: MessageName, field: number, wire: Wire, bytes: number, depth: number): void {
    const kind = MESSAGES[name][field];
    const said = this.#said.at(-1);
    if (name === 'Node' && said !== undefined) {
      if (field === NODE.input) said.node.inputs += 1;
      if (field === NODE.output) said.node.outputs += 1;
    }
    if (this.#names.has(name, field)) {
      const text = this.#text(bytes);
      said?.texts.set(field, text);
      this.#names.take(name, field, text);
    } else if (TEXTS.has(`${name} ${String(field)}`)) said?.texts.set(field, this.#text(bytes));
    else if (
      NUMBERS.has(`${name} ${String(field)}`) &&
      wire === WIRE.varint &&
      said !== undefined
    ) {
      said.number = readVarint(this.#cursor);
    } else if (kind !== undefined && kind in MESSAGES) {
      this.#message(kind as MessageName, this.#cursor.at + bytes, depth + 1);
    } else this.#value(kind, wire, bytes);
  }

  /** What a message says of itself, against what it is to say. */
  #judge({ name, number, texts, node }: Said, found: ReadonlySet<number>): void {
    if (this.#hasUnknown) return;
    const around = this.#said.at(-1);
    if (name === 'Node') {
      const [operator = '', domain = ''] = [texts.get(NODE.operator), texts.get(NODE.domain)];
      if (operator === '') throw new Damaged('a node of it has no operator');
      this.#operators.take({ ...node, operator, domain });
    } else if (name === 'OperatorSet') {
      if (around?.name === 'Model') this.#operators.version(texts.get(1) ?? '', number);
    } else if (name === 'Function') {
      this.#operators.function(texts.get(FUNCTION.domain) ?? '', texts.get(FUNCTION.name) ?? '');
    } else if (name === 'Attribute') {
      const attribute = texts.get(1) ?? '';
      if (around?.name === 'Node') around.node.attributes.push(attribute);
      const values = [...found].filter((field) => VALUES.includes(field));
      // A function says only by their names what its nodes take over.
      const isNamed = attribute !== '' && (around?.name !== 'Node' || number !== 0);
      if (!isNamed || values.some((field) => field !== VALUES[number])) {
        throw new Damaged(`${quoted(attribute)} of a node of it is not of the type that it says`);
      }
    } else if (name === 'ValueInfo' && around?.name === 'Graph') {
      if ((texts.get(1) ?? '') === '') throw new Damaged('a value of it has no name');
      // Of an output, onnxruntime works it out.
      const isInput = this.#said.length === MAIN_LEVEL && around.field === GRAPH_INPUT;
      if (isInput && !found.has(2)) throw new Damaged('an input of it has no type');
    }
  }

  #tag(name: MessageName, end: number): { readonly field: number; readonly wire: Wire } {
    const key = readVarint(this.#cursor);
    const [field, wire] = [Math.floor(key / 8), key % 8];
    if (this.#cursor.at > end || field === 0 || !isWire(wire)) {
      throw new Damaged(`at byte ${String(this.#cursor.at)} is no field of a model`);
    }
    const kind = MESSAGES[name][field];
    // It is passed over, so that what is cut off is still found out behind it.
    if (kind === undefined) {
      this.#hasUnknown = true;
      return { field, wire };
    }
    const asked = kind in WIRE ? WIRE[kind as keyof typeof WIRE] : WIRE.bytes;
    // Numbers may come one by one or together.
    const isNumbers = asked !== WIRE.bytes && wire === WIRE.bytes && canBePacked(name, field);
    if (wire !== asked && !isNumbers) {
      throw new Damaged(`at byte ${String(this.#cursor.at)} a field is not what a model has there`);
    }
    return { field, wire };
  }

  /** How many values it was: several where they come together. */
  #value(kind: string | undefined, wire: Wire, bytes: number): number {
    if (wire === WIRE.varint) readVarint(this.#cursor);
    else if (wire === WIRE.fixed32) this.#cursor.skip(4);
    else if (wire === WIRE.fixed64) this.#cursor.skip(8);
    else if (kind === 'varint') return this.#varints(bytes).count;
    else {
      const each = kind === 'fixed32' ? 4 : kind === 'fixed64' ? 8 : bytes;
      if (each > 0 && bytes % each !== 0) throw new Damaged('numbers of it are cut off');
      this.#cursor.skip(bytes);
      return each === bytes ? 1 : bytes / each;
    }
    return 1;
  }

  #varints(bytes: number): { readonly count: number; readonly first: readonly number[] } {
    const end = this.#cursor.at + bytes;
    const first: number[] = [];
    let count = 0;
    for (; this.#cursor.at < end; count += 1) {
      const value = readVarint(this.#cursor);
      if (first.length <= MAX_DIMENSIONS) first.push(value);
    }
    if (this.#cursor.at > end) throw new Damaged('numbers of it are cut off');
    return { count, first };
  }

  #tensorField(tensor: SaidTensor, field: number, wire: Wire, bytes: number, depth: number): void {
    const { at } = this.#cursor;
    const kind = MESSAGES.Tensor[field];
    if (field === 1) {
      const dims = wire === WIRE.varint ? [readVarint(this.#cursor)] : this.#varints(bytes).first;
      tensor.dims.push(...dims);
      if (tensor.dims.length > MAX_DIMENSIONS) {
        throw new Damaged('a tensor of it has more dimensions than any');
      }
    } else if (field === 2) tensor.type = readVarint(this.#cursor);
    else if (field === 14) tensor.isExternal = readVarint(this.#cursor) === 1;
    else if (field === 8) tensor.name = this.#text(bytes);
    else if (field === 9) {
      tensor.raw = { at, bytes };
      this.#cursor.skip(bytes);
    } else if (field === 13) this.#entry(tensor, at + bytes);
    else if (GIVEN.has(field)) {
      const count = this.#value(kind, wire, bytes);
      tensor.given.set(field, (tensor.given.get(field) ?? 0) + count);
      if (wire === WIRE.bytes) tensor.packed.push({ field, at, bytes });
    } else {
      tensor.isSegment ||= field === 3;
      this.#field('Tensor', field, wire, bytes, depth);
    }
  }

  /** Where a tensor lies: a key and a value. */
  #entry(tensor: SaidTensor, end: number): void {
    const pair = ['', ''];
    while (this.#cursor.at < end) {
      const { field } = this.#tag('Entry', end);
      pair[field - 1] = this.#text(this.#length(end));
    }
    const [key = '', value = ''] = pair;
    tensor.external.set(key, value);
  }

  #tensor(said: SaidTensor): void {
    // What it holds may lie in one that nobody knows.
    if (this.#hasUnknown) return;
    const { numbers, spans, external } = judgeTensor(said);
    this.#names.tensor(said.name);
    this.tensors += 1;
    this.numbers += numbers;
    if (this.tensors > MAX_TENSORS) {
      throw new NotLoadable('it has more tensors than Leasehold looks at');
    }
    this.spans.push(...spans);
    if (external !== null) this.external.push(external);
  }

  #text(bytes: number): string {
    if (bytes > MAX_TEXT_BYTES) {
      throw new NotLoadable('a name in it is longer than Leasehold looks at');
    }
    return new StrictUtf8('a name in it').decode(this.#cursor.bytes(bytes));
  }

  #length(end: number): number {
    const bytes = readVarint(this.#cursor);
    if (bytes > end - this.#cursor.at) {
      throw new Damaged(
        `at byte ${String(this.#cursor.at)} a field is longer than what it lies in`,
      );
    }
    return bytes;
  }
}

/** What a message says of itself, but for what lies in it. */
interface Said {
  readonly name: MessageName;
  /** Of it, which is being read. */
  field: number;
  number: number;
  readonly texts: Map<number, string>;
  readonly node: Omit<SaidNode, 'operator' | 'domain'>;
}

const newNode = (): Said['node'] => ({ inputs: 0, outputs: 0, attributes: [] });

/** A graph that is not within a node, and its inputs. */
const [MAIN_LEVEL, GRAPH_INPUT] = [2, 11];
const NODE = { input: 1, output: 2, operator: 4, domain: 7 };
const FUNCTION = { name: 1, domain: 10 };
/** Fields that are looked at, and are neither messages nor names of values. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['Node 4', 'Node 7', 'OperatorSet 1', 'Function 1', 'Function 10', 'Attribute 1'],
]);
const NUMBERS: ReadonlySet<string> = new Set(['OperatorSet 2', 'Attribute 20']);
/** The field that holds the value of an attribute, by its type. */
const VALUES = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 22, 23, 14, 15];

const isWire = (wire: number): wire is Wire => wire === 0 || wire === 1 || wire === 2 || wire === 5;

/** The fields of a tensor in which its values are given one by one. */
const GIVEN: ReadonlySet<number> = new Set([4, 5, 6, 7, 10, 11]);

/** Those that are a row of numbers. */
const ROWS: ReadonlySet<string> = new Set([
  ...[1, 4, 5, 7, 10, 11].map((field) => `Tensor ${String(field)}`),
  ...['Attribute 7', 'Attribute 8', 'SparseTensor 3', 'Sharding 2', 'IndexToDevices 2'],
]);
const canBePacked = (name: MessageName, field: number): boolean =>
  ROWS.has(`${name} ${String(field)}`);

const newTensor = (): SaidTensor => ({
  ...{ name: '', dims: [], type: 0, isExternal: false, isSegment: false, raw: null },
  ...{ given: new Map(), packed: [], external: new Map() },
});
