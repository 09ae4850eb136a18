import { describe, expect, it } from 'vitest';
import { cutsOf, load, passedOf, specimen } from './load.fixture.ts';

it.each(['matrix', 'nested'])('an array is found out wherever it is cut off: %s', async (name) => {
  const whole = specimen(`arrays/numpy-2.4.6--${name}.npy`);
  expect(await passedOf('x.npy', cutsOf(whole))).toEqual([]);
});

it('of several in a row, what is cut off within one is found out', async () => {
  const whole = specimen('arrays/numpy-2.4.6--in-a-row.npy');
  const second = whole.lastIndexOf('\x93NUMPY', undefined, 'latin1');
  // Cut off behind the first, it is a whole array.
  const passed = await passedOf('x.npy', cutsOf(whole));
  expect(passed).toEqual([second]);
});

it.each([
  ["[('a', '<f4', (2,))]", 16],
  ["[('a', '<f4', 2), ('b', [('c', '|u1')])]", 18],
  ["[('a', '<f4', (2L,))]", 16],
  ["[('', '|V3'), (\"it's\", '<M8[ns]')]", 22],
])('elements of %s take as many bytes as they should', async (descr, bytes) => {
  const header = `{'descr': ${descr}, 'fortran_order': False, 'shape': (2L,), }\n`;
  const lead = Buffer.from([...Buffer.from('\x93NUMPY', 'latin1'), 1, 0, header.length, 0]);
  const file = (length: number) =>
    load('x.npy', Buffer.concat([lead, Buffer.from(header), Buffer.alloc(length)]));
  expect(await file(bytes)).toMatchObject({ kind: 'loaded' });
  expect(await file(bytes - 1)).toMatch(/^damaged: its shape takes another/);
});

it.each(["[('a', '<f4'", "[('a')]", "['<f4']", "[('a', '|O')]", '['.repeat(9999)])(
  'a type that is %s is not loaded, and no damage',
  async (descr) => {
    const header = `{'descr': ${descr}, 'fortran_order': False, 'shape': (2,), }\n`;
    const lead = Buffer.from([...Buffer.from('\x93NUMPY', 'latin1'), 1, 0, 0, 0]);
    lead.writeUInt16LE(header.length, 8);
    expect(await load('x.npy', Buffer.concat([lead, Buffer.from(header)]))).toMatch(
      /^not loadable/,
    );
  },
);

it('a head is found out with a sign that none has, or a type that there is not', async () => {
  const whole = specimen('arrays/numpy-2.4.6--matrix.npy');
  const at = (place: number, byte: number) => {
    const broken = Buffer.from(whole);
    broken[place] = byte;
    return load('x.npy', broken);
  };
  const end = 9 + whole.readUInt16LE(8);
  for (const sign of [0, 0x2a, 0x8a]) {
    expect(await at(end, sign)).toBe('damaged: its header does not describe an array');
  }
  expect(await at(end - 1, 0xa0)).toBe('damaged: its header does not describe an array');
  const type = whole.indexOf("'descr': '<f") + 11;
  expect(await at(type, 0x62)).toBe('damaged: its elements are of a type that there is not');
  expect(await at(type + 1, 0x33)).toBe('damaged: its elements are of a type that there is not');
});

/** Two numbers behind a header that is written so. */
function behind(header: string, version: number) {
  const lead = Buffer.from([...Buffer.from('\x93NUMPY', 'latin1'), version, 0, 0, 0, 0, 0]);
  lead.writeUInt16LE(header.length, 8);
  const head = version === 1 ? lead.subarray(0, 10) : lead;
  return load('x.npy', Buffer.concat([head, Buffer.from(header, 'latin1'), Buffer.alloc(8)]));
}

const DICT = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";

// Each was given to numpy 2.4.6, which takes these and refuses those below, in all three versions.
describe.each([1, 2, 3])('of version %i', (version) => {
  it.each([
    `${DICT}   `,
    DICT,
    `${DICT}\t\r\n`,
    `${DICT}\f\n\n`,
    `\t${DICT}\n`,
    "{\n'descr':\t'<f4',\r\n'fortran_order': False,\n'shape': (2,\n)}\n",
    "{'shape': (2,), 'fortran_order': False, 'descr': '<f4'}\n",
    '{"descr" : "<f4" , "fortran_order" : False , "shape" : ( 2 , ) }\n',
  ])('a header that numpy reads is read: %j', async (header) => {
    expect(await behind(header, version)).toMatchObject({ holds: 'an array of 2, f4' });
  });

  it.each([
    `${DICT};\n`,
    `${DICT}\n1`,
    `${DICT}\xa0\n`,
    `${DICT}\0\n`,
    `${DICT}\v`,
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2), }\n",
    "{'descr': '<f4', 'fortran_order': False, }\n",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}\n",
    // Blanks without end take no longer than others.
    `{'descr': '<f4', 'fortran_order': False, 'shape': (${' '.repeat(60_000)}`,
  ])('one that numpy refuses is damaged: %.80j', async (header) => {
    expect(await behind(header, version)).toBe('damaged: its header does not describe an array');
  });
});
