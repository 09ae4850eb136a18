import { rmSync } from 'node:fs';
import type { ManifestRecord } from '../../shared/manifest/record.ts';
import { recordsIn, writeRecords } from './record-files.ts';

/** Some 25 MB of them. */
const AT_ONCE = 100_000;

/** In the order of their paths' bytes; what does not fit into memory waits in files beside `beside`, which are gone again at the end. */
export function* sorted(
  records: Iterable<ManifestRecord>,
  beside: string,
  atOnce = AT_ONCE,
): Generator<ManifestRecord, void> {
  const files: string[] = [];
  let taken: ManifestRecord[] = [];
  try {
    for (const record of records) {
      taken.push(record);
      if (taken.length < atOnce) continue;
      const file = `${beside}.sorted-${String(files.length)}`;
      files.push(file);
      writeRecords(file, taken.sort());
      taken = [];
    }
    yield* merged([...files.map(recordsIn), taken.sort().values()]);
  } finally {
    for (const file of files) rmSync(file, { force: true });
  }
}

/** Of sorted ones one; what is the same in two of them comes twice. */
function* merged(sources: readonly Iterator<ManifestRecord>[]): Generator<ManifestRecord, void> {
  const heads = sources.map((source) => source.next());
  for (;;) {
    let least = -1;
    let record: ManifestRecord | null = null;
    for (const [at, head] of heads.entries()) {
      if (head.done === true || (record !== null && head.value >= record)) continue;
      [least, record] = [at, head.value];
    }
    const source = sources[least];
    if (record === null || source === undefined) return;
    yield record;
    heads[least] = source.next();
  }
}
