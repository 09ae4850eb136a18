export type CellKind = 'number' | 'not finite' | 'other';

/** What begins so may be a number or a word for one that is not finite; all other cells are told apart at once. */
const MAY_BEGIN = new Set(Buffer.from(' +-.0123456789nNiI'));
const NUMBER = /^ *[-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,4})? *$/;
const NOT_FINITE = /^ *[-+]?(?:nan|inf|infinity) *$/i;

/** @param cell Its first bytes, which are all of it where it is a number. */
export function cellKind(cell: Buffer): CellKind {
  const [first] = cell;
  if (first === undefined || !MAY_BEGIN.has(first)) return 'other';
  const text = cell.toString('latin1');
  if (NUMBER.test(text)) return 'number';
  return NOT_FINITE.test(text) ? 'not finite' : 'other';
}
