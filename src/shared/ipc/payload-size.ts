/** Larger messages from the window are refused before they are looked at. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024;

/**
 * What a message's content takes, counted roughly and only as far as needed: a hostile message must not cost more to measure than
 * `limit` allows. Infinity: more than that, or nested more deeply than a schema may walk.
 */
export function payloadBytes(value: unknown, limit: number): number {
  const MAX_DEPTH = 64;
  let left = limit;
  const seen = new Set<object>();

  function take(bytes: number): boolean {
    left -= bytes;
    return left < 0;
  }

  function walk(each: unknown, depth: number): boolean {
    if (typeof each === 'string') return take(each.length * 2);
    if (typeof each !== 'object' || each === null) return take(8);
    if (depth > MAX_DEPTH) return true;
    if (seen.has(each)) return false;
    seen.add(each);
    if (ArrayBuffer.isView(each)) return take(each.byteLength);
    if (each instanceof ArrayBuffer) return take(each.byteLength);
    if (each instanceof Map) return [...each].some((entry) => walk(entry, depth + 1));
    if (each instanceof Set) return [...each].some((entry) => walk(entry, depth + 1));
    for (const [key, inner] of Object.entries(each)) {
      if (take(key.length * 2) || walk(inner, depth + 1)) return true;
    }
    return take(8);
  }

  return walk(value, 0) ? Infinity : limit - left;
}
