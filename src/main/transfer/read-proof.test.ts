import { expect, it } from 'vitest';
import type { PulledFile } from '../../shared/transfer/pull.ts';
import { openDatabase } from '../storage/database.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { nextTurn } from '../streams/in-turns.ts';
import { keepProof, readProof } from './read-proof.ts';

const BOX = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
const file = (at: number): PulledFile => ({
  ...{
    path: `out/${String(at)}`,
    bytes: at,
    modifiedAtMs: 1,
    keep: 'evidence',
    mark: 'equal',
  },
  ...{
    sha256: 'a'.repeat(64),
    level: 'hashed',
    loaded: { kind: 'no-reader' },
    says: null,
  },
});

it('keeps what twenty thousand files proved a part at a time, and reads it as it was written', () =>
  withFolder(async (folder) => {
    const { database } = openDatabase({ folder });
    const files = Array.from({ length: 20_000 }, (_, at) => file(at));
    const report = {
      runId: 'r',
      runName: 'a run',
      from: '/b',
      to: folder,
      manifest: '',
      files,
    };
    let isKept = false;
    let turns = 0;
    const others = async (): Promise<void> => {
      for (; !isKept; turns += 1) await nextTurn();
    };
    const serving = others();
    const kept = await keepProof(database.evidence, BOX, report);
    isKept = true;
    await serving;
    if (!kept.ok) throw new Error(kept.error.message);
    expect(kept.value.report).toEqual(report);
    // Writing, checking and each thousand files.
    expect(turns).toBeGreaterThan(20);
    const { seq, hash, atMs } = kept.value;
    const about = {
      seq,
      hash,
      atMs,
      kind: 'pull',
      boxId: BOX,
      about: 'r',
      previous: '',
    } as const;
    const wrong = {
      ...report,
      files: [...files.slice(1), { ...file(0), mark: 'other' }],
    };
    expect(readProof({ ...about, body: JSON.stringify(report) })).toEqual(kept);
    expect(readProof({ ...about, body: JSON.stringify(wrong) })).toMatchObject({
      ok: false,
    });
    database.close();
  }));
