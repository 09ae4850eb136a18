// Files of tensors hashed and looked at in one go, as a worker does it: in Node as the command line, in Electron as the window. Beside it their
// hash alone, sha256sum and openssl, which is the fastest that there is; and a file of 10 GB. What is compared is
// processor time, which does not hang on who else uses this machine. And the most memory that took. See docs/decisions/0067-a-hash-is-the-runtime-s.md.
import { spawnSync, type ChildProcess } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report, type BenchRow } from './harness.ts';
import { BUNDLE, startRuntime } from './main-runtime.ts';
import type { VerifyAnswer, VerifyOrder } from './verify.runtime.ts';
import { median } from './windows.ts';

/** Odd, so that the median is a round that was measured. In Electron, whose hash may be slow, one has to do. */
const ROUNDS: Readonly<Record<Runtime, number>> = { node: 3, electron: 1 };
/** Together as much as the memory that it may take; a larger file changes no ratio, and the large ones tell of memory. */
const TENSOR_BYTES = 32 * 1024 * 1024;
const TENSORS = 8;
/** Of the large file: 10 GB. */
const LARGE_TENSORS = 298;
const TYPE_BYTES = { BF16: 2, F16: 2, F32: 4, F8_E4M3: 1 } as const;
type TensorType = keyof typeof TYPE_BYTES;
/** Of openssl a part, since the file is loaded besides. */
const GOALS = { sha256sum: 3, hashAlone: 1.3, ofOpenssl: 1 / 1.3, peakMiB: 256 };
/** Electron's own library knows the processor's instruction for SHA-256 where its hash costs less than this part of sha256sum's. */
const HAS_INSTRUCTION = 1 / 2;

const folder = mkdtempSync(join(tmpdir(), 'leasehold-verify-bench-'));

/** How its tensors are filled: with numbers as a model has them, of which none is NaN and no tensor zero; or not at all, as a hole in a file. */
type Filling = 'numbers' | 'hole';

interface ModelShape {
  readonly type: TensorType;
  readonly tensors: number;
  readonly filling: Filling;
}

const bytesOf = ({ tensors }: ModelShape): number => tensors * TENSOR_BYTES;

function writeModel({ type, tensors, filling }: ModelShape): string {
  const file = join(folder, `${type}.safetensors`);
  const bytesEach = TYPE_BYTES[type];
  // Numbers begin where words do, as the library sees to.
  const header = inWords(
    JSON.stringify(
      Object.fromEntries(
        Array.from({ length: tensors }, (_, no) => [
          `layers.${String(no)}.weight`,
          {
            dtype: type,
            shape: [TENSOR_BYTES / bytesEach],
            data_offsets: [no * TENSOR_BYTES, (no + 1) * TENSOR_BYTES],
          },
        ]),
      ),
    ),
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const fd = openSync(file, 'w');
  for (const part of [length, header]) writeSync(fd, part);
  if (filling === 'hole') ftruncateSync(fd, 8 + header.length + tensors * TENSOR_BYTES);
  else {
    const tensor = numbersOf(bytesEach);
    for (let no = 0; no < tensors; no += 1) writeSync(fd, tensor);
  }
  closeSync(fd);
  return file;
}

function numbersOf(bytesEach: number): Buffer {
  const tensor = randomFillSync(Buffer.allocUnsafe(TENSOR_BYTES));
  // The byte with the upper bits of the exponent: numbers around one.
  for (let at = bytesEach - 1; at < tensor.length; at += bytesEach) tensor[at] = 0x3f;
  return tensor;
}

const inWords = (text: string): Buffer => Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));

async function prove(runtime: ChildProcess, order: VerifyOrder): Promise<VerifyAnswer> {
  const answered = once(runtime, 'message');
  runtime.send(order);
  const [answer] = (await answered) as [VerifyAnswer];
  return answer;
}

/** The processor time of a program, of both kinds. */
function timed(
  program: string,
  ...args: string[]
): { readonly ms: number; readonly printed: string } {
  const script = 'TIMEFORMAT="%U %S"; time "$@"';
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', program, ...args], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${stderr}`);
  const [user = NaN, system = NaN] = stderr.trim().split(' ').map(Number);
  return { ms: (user + system) * 1000, printed: stdout };
}

type Runtime = 'node' | 'electron';

interface Proven {
  readonly whole: VerifyAnswer;
  readonly hashMs: number;
}

async function proveBoth(runtime: ChildProcess, path: string, name: string): Promise<Proven> {
  const whole = await prove(runtime, { path, name });
  const hash = await prove(runtime, { path, name: null });
  if (whole.found !== 'loaded' || whole.sha256 !== hash.sha256) {
    throw new Error(`${name} was found ${whole.found}, with ${whole.sha256}`);
  }
  return { whole, hashMs: hash.ms };
}

/** A file of this type; in Electron only where that is asked for. */
async function measure(
  shape: ModelShape,
  started: Readonly<Partial<Record<Runtime, ChildProcess>>>,
): Promise<readonly BenchRow[]> {
  const path = writeModel(shape);
  const sum = timed('sha256sum', '-b', path);
  const opensslMs = timed('openssl', 'dgst', '-sha256', path).ms;
  const rows: BenchRow[] = [];
  for (const runtime of ['node', 'electron'] as const) {
    const child = started[runtime];
    if (child === undefined) continue;
    const proven: Proven[] = [];
    for (let round = 0; round < ROUNDS[runtime]; round += 1) {
      proven.push(await proveBoth(child, path, `${shape.type}.safetensors`));
    }
    if (proven[0]?.whole.sha256 !== sum.printed.slice(0, 64)) throw new Error('Another hash.');
    rows.push(...rowsOf(shape, runtime, proven, { sumMs: sum.ms, opensslMs }));
  }
  rmSync(path);
  return rows;
}

interface Peers {
  readonly sumMs: number;
  readonly opensslMs: number;
}

function rowsOf(
  shape: ModelShape,
  runtime: Runtime,
  proven: readonly Proven[],
  { sumMs, opensslMs }: Peers,
): readonly BenchRow[] {
  const value = median(proven.map(({ whole }) => whole.ms));
  const hashMs = median(proven.map((each) => each.hashMs));
  const [timesAsFast, ofOpenssl] = [sumMs / value, opensslMs / value];
  // What an older library takes for the hash alone is no doing of ours, and is told as what it is.
  const isBound = runtime === 'node' || hashMs / sumMs < HAS_INSTRUCTION;
  const what = `${wordsOf(shape)}, in ${runtime}: proven`;
  return [
    {
      measure: `${what} (baseline: sha256sum)`,
      ...{ value, unit: 'ms of a core', baseline: sumMs },
      goal: isBound
        ? `at least ${String(GOALS.sha256sum)}× as fast: ${timesAsFast.toFixed(2)}×`
        : `none, for its hash alone takes ${(hashMs / sumMs).toFixed(2)}× of that: ${timesAsFast.toFixed(2)}×`,
      ...(isBound ? { isMet: timesAsFast >= GOALS.sha256sum || ofOpenssl >= GOALS.ofOpenssl } : {}),
    },
    {
      measure: `${what} (baseline: openssl dgst)`,
      ...{ value, unit: 'ms of a core', baseline: opensslMs },
      goal: `told only, ${GOALS.ofOpenssl.toFixed(2)}× would do: ${ofOpenssl.toFixed(2)}×`,
    },
    ...rowsBesideHash(what, value, hashMs, proven),
  ];
}

const wordsOf = (shape: ModelShape): string =>
  `${String(Math.round(bytesOf(shape) / 1e6))} MB of ${shape.type} (${shape.filling}) in one safetensors file`;

function rowsBesideHash(
  what: string,
  value: number,
  hashMs: number,
  proven: readonly Pick<Proven, 'whole'>[],
): readonly BenchRow[] {
  const peakMiB = Math.max(...proven.map(({ whole }) => whole.peakMiB));
  return [
    {
      measure: `${what} (baseline: hashed by us)`,
      ...{ value, unit: 'ms of a core', baseline: hashMs, ratio: value / hashMs },
      goal: `at most ${String(GOALS.hashAlone)}×`,
      isMet: value / hashMs <= GOALS.hashAlone,
    },
    {
      measure: '  of it, most memory of the process',
      ...{ value: peakMiB, unit: 'MiB' },
      goal: `below ${String(GOALS.peakMiB)} MiB`,
      isMet: peakMiB < GOALS.peakMiB,
    },
  ];
}

/**
 * In Node alone, and once: it takes long. It is a hole, which is soon made; its bytes are read, hashed and looked at as any. But whoever reads it
 * first has the system fill its memory with them, which takes more than all of the rest: nothing of that reading is counted.
 */
async function measureLarge(node: ChildProcess): Promise<readonly BenchRow[]> {
  const shape: ModelShape = { type: 'BF16', tensors: LARGE_TENSORS, filling: 'hole' };
  const path = writeModel(shape);
  await prove(node, { path, name: null });
  const { whole, hashMs } = await proveBoth(node, path, `${shape.type}.safetensors`);
  rmSync(path);
  return rowsBesideHash(`${wordsOf(shape)}, in node: proven`, whole.ms, hashMs, [{ whole }]);
}

const node = await startRuntime('./verify.runtime.ts', { runtime: 'node' });
const electron = await startRuntime('./verify.runtime.ts');
try {
  const rows: BenchRow[] = [];
  for (const [type, started] of [
    ['BF16', { node, electron }],
    ['F16', { node }],
    ['F32', { node }],
    ['F8_E4M3', { node }],
  ] as const) {
    rows.push(...(await measure({ type, tensors: TENSORS, filling: 'numbers' }, started)));
  }
  rows.push(...(await measureLarge(node)));
  report({ name: 'verify', rows });
} finally {
  for (const runtime of [node, electron]) {
    const gone = once(runtime, 'exit');
    runtime.send('end');
    await gone;
  }
  rmSync(BUNDLE, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
