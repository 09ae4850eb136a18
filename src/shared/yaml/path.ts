/** From the whole to what is meant. */
export type Path = readonly (string | number)[];

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function child(value: unknown, key: string | number | null): unknown {
  if (key === null) return undefined;
  if (Array.isArray(value)) return typeof key === 'number' ? (value as unknown[])[key] : undefined;
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** What stands at this path; undefined: nothing. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((within, key) => child(within, key), value);
}
