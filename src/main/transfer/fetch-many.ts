import { constants } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { PART_ENDING } from '../../shared/transfer/local-name.ts';
import type { PullFile } from '../../shared/transfer/pull.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { SettledEnd } from '../workers/jobs.ts';
import type { Workers } from '../workers/workers.ts';
import { inSlices } from '../streams/in-slices.ts';
import { untilAborted } from '../streams/until-aborted.ts';
import { lookHereNow, type FoldersAsked } from './look-here.ts';
import { PieceWriter } from './piece-writer.ts';
import type { Came, Packing } from './packing.ts';
import type { PullCarrier } from './pull-carrier.ts';
import { readManyResults, receiveManyResults } from './result-bytes.ts';

/** Of a tar stream, before each file: a header, a long name and its header, and what fills their blocks. */
const HEADER_BYTES = 8 * 512;
const STREAM_END_BYTES = 64 * 1024;

export interface FetchMany {
  readonly connection: SshConnection;
  readonly carrier: PullCarrier;
  readonly scripts: OnboxScripts;
  readonly workers: Pick<Workers, 'run'>;
  readonly packing: Packing;
  /** On the box. */
  readonly from: string;
  /** Here. */
  readonly to: string;
  /** Of these files, among all that come together. */
  readonly no: number;
  readonly files: readonly PullFile[];
  /** Once the box has told them all; null: it could not read the file. */
  readonly hashesOf: (files: readonly PullFile[]) => Promise<ReadonlyMap<string, string | null>>;
  /** Of what is not here yet: whoever keeps account of it does so before it is named. */
  readonly onNaming: (
    files: readonly { readonly file: PullFile; readonly sha256: string }[],
  ) => Result<null, Problem>;
  readonly onBytes: (bytes: number) => void;
  /** Over when these bytes fit into the rate that it keeps to. */
  readonly onPace: (bytes: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Of each file, in their order; null: not told, and it goes by itself. */
type Ends = readonly (SettledEnd | null)[];

/** Brings many files in one stream, which lies beside them until a worker has taken it apart. */
export async function fetchMany(fetch: FetchMany): Promise<Result<Ends, Problem>> {
  const { files, to, no, workers, packing, hashesOf, onNaming, signal } = fetch;
  const missing: PullFile[] = [];
  const asked: FoldersAsked = new Map();
  await inSlices(files, (file) => {
    if (lookHereNow(to, file.path, asked).kind === 'gone') missing.push(file);
  });
  const stream = missing.length === 0 ? null : join(to, `.leasehold-${String(no)}${PART_ENDING}`);
  let isPacked = false;
  try {
    if (stream !== null) {
      const came = await receiveTold(fetch, missing, stream);
      if (!came.ok) return came;
      ({ isPacked } = came.value);
    }
    const told = await hashesOf(files);
    if (signal.aborted) return ok([]);
    const hashOf = ({ path }: PullFile): string | null => told.get(path) ?? null;
    const known: { path: string; bytes: number; sha256: string }[] = [];
    for (const file of files) {
      const sha256 = hashOf(file);
      if (sha256 !== null) known.push({ path: file.path, bytes: file.bytes, sha256 });
    }
    const named: { file: PullFile; sha256: string }[] = [];
    for (const file of missing) {
      const sha256 = hashOf(file);
      if (sha256 !== null) named.push({ file, sha256 });
    }
    const noted = onNaming(named);
    if (!noted.ok) return noted;
    const asked = { stream, mostBytes: mostOf(missing), to, files: known };
    const settled = await workers.run('settle-files', asked, { signal });
    if (isPacked && known.length > 0 && !signal.aborted) {
      const came = new Set(missing.map(({ path }) => path));
      const isAny = known.some(({ path }, at) => came.has(path) && isProven(settled, at));
      // What cannot be unpacked looks as if it shrank to nothing, and each further stream would come for nothing.
      if (!isAny) packing.giveUp();
    }
    // One of them may have been too much for a worker: by themselves it is known which.
    if (!settled.ok) return ok([]);
    const ends = settled.value.values();
    return ok(files.map((file) => (hashOf(file) === null ? null : (ends.next().value ?? null))));
  } finally {
    if (stream !== null) await rm(stream, { force: true });
  }
}

const isProven = (settled: Result<readonly SettledEnd[], unknown>, at: number): boolean =>
  settled.ok && settled.value[at]?.kind === 'proven';

const bytesIn = (files: readonly PullFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Of a stream of these, as it is without compressing. */
const mostOf = (files: readonly PullFile[]): number =>
  bytesIn(files) + files.length * HEADER_BYTES + STREAM_END_BYTES;

/** Whether the next ones are worth compressing is learnt from how these came. Answers whether these were compressed. */
async function receiveTold(
  fetch: FetchMany,
  files: readonly PullFile[],
  stream: string,
): Promise<Result<{ readonly isPacked: boolean }, Problem>> {
  const { packing, carrier, signal } = fetch;
  if (carrier.isFar) await untilAborted(packing.first(), signal);
  const isPacked = packing.packs(files);
  let came: Came | null = null;
  const beganMs = packing.begin();
  try {
    const received = await receive(fetch, files, stream, isPacked);
    if (!received.ok) return received;
    const { size: sentBytes } = await stat(stream);
    came = { beganMs, fileBytes: bytesIn(files), sentBytes, isPacked };
    return ok({ isPacked });
  } finally {
    packing.end(came);
  }
}

async function receive(
  { connection, carrier, scripts, from, onBytes, onPace, signal }: FetchMany,
  files: readonly PullFile[],
  stream: string,
  isPacked: boolean,
): Promise<Result<null, Problem>> {
  const bytes = bytesIn(files);
  const most = mostOf(files);
  const asked = {
    folder: from,
    paths: files.map(({ path }) => path),
    isPacked,
    most,
    signal,
  };
  // Without what tar adds, as near as can be told before it is taken apart.
  const counted = (before: number, more: number): void =>
    onBytes(Math.max(0, Math.min(bytes, before + more) - before));
  let received = 0;
  await rm(stream, { force: true });
  const isWhole = await receiveManyResults(carrier, scripts, {
    ...{ ...asked, into: stream },
    onBytes: (more) => {
      counted(received, more);
      received += more;
    },
  });
  if (isWhole) return ok(null);
  onBytes(-Math.min(bytes, received));
  // SECURITY: a link that somebody laid in its place is not written through.
  const { O_CREAT, O_NOFOLLOW, O_RDWR, O_TRUNC } = constants;
  const file = await open(stream, O_CREAT | O_TRUNC | O_RDWR | O_NOFOLLOW);
  try {
    const writer = new PieceWriter(file, 0, most);
    const came = await readManyResults(connection, scripts, {
      ...{ ...asked, inFlightBytes: carrier.inFlightBytes },
      take: async (piece) => {
        await onPace(piece.length);
        const before = writer.at;
        counted(before, await writer.take(piece));
      },
    });
    await writer.end();
    return came;
  } finally {
    await file.close();
  }
}
