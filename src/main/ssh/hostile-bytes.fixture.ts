import { again, HOSTILE, MARK } from '../linear.fixture.ts';

/** What a box answers with, as long as is asked for. `MARK` stands where the mark of the question is put. */
export type Bytes = (length: number) => string;

const OF_READERS = [
  'newlines',
  'carriage returns',
  'blank lines',
  'a repeated word',
  'many short lines',
  'colons',
  'opening brackets',
  'half a list',
  'half a token',
  'other half tokens',
  'escape sequences',
  'sections that do not end',
] as const;

/** The worst bytes that we know, for every reader; those among the texts of the growth tests that stopped one, and what is no text. */
export const HOSTILE_BYTES: Readonly<Record<string, Bytes>> = {
  ...Object.fromEntries(OF_READERS.map((name) => [name, HOSTILE[name]!])),
  'one line': again('x'),
  'notes of its own mark': again(`${MARK} a b\n`),
  'zero bytes': again('\0'),
  'what turns text around': again('\u202e\u2066\u0007\u009b31m\n'),
  'huge figures': again(`${'9'.repeat(400)} -1e999 `),
};
