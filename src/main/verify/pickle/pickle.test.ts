import { expect, it } from 'vitest';
import type { Loaded } from '../../../shared/verify/loaded.ts';
import { cutsOf, load, loadAll, passedOf, specimen } from '../load.fixture.ts';
import { call, global, int, pickled, text, tuple, u32 } from './pickle.fixture.ts';

const of = (body: string): Promise<Loaded | string> => load('x.pkl', pickled(body));

it('plain values and arrays are loaded as Python and numpy write them, in each protocol', async () => {
  const byNumpy = (version: string) => ({
    [`numpy-${version}--arrays-2.pkl`]: '9 fields, 8 arrays',
    [`numpy-${version}--arrays-4.pkl`]: '9 fields, 8 arrays',
    [`numpy-${version}--arrays-5.pkl`]: '9 fields, 8 arrays',
    [`numpy-${version}--objects.pkl`]: 'one array',
  });
  expect(await loadAll('pickle')).toEqual({
    ...byNumpy('1.26.4'),
    ...byNumpy('2.4.6'),
    'python-3.11.7--own-class.pkl':
      'not loadable: loading it would run what it names: "__main__.Own"',
    ...Object.fromEntries(
      [0, 1, 2, 3, 4, 5].map((protocol) => [
        `python-3.11.7--protocol-${String(protocol)}.pkl`,
        '14 fields',
      ]),
    ),
    'python-3.11.7--three-in-a-row.pickle': '3 values in a row',
  });
});

it.each([1, 7, 1 << 20])(
  'the numbers of arrays in it are looked at in pieces of %i bytes',
  async (piece) => {
    for (const version of ['1.26.4', '2.4.6']) {
      const bytes = specimen(`pickle/numpy-${version}--arrays-5.pkl`);
      expect(await load('x.pkl', bytes, piece)).toMatchObject({
        numbers: {
          affected: [{ tensor: 'broken', count: 2 }],
          allZero: ['unused'],
          nonFinite: 2,
        },
      });
    }
  },
);

it.each([1, 5])('is found out wherever it is cut off, of protocol %i', async (protocol) => {
  const whole = specimen(`pickle/python-3.11.7--protocol-${String(protocol)}.pkl`);
  expect(await passedOf('x.pkl', cutsOf(whole))).toEqual([]);
});

const SYSTEM = tuple(text('echo'));
it.each([
  ['a function', call(global('os', 'system'), text('echo')), 'os.system'],
  ['a function of Python’s own', call(global('builtins', 'eval'), text('1')), 'builtins.eval'],
  ['one under its name of Python 2', call(global('__builtin__', 'eval')), 'builtins.eval'],
  ['a name that is nothing but named', global('posix', 'system'), 'posix.system'],
  [
    'names out of the memo',
    `${text('os')}q\x010${text('system')}q\x020h\x01h\x02\x93`,
    'os.system',
  ],
  ['a name with a dot', `${text('os')}${text('path.os.system')}\x93`, 'os.path.os.system'],
  ['an instance', `(${text('echo')}ios\nsystem\n`, 'os.system'],
  ['an object', `(${global('os', 'system')}${text('echo')}o`, 'os.system'],
  ['an object of a later protocol', `${global('os', 'system')}${SYSTEM}\x81`, 'os.system'],
  ['one with names', `${global('os', 'system')})}\x92`, 'os.system'],
  ['an extension', '\x82\x07', 'extension 7'],
  ['a state', `${global('os', 'system')})\x81}${text('__setstate__')}Nsb`, 'os.system'],
  ['a state of a plain value', ']}b', 'the state of a plain value'],
  ['a pickle in it', call(global('_pickle', 'loads'), text('cos\nsystem\n.')), '_pickle.loads'],
  [
    'a way around',
    call(global('builtins', 'getattr'), global('builtins', 'set'), text('pop')),
    'builtins.getattr',
  ],
  ['a call of what it made', call(call(global('builtins', 'set'))), 'what it made itself'],
  ['a name outside of it', 'P1\n', 'what lies outside of it'],
  ['bytes outside of it', '\x97', 'bytes that lie outside of it'],
  [
    'what torch loads from bytes',
    call(global('torch.storage', '_load_from_bytes')),
    'torch.storage._load_from_bytes',
  ],
  ['what is then thrown away', `${call(global('os', 'system'))}0N`, 'os.system'],
  [
    'what its name has of JavaScript',
    `${global('constructor', 'toString')}0N`,
    'constructor.toString',
  ],
])('what would run something is not loaded, and told by name: %s', async (_what, body, name) => {
  expect(await of(body)).toBe(`not loadable: loading it would run what it names: "${name}"`);
});

it('tells only some of very many names, and no more of each than a sentence bears', async () => {
  const names = Array.from({ length: 30 }, (_, no) => `${global('os', `x${String(no)}`)}0`);
  const many = await of(`${global('os', `\x1b[2J${'y'.repeat(5000)}`)}0${names.join('')}N`);
  expect(many).toMatch(/ and more$/);
  expect(many).toHaveProperty(
    'length',
    expect.toSatisfy((length: number) => length < 500),
  );
  expect(many).toContain('\\u001b[2J');
});

it.each([
  ['values that are not there', '0', 'values that are not there'],
  ['values from before a mark', 'N(\x85', 'values that are not there'],
  ['a mark that is not there', 't', 'a mark that is not there'],
  ['a value of the memo that is not there', 'h\x07', 'repeats a value'],
  ['values that belong to nothing', 'NN', 'belong to nothing'],
  ['a name without a value', '}(Nu', 'a name without a value'],
  ['something added to a number', 'K\x01Na', 'adds to what holds nothing'],
  ['something added to a tuple', ')Na', 'adds to what holds nothing'],
  ['an unknown opcode', '\xff', 'something unknown at byte 2'],
  ['an unknown protocol', '\x80\x06N', 'its protocol is not known'],
  ['a frame beyond its end', `\x95${u32(99)}${u32(0)}N`, 'another length than it says'],
  ['a frame that cuts something', `\x95${u32(2)}${u32(0)}${int(1)}`, 'another length than it says'],
  ['a number that is none', 'I0x\n', 'a number that is none'],
  ['a name that is no text', 'K\x01K\x02\x93', 'what is no text'],
  ['no arguments', `${global('collections', 'OrderedDict')}NR`, 'no arguments'],
  ['a text beyond its end', `X${u32(5000)}abc`, 'it is cut off'],
  ['bytes beyond all files', `\x8e${u32(-1)}${u32(-1)}`, 'it is cut off'],
])('is found out with %s', async (_what, body, why) => {
  expect(await of(body)).toMatch(new RegExp(`^damaged: .*${why}`));
});

it('what is broken behind an attack is damaged, as is an array that is not as long as its shape', async () => {
  expect(await of(`${call(global('os', 'system'))}\xff`)).toMatch(/^damaged: /);
  const bytes = (length: number) => `C${String.fromCharCode(length)}${'\0'.repeat(length)}`;
  const type = call(global('numpy', 'dtype'), text('f4'), '\x89', '\x88');
  const array = (length: number) =>
    of(
      call(
        global('numpy._core.numeric', '_frombuffer'),
        bytes(length),
        type,
        tuple(int(3)),
        text('C'),
      ),
    );
  expect(await array(12)).toMatchObject({ holds: 'one array' });
  expect(await array(11)).toMatch(/^damaged: .*another number of bytes/);
});

it('a value that repeats itself ten times over a hundred levels is looked at once', async () => {
  const levels = Array.from({ length: 100 }, (_, no) => {
    const index = String.fromCharCode(no);
    return `(${`h${index}`.repeat(10)}lq${String.fromCharCode(no + 1)}0`;
  });
  expect(await of(`]q\x000${levels.join('')}h\x64`)).toMatchObject({ holds: 'a list of 10' });
});

it('a number of any length is one, also beyond what a floating-point number holds', async () => {
  const long = (bytes: number) => `\x8a${String.fromCharCode(bytes)}${'\x7f'.repeat(bytes)}`;
  for (const bytes of [0, 1, 7, 8, 127, 128, 255]) {
    expect(await of(long(bytes))).toMatchObject({ kind: 'loaded' });
  }
  expect(await of(`I${'9'.repeat(400)}\n`)).toMatchObject({ kind: 'loaded' });
});

it('goes as deep as a pickle goes, and takes memory for so many values only', async () => {
  const deep = 200_000;
  expect(await of(`${'('.repeat(deep)}${'t'.repeat(deep)}`)).toMatchObject({ kind: 'loaded' });
  expect(await of(`(${']'.repeat(1_000_001)}t`)).toMatch(/^not loadable: .*more values/);
});

it('what other programs compress under its name has no reader', async () => {
  expect(await load('x.pkl', Buffer.from('1f8b0800', 'hex'))).toBe('no reader');
});

it('as many values as it may have are gone through', async () => {
  const wide = `(${'K\x01'.repeat(300_000)}t.`;
  expect(await load('x.pkl', Buffer.from(wide, 'latin1'))).toMatchObject({
    holds: 'a tuple of 300000',
  });
});
