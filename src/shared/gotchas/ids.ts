/** Letters, then a number or words: U23, AD-DANGER. */
export const GOTCHA_ID = /^[A-Z][A-Z0-9]{0,11}(?:-[A-Z0-9]{1,12})*$/;
/** In running text and in the part of an address behind "#". */
export const MAX_ID_CHARS = 40;

/** U2 before U10, families in the order of their letters. */
export function compareIds(a: string, b: string): number {
  return partsOf(a).family.localeCompare(partsOf(b).family) || partsOf(a).no - partsOf(b).no;
}

function partsOf(id: string): { readonly family: string; readonly no: number } {
  const [, family = '', digits = ''] = /^(.*\D)?(\d*)$/.exec(id) ?? [];
  // A family's own word comes before its numbers.
  return { family: family.replace(/-.*$/, ''), no: digits === '' ? -1 : Number(digits) };
}
