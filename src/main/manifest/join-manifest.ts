import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ManifestSums } from '../../shared/manifest/manifest.ts';
import {
  bytesIn,
  isPlainFile,
  NOT_HASHED,
  NOT_READ,
  partsOf,
  recordOf,
  recordOfListed,
  type ManifestRecord,
  type RecordParts,
} from '../../shared/manifest/record.ts';
import {
  COARSE_GRAIN_MS,
  FINE_GRAIN_MS,
  IS_FINE,
} from '../../shared/runs/launch/read-run-results.ts';
import type { Jobs } from '../workers/jobs.ts';
import { LISTED, NEXT, PART, toHashIn, type WayToHash } from './making.ts';
import { partsIn, RecordFile, recordsIn, writeRecords } from './record-files.ts';
import { Beside } from './beside.ts';
import { sorted } from './sort-records.ts';

export interface Joined extends Omit<ManifestSums, 'unsettled'> {
  readonly digest: string;
  readonly toHash: Readonly<Record<WayToHash, ToHash>>;
  /** A file that is written to so much later than it was listed has another stamp. */
  readonly grainMs: number;
  /** The earlier manifest is not what its name says, and nothing of it counts. */
  readonly isSpoiled: boolean;
}

export interface ToHash {
  readonly files: number;
  readonly bytes: number;
}

/** It takes a moment by itself. */
const LARGE_BYTES = 10_000_000;

/** What a box has listed, beside what is known of it: the next manifest, and of which files a hash is missing in it. */
export function joinManifest({
  folder,
  earlier,
  isRetrying,
}: Jobs['join-manifest']['input']): Joined {
  const part = join(folder, PART);
  const kept = earlier === null ? null : new HashedRecords(recordsIn(earlier.file));
  const known = [
    ...(existsSync(part) ? [new Beside(recordsIn(part))] : []),
    ...(kept === null ? [] : [new Beside(kept)]),
  ];
  const sums = { files: 0, bytes: 0, others: 0, unread: 0 };
  let grainMs = FINE_GRAIN_MS;
  const asking = {
    many: new Asking(folder, 'many'),
    alone: new Asking(folder, 'alone'),
    odd: new Asking(folder, 'odd'),
  };
  function* records(): Generator<ManifestRecord, void> {
    const listed = join(folder, LISTED);
    const unreadable = (): void => {
      sums.unread += 1;
    };
    for (const record of sorted(listedIn(listed, unreadable), listed)) {
      const file = partsOf(record);
      if (!isPlainFile(file)) {
        sums.others += 1;
        yield record;
        continue;
      }
      if (!isFine(file)) grainMs = COARSE_GRAIN_MS;
      const sha256 = hashFrom(known, file, isRetrying);
      sums.files += 1;
      sums.bytes += bytesIn(file);
      if (sha256 === NOT_READ) sums.unread += 1;
      if (sha256 === NOT_HASHED) asking[wayOf(file)].add(file);
      yield recordOf({ ...file, sha256 });
    }
    for (const each of known) each.end();
  }
  const digest = writeRecords(join(folder, NEXT), records());
  return {
    ...{ ...sums, digest },
    toHash: { many: asking.many.end(), alone: asking.alone.end(), odd: asking.odd.end() },
    ...{ grainMs, isSpoiled: kept !== null && kept.digest() !== earlier?.digest },
  };
}

/** What a box tells without its size and its times is there, and nobody knows which version of it. */
function* listedIn(file: string, onUnreadable: () => void): Generator<ManifestRecord, void> {
  for (const part of partsIn(file, '\0')) {
    const record = recordOfListed(part);
    if (record === null) onUnreadable();
    else yield record;
  }
}

/** Of the same version of the file alone. */
function hashFrom(known: readonly Beside[], file: RecordParts, isRetrying: boolean): string {
  // Each of them is asked for each path: they walk along.
  const found = known.map((each) => each.at(file.path));
  const same = found.find((each) => each !== null && each.version === file.version);
  const { sha256 = NOT_HASHED } = same ?? {};
  return sha256 === NOT_READ && isRetrying ? NOT_HASHED : sha256;
}

const isFine = ({ version }: RecordParts): boolean => IS_FINE.test(version.split(' ')[3] ?? '');

function wayOf(file: RecordParts): WayToHash {
  // Hashing tools print such a name in a way of their own.
  if (/[\\\n\r]/.test(file.path)) return 'odd';
  return bytesIn(file) >= LARGE_BYTES ? 'alone' : 'many';
}

/** What a box is to be asked for in one way, each path with a NUL behind it. */
class Asking {
  readonly #names: RecordFile;
  #files = 0;
  #bytes = 0;

  constructor(folder: string, way: WayToHash) {
    this.#names = new RecordFile(toHashIn(folder, way));
  }

  add(file: RecordParts): void {
    this.#files += 1;
    this.#bytes += bytesIn(file);
    this.#names.add(`./${file.path}\0`);
  }

  end(): ToHash {
    this.#names.end();
    return { files: this.#files, bytes: this.#bytes };
  }
}

/** Records as they pass, and the SHA-256 of all of them once they have. */
class HashedRecords implements Iterator<ManifestRecord> {
  readonly #records: Iterator<ManifestRecord>;
  readonly #hash = createHash('sha256');

  constructor(records: Iterator<ManifestRecord>) {
    this.#records = records;
  }

  next(): IteratorResult<ManifestRecord> {
    const next = this.#records.next();
    if (next.done !== true) this.#hash.update(next.value, 'latin1');
    return next;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}
