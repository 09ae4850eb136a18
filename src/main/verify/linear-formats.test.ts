import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { again, HOSTILE, slowOf, type Reader } from '../linear.fixture.ts';
import { FORMATS } from './formats.ts';
import { load, SPECIMENS, specimen, specimensOf } from './load.fixture.ts';

// What a run has left is a stranger's: a reader that took the square of its length would hold a worker for days.

/** Whose files are text, so that there is no beginning behind which anything else could stand. */
const TEXTS: ReadonlySet<string> = new Set(['json', 'jsonl', 'yaml', 'csv', 'tsv']);
/** Nine bytes each, of which each makes all that it takes to unpack something. */
const FRAMES_OF_NOTHING = '\u0028\u00b5\u002f\u00fd\u0020\u0000\u0001\u0000\u0000';

const specimens = readdirSync(SPECIMENS).flatMap((family) =>
  specimensOf(family).map((name) => [name, `${family}/${name}`] as const),
);

/** Brackets, numbers and strings, with which also a beginning that holds could go on. */
const SOME = Object.entries(HOSTILE).filter(([what]) =>
  /^(?:newlines|digits|opening brackets|quotes|half a list|escape sequences)$/.test(what),
);

type Texts = Readonly<Record<string, (length: number) => string>>;

function textsFor(format: string, path: string): Texts {
  // No more than 256 KiB of it is ever read, of which each costs as much as a hundred of another.
  if (format === 'yaml') return Object.fromEntries(SOME);
  const head = specimen(path).toString('latin1');
  const behind = SOME.map(
    ([what, make]) =>
      [`its own beginning, and ${what}`, (length: number) => head + make(length)] as const,
  );
  return {
    ...HOSTILE,
    'itself, again and again': again(head),
    ...(format === 'zst' ? { 'frames of nothing': again(FRAMES_OF_NOTHING) } : {}),
    ...(TEXTS.has(format) ? {} : Object.fromEntries(behind)),
  };
}

// What is told by its beginning has a reader that another one of these has, too.
it.each(FORMATS.filter(({ begins }) => begins === undefined))(
  '$name takes four times as long for four times as much, whatever that is',
  async ({ name: format, ends }) => {
    const [name = '', path = ''] = specimens.find(([each]) => ends.test(each)) ?? [];
    const read: Reader = (text) => load(name, Buffer.from(text, 'latin1'));
    expect(await slowOf({ [format]: read }, textsFor(format, path))).toEqual([]);
  },
);
