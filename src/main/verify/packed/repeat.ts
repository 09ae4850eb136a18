import { notUnpacked } from '../damage.ts';

/** Puts once more what stands so far before `at`; it may reach into what is being put. */
export function repeat(into: Uint8Array, at: number, back: number, length: number): void {
  if (back > at || at + length > into.length) throw notUnpacked();
  if (back >= length) into.copyWithin(at, at - back, at - back + length);
  else for (let no = at; no < at + length; no += 1) into[no] = into[no - back] ?? 0;
}
