/** A block that says when it was last compared with its source. */
export interface Stamped {
  readonly path: readonly (string | number)[];
  /** YYYY-MM; null: true of any rented machine. */
  readonly verified: string | null;
  readonly source: string;
}

/** Every block of a profile that carries a stamp, in the order of the file. */
export function stampsOf(profile: object): readonly Stamped[] {
  const found: Stamped[] = [];
  const walk = (value: unknown, path: readonly (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('verified' in value && 'source' in value) {
      const { verified, source } = value as Pick<Stamped, 'verified' | 'source'>;
      found.push({ path, verified, source });
    }
    for (const [key, each] of Object.entries(value)) {
      walk(each, [...path, Array.isArray(value) ? Number(key) : key]);
    }
  };
  walk(profile, []);
  return found;
}
