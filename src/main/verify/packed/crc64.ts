const [POLYNOMIAL_HIGH, POLYNOMIAL_LOW] = [0xc96c5795, 0xd7870f42];

const [HIGH, LOW] = [new Int32Array(256), new Int32Array(256)];
for (let byte = 0; byte < 256; byte += 1) {
  let [high, low] = [0, byte];
  for (let bit = 0; bit < 8; bit += 1) {
    const isOdd = (low & 1) === 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (isOdd) [high, low] = [high ^ POLYNOMIAL_HIGH, low ^ POLYNOMIAL_LOW];
  }
  [HIGH[byte], LOW[byte]] = [high, low];
}

/** CRC-64 as xz has it, of bytes that come in pieces; in halves of 32 bits, since whole ones are slow here. */
export class Crc64 {
  #high = -1;
  #low = -1;

  take(bytes: Uint8Array): void {
    let [high, low] = [this.#high, this.#low];
    for (const byte of bytes) {
      const place = (low ^ byte) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (LOW[place] ?? 0);
      high = (high >>> 8) ^ (HIGH[place] ?? 0);
    }
    [this.#high, this.#low] = [high, low];
  }

  /** As it stands in a file: its lowest byte first. */
  bytes(): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32LE(~this.#low, 0);
    bytes.writeInt32LE(~this.#high, 4);
    return bytes;
  }
}
