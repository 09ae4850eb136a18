import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  isHashed,
  isPlainFile,
  NOT_HASHED,
  NOT_READ,
  partsOf,
  recordOf,
  type ManifestRecord,
} from '../../shared/manifest/record.ts';
import type { Jobs } from '../workers/jobs.ts';
import { Beside } from './beside.ts';
import { NEXT, PART, toldIn } from './making.ts';
import { partsIn, recordsIn, writeRecords } from './record-files.ts';
import { sorted } from './sort-records.ts';

/** As hashing tools print it, and as hash-many.sh prints what they would not. */
const TOLD = /^([0-9a-f]{64}) (?:[ *]\.\/([^]+)|=((?:[0-9a-f]{2})+))$/;

/** Takes what the box has told of the files it was asked for into what is known of the folder; then nothing more is told. */
export function foldTold({ folder, isWhole }: Jobs['fold-told']['input']): null {
  const told = toldIn(folder);
  if (!existsSync(told)) return null;
  function* records(): Generator<ManifestRecord, void> {
    const hashes = new Beside(sorted(hashesIn(told), told));
    for (const record of recordsIn(join(folder, NEXT))) {
      const file = partsOf(record);
      if (!isPlainFile(file)) continue;
      const sha256 = isHashed(file) ? file.sha256 : hashes.at(file.path)?.sha256;
      const known = sha256 ?? (isWhole ? NOT_READ : NOT_HASHED);
      if (known !== NOT_HASHED) yield recordOf({ ...file, sha256: known });
    }
  }
  writeRecords(join(folder, PART), records());
  rmSync(told);
  return null;
}

/** A line that was cut off would name another file, and is none. */
function* hashesIn(told: string): Generator<ManifestRecord, void> {
  for (const line of partsIn(told, '\n')) {
    const [, sha256, plain, hex] = TOLD.exec(line) ?? [];
    if (sha256 === undefined) continue;
    const path =
      plain ??
      Buffer.from(hex ?? '', 'hex')
        .toString('latin1')
        .replace(/^\.\//, '');
    if (!path.includes('\0')) yield recordOf({ path, sha256, version: '' });
  }
}
