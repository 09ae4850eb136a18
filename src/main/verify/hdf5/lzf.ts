/** What LZF, h5py’s own way of packing, unpacks to; null: it cannot be unpacked, or to more than `most`. */
export function unpackLzf(packed: Uint8Array, most: number): Uint8Array | null {
  const to = new Uint8Array(most);
  let [at, made] = [0, 0];
  while (at < packed.length) {
    const control = packed[at] ?? 0;
    at += 1;
    if (control < 32) {
      const length = control + 1;
      if (at + length > packed.length || made + length > most) return null;
      to.set(packed.subarray(at, at + length), made);
      at += length;
      made += length;
      continue;
    }
    let length = (control >> 5) + 2;
    if (length === 9) {
      length += packed[at] ?? 0;
      at += 1;
    }
    const from = made - ((control & 31) << 8) - (packed[at] ?? 0) - 1;
    at += 1;
    if (at > packed.length || from < 0 || made + length > most) return null;
    // What it makes is what it goes on to repeat.
    for (let no = 0; no < length; no += 1) to[made + no] = to[from + no] ?? 0;
    made += length;
  }
  return to.subarray(0, made);
}
