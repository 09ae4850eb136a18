/** A name out of a file, for a sentence: hostile, so it is bounded and its signs are escaped. */
export const quoted = (name: string): string => JSON.stringify(name.slice(0, 200));
