import { isUtf8 } from 'node:buffer';
import type { Cursor } from '../cursor.ts';
import { Damaged } from '../damage.ts';
import { Machine, type Surroundings } from './machine.ts';
import { isGroup, type Value } from './values.ts';

/** Longer ones are data, and no names. */
const MAX_TEXT_BYTES = 64 * 1024;
/** The numbers of an array may stand in one line of the oldest protocol. */
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_INTEGER_BYTES = 1024;
const NEWEST_PROTOCOL = 5;
const COUNT_PIECE_BYTES = 64 * 1024;

/** One pickle from where the cursor stands to its end: what it describes. */
export function walkPickle(cursor: Cursor, surroundings: Surroundings): Value {
  const machine = new Machine(cursor, surroundings);
  let frameEnd: number | null = null;
  for (;;) {
    const code = cursor.u8();
    if (code === STOP) break;
    if (code === FRAME) {
      const bytes = cursor.u64();
      if (frameEnd !== null || bytes > cursor.left) throw new Damaged(BROKEN_FRAME);
      frameEnd = cursor.at + bytes;
      continue;
    }
    const run = OPCODES[code];
    if (run === undefined) {
      throw new Damaged(`it has something unknown at byte ${String(cursor.at - 1)}`);
    }
    run(machine);
    if (frameEnd !== null && cursor.at > frameEnd) throw new Damaged(BROKEN_FRAME);
    if (cursor.at === frameEnd) frameEnd = null;
  }
  if (frameEnd !== null && frameEnd !== cursor.at) throw new Damaged(BROKEN_FRAME);
  return machine.end();
}

const STOP = 0x2e;
const FRAME = 0x95;
const BROKEN_FRAME = 'one of its parts is of another length than it says';

type Run = (machine: Machine) => void;

/** By what stands in Python's own `pickletools`, in its order. */
const RUNS: readonly (readonly [string, Run])[] = [
  ['I', (m) => m.push(integerOf(m.cursor.line(MAX_TEXT_BYTES), true))],
  ['J', (m) => m.push(m.cursor.i32())],
  ['K', (m) => m.push(m.cursor.u8())],
  ['M', (m) => m.push(m.cursor.u16())],
  ['L', (m) => m.push(integerOf(m.cursor.line(MAX_TEXT_BYTES).replace(/L$/, '')))],
  ['\x8a', (m) => pushInteger(m, m.cursor.u8())],
  ['\x8b', (m) => pushInteger(m, m.cursor.u32())],
  ['S', (m) => m.pushText(unquoted(m.cursor.line(MAX_TEXT_BYTES)))],
  ['T', (m) => pushString(m, m.cursor.u32())],
  ['U', (m) => pushString(m, m.cursor.u8())],
  ['B', (m) => pushBytes(m, m.cursor.u32())],
  ['C', (m) => pushBytes(m, m.cursor.u8())],
  ['\x8e', (m) => pushBytes(m, m.cursor.u64())],
  ['\x96', (m) => pushBytes(m, m.cursor.u64())],
  ['\x97', (m) => pushElsewhere(m)],
  ['\x98', (m) => void m.top()],
  ['N', (m) => m.push(null)],
  ['\x88', (m) => m.push(true)],
  ['\x89', (m) => m.push(false)],
  ['V', (m) => m.pushText(unescaped(m.cursor.line(MAX_LINE_BYTES)))],
  ['\x8c', (m) => pushText(m, m.cursor.u8())],
  ['X', (m) => pushText(m, m.cursor.u32())],
  ['\x8d', (m) => pushText(m, m.cursor.u64())],
  ['F', (m) => m.push(floatOf(m.cursor.line(MAX_TEXT_BYTES)))],
  ['G', (m) => m.push(m.cursor.f64())],
  [']', (m) => m.group('list', [])],
  ['a', (m) => extendByOne(m)],
  ['e', (m) => m.extend('list', m.popMark())],
  ['l', (m) => m.group('list', m.popMark())],
  [')', (m) => m.group('tuple', [])],
  ['t', (m) => m.group('tuple', m.popMark())],
  ['\x85', (m) => m.group('tuple', popSome(m, 1))],
  ['\x86', (m) => m.group('tuple', popSome(m, 2))],
  ['\x87', (m) => m.group('tuple', popSome(m, 3))],
  ['}', (m) => m.group('dict', [])],
  ['d', (m) => m.group('dict', m.popMark())],
  ['s', (m) => m.extend('dict', popSome(m, 2))],
  ['u', (m) => m.extend('dict', m.popMark())],
  ['\x8f', (m) => m.group('set', [])],
  ['\x90', (m) => m.extend('set', m.popMark())],
  ['\x91', (m) => m.group('set', m.popMark())],
  ['0', (m) => m.drop()],
  ['2', (m) => m.push(m.top())],
  ['(', (m) => m.mark()],
  ['1', (m) => void m.popMark()],
  ['g', (m) => m.get(indexOf(m))],
  ['h', (m) => m.get(m.cursor.u8())],
  ['j', (m) => m.get(m.cursor.u32())],
  ['p', (m) => m.put(indexOf(m))],
  ['q', (m) => m.put(m.cursor.u8())],
  ['r', (m) => m.put(m.cursor.u32())],
  ['\x94', (m) => m.memoize()],
  ['\x82', (m) => pushExtension(m, m.cursor.u8())],
  ['\x83', (m) => pushExtension(m, m.cursor.u16())],
  ['\x84', (m) => pushExtension(m, m.cursor.i32())],
  ['c', (m) => m.pushThing(m.global(nameOf(m), nameOf(m)))],
  ['\x93', (m) => pushGlobal(m)],
  ['R', (m) => callPopped(m)],
  ['b', (m) => m.build(m.pop())],
  ['i', (m) => m.call(m.global(nameOf(m), nameOf(m)), m.popMark())],
  ['o', (m) => callMarked(m)],
  ['\x81', (m) => callPopped(m)],
  ['\x92', (m) => callWithNames(m)],
  ['\x80', (m) => checkProtocol(m.cursor.u8())],
  ['P', (m) => m.persistent(m.cursor.line(MAX_TEXT_BYTES))],
  ['Q', (m) => m.persistent(m.pop())],
];

const OPCODES: readonly (Run | undefined)[] = ((): (Run | undefined)[] => {
  const table = new Array<Run | undefined>(256).fill(undefined);
  for (const [sign, run] of RUNS) table[sign.charCodeAt(0)] = run;
  return table;
})();

function popSome(machine: Machine, count: number): Value[] {
  const items: Value[] = [];
  for (let left = count; left > 0; left -= 1) items.push(machine.pop());
  return items.reverse();
}

function extendByOne(machine: Machine): void {
  const item = machine.pop();
  machine.extend('list', [item]);
}

function pushInteger(machine: Machine, length: number): void {
  if (length > MAX_INTEGER_BYTES) {
    machine.cursor.skip(length);
    return machine.pushThing({ kind: 'made', parts: [] });
  }
  const hex = Buffer.from(machine.cursor.bytes(length)).reverse().toString('hex');
  const value = length === 0 ? 0n : BigInt.asIntN(length * 8, BigInt(`0x${hex}`));
  machine.push(exactOr(value));
}

const exactOr = (value: bigint): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value;

function integerOf(text: string, mayBeTruth = false): Value {
  if (mayBeTruth && (text === '00' || text === '01')) return text === '01';
  if (!/^-?\d{1,2000}$/.test(text)) throw new Damaged('it has a number that is none');
  return exactOr(BigInt(text));
}

function floatOf(text: string): number {
  if (/^-?(?:nan|inf)$/.test(text)) return text === 'nan' ? NaN : Infinity;
  if (!/^-?\d[\d.]{0,400}(?:e[+-]?\d{1,4})?$/.test(text)) {
    throw new Damaged('it has a number that is none');
  }
  return Number(text);
}

/** As Python writes text with its quotes. */
function unquoted(text: string): string {
  const quote = text.charAt(0);
  const isQuoted = (quote === "'" || quote === '"') && text.length > 1 && text.endsWith(quote);
  if (!isQuoted) throw new Damaged('it has a text without an end');
  return text
    .slice(1, -1)
    .replace(/\\(?:x([0-9a-f]{2})|([^x]))/g, (_, hex: string | undefined, sign: string) =>
      hex === undefined ? (ESCAPED[sign] ?? sign) : String.fromCharCode(parseInt(hex, 16)),
    );
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

const unescaped = (text: string): string =>
  text.replace(
    /\\(?:u([0-9a-f]{4})|U(?:000|001)([0-9a-f]{5}))/gi,
    (_, short?: string, long?: string) =>
      String.fromCodePoint(Math.min(0x10ffff, parseInt(short ?? long ?? '', 16))),
  );

function pushString(machine: Machine, length: number): void {
  if (length > MAX_TEXT_BYTES) return pushBytes(machine, length);
  machine.pushText(Buffer.from(machine.cursor.bytes(length)).toString('latin1'));
}

function pushBytes(machine: Machine, length: number): void {
  const at = machine.cursor.at;
  if (length === 1)
    return machine.pushThing({ kind: 'bytes', at, length, byte: machine.cursor.u8() });
  machine.cursor.skip(length);
  machine.pushThing({ kind: 'bytes', at, length });
}

function pushText(machine: Machine, length: number): void {
  if (length > MAX_TEXT_BYTES) {
    return machine.pushThing({ kind: 'text', chars: countChars(machine.cursor, length) });
  }
  const bytes = Buffer.from(machine.cursor.bytes(length));
  // Halves of a pair stand alone in Python, and nowhere else.
  if (
    !isUtf8(bytes) &&
    !isUtf8(Buffer.from(bytes.toString('latin1').replace(HALVES, ''), 'latin1'))
  ) {
    throw new Damaged('it has a text that is not UTF-8');
  }
  machine.pushText(bytes.toString());
}

const HALVES = /\u00ed[\u00a0-\u00bf][\u0080-\u00bf]/g;

/** All but the bytes that go on with a sign. */
function countChars(cursor: Cursor, length: number): number {
  let chars = 0;
  for (let left = length; left > 0; left -= COUNT_PIECE_BYTES) {
    for (const byte of cursor.bytes(Math.min(left, COUNT_PIECE_BYTES))) {
      if ((byte & 0xc0) !== 0x80) chars += 1;
    }
  }
  return chars;
}

/** A program hands such bytes over by itself; a file has none. */
function pushElsewhere(machine: Machine): void {
  machine.refuse('bytes that lie outside of it');
  machine.pushThing({ kind: 'made', parts: [] });
}

const nameOf = (machine: Machine): string => machine.cursor.line(MAX_TEXT_BYTES);

function indexOf(machine: Machine): number {
  const index = integerOf(machine.cursor.line(MAX_TEXT_BYTES));
  if (typeof index !== 'number' || index < 0) throw new Damaged('it has a place that is none');
  return index;
}

function pushExtension(machine: Machine, code: number): void {
  machine.refuse(`extension ${String(code)}`);
  machine.pushThing({ kind: 'made', parts: [] });
}

function pushGlobal(machine: Machine): void {
  const [module, name] = popSome(machine, 2);
  if (typeof module !== 'string' || typeof name !== 'string') {
    throw new Damaged('it names something by what is no text');
  }
  machine.pushThing(machine.global(module, name));
}

function callPopped(machine: Machine): void {
  const [what = null, args = null] = popSome(machine, 2);
  if (!isGroup(args)) throw new Damaged(NO_ARGUMENTS);
  machine.call(what, args.items);
}

function callMarked(machine: Machine): void {
  const [what, ...args] = machine.popMark();
  if (what === undefined) throw new Damaged(NO_ARGUMENTS);
  machine.call(what, args);
}

function callWithNames(machine: Machine): void {
  const [what = null, args, named] = popSome(machine, 3);
  if (!isGroup(args) || !isGroup(named)) throw new Damaged(NO_ARGUMENTS);
  machine.call(what, [...args.items, named]);
}

const NO_ARGUMENTS = 'it calls something with what are no arguments';

function checkProtocol(protocol: number): void {
  if (protocol > NEWEST_PROTOCOL) throw new Damaged('its protocol is not known');
}
