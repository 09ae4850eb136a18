// A large file of tensors hashed and looked at in one go, as a worker does it: in Node as the command line, in Electron as the window. Beside it
// its hash alone, sha256sum and openssl, which is the fastest that there is. What is compared is processor time, which does not hang on who else
// uses this machine. And the most memory that took. See docs/decisions/0067-a-hash-is-the-runtime-s.md.
import { spawnSync, type ChildProcess } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report, type BenchRow } from './harness.ts';
import { BUNDLE, startRuntime } from './main-runtime.ts';
import type { VerifyAnswer, VerifyOrder } from './verify.runtime.ts';
import { median } from './windows.ts';

/** Odd, so that the median is a round that was measured. */
const ROUNDS = 3;
/** Twice the memory that it may take, together; a larger file changes no ratio. */
const TENSORS = 16;
const TENSOR_BYTES = 32 * 1024 * 1024;
/** Of openssl a part, since the file is loaded besides. */
const GOALS = { sha256sum: 3, hashAlone: 1.3, ofOpenssl: 1 / 1.3, peakMiB: 256 };
/** Electron's own library knows the processor's instruction for SHA-256 where its hash costs less than this part of sha256sum's. */
const HAS_INSTRUCTION = 1 / 2;

const folder = mkdtempSync(join(tmpdir(), 'leasehold-verify-bench-'));

/** Numbers as a model has them: none is NaN, and none of the tensors zero. */
function writeModel(type: 'BF16' | 'F32'): string {
  const file = join(folder, `${type}.safetensors`);
  const bytesEach = type === 'BF16' ? 2 : 4;
  // Numbers begin where words do, as the library sees to.
  const header = inWords(
    JSON.stringify(
      Object.fromEntries(
        Array.from({ length: TENSORS }, (_, no) => [
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
  const tensor = randomFillSync(Buffer.allocUnsafe(TENSOR_BYTES));
  // The byte with the upper bits of the exponent: numbers around one.
  for (let at = bytesEach - 1; at < tensor.length; at += bytesEach) tensor[at] = 0x3f;
  const fd = openSync(file, 'w');
  for (const part of [length, header]) writeSync(fd, part);
  for (let no = 0; no < TENSORS; no += 1) writeSync(fd, tensor);
  closeSync(fd);
  return file;
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

interface Round {
  readonly sumMs: number;
  readonly opensslMs: number;
  readonly proven: Readonly<
    Record<Runtime, { readonly whole: VerifyAnswer; readonly hashMs: number }>
  >;
}

type Runtime = 'node' | 'electron';
type Runtimes = Readonly<Record<Runtime, ChildProcess>>;

async function proveBoth(runtime: ChildProcess, path: string, name: string, sha256: string) {
  const hash = await prove(runtime, { path, name: null });
  const whole = await prove(runtime, { path, name });
  if (whole.found !== 'loaded' || whole.sha256 !== sha256 || hash.sha256 !== sha256) {
    throw new Error(`${name} was found ${whole.found}, with ${whole.sha256}`);
  }
  return { whole, hashMs: hash.ms };
}

async function measure(runtimes: Runtimes, type: 'BF16' | 'F32'): Promise<readonly BenchRow[]> {
  const path = writeModel(type);
  const name = `${type}.safetensors`;
  const rounds: Round[] = [];
  // By turns, so that a slow moment of the machine hits all.
  for (let round = 0; round < ROUNDS; round += 1) {
    const sum = timed('sha256sum', '-b', path);
    const sha256 = sum.printed.slice(0, 64);
    rounds.push({
      sumMs: sum.ms,
      opensslMs: timed('openssl', 'dgst', '-sha256', path).ms,
      proven: {
        node: await proveBoth(runtimes.node, path, name, sha256),
        electron: await proveBoth(runtimes.electron, path, name, sha256),
      },
    });
  }
  rmSync(path);
  return [...rowsOf(rounds, 'node', type), ...rowsOf(rounds, 'electron', type)];
}

function rowsOf(rounds: readonly Round[], runtime: Runtime, type: string): readonly BenchRow[] {
  const seen = rounds.map(({ proven, ...others }) => ({ ...others, ...proven[runtime] }));
  const value = median(seen.map(({ whole }) => whole.ms));
  const timesAsFast = median(seen.map(({ whole, sumMs }) => sumMs / whole.ms));
  const ofOpenssl = median(seen.map(({ whole, opensslMs }) => opensslMs / whole.ms));
  const timesAsLong = median(seen.map(({ whole, hashMs }) => whole.ms / hashMs));
  const ofSum = median(seen.map(({ sumMs, hashMs }) => hashMs / sumMs));
  const peakMiB = Math.max(...seen.map(({ whole }) => whole.peakMiB));
  // What an older library takes for the hash alone is no doing of ours, and is told as what it is.
  const isBound = runtime === 'node' || ofSum < HAS_INSTRUCTION;
  const what = `512 MiB of ${type} in one safetensors file, in ${runtime}: proven`;
  return [
    {
      measure: `${what} (baseline: sha256sum)`,
      ...{ value, unit: 'ms of a core', baseline: median(seen.map(({ sumMs }) => sumMs)) },
      goal: isBound
        ? `at least ${String(GOALS.sha256sum)}× as fast: ${timesAsFast.toFixed(2)}×`
        : `none, for its hash alone takes ${ofSum.toFixed(2)}× of that: ${timesAsFast.toFixed(2)}×`,
      ...(isBound ? { isMet: timesAsFast >= GOALS.sha256sum || ofOpenssl >= GOALS.ofOpenssl } : {}),
    },
    {
      measure: `${what} (baseline: openssl dgst)`,
      ...{ value, unit: 'ms of a core', baseline: median(seen.map(({ opensslMs }) => opensslMs)) },
      goal: `told only, ${GOALS.ofOpenssl.toFixed(2)}× would do: ${ofOpenssl.toFixed(2)}×`,
    },
    {
      measure: `${what} (baseline: hashed by us)`,
      ...{ value, unit: 'ms of a core', baseline: median(seen.map(({ hashMs }) => hashMs)) },
      ratio: timesAsLong,
      goal: `at most ${String(GOALS.hashAlone)}×`,
      isMet: timesAsLong <= GOALS.hashAlone,
    },
    {
      measure: '  of it, most memory of the process',
      ...{ value: peakMiB, unit: 'MiB' },
      goal: `below ${String(GOALS.peakMiB)} MiB`,
      isMet: peakMiB < GOALS.peakMiB,
    },
  ];
}

const runtimes = {
  node: await startRuntime('./verify.runtime.ts', { runtime: 'node' }),
  electron: await startRuntime('./verify.runtime.ts'),
};
try {
  report({
    name: 'verify',
    rows: [...(await measure(runtimes, 'BF16')), ...(await measure(runtimes, 'F32'))],
  });
} finally {
  for (const runtime of Object.values(runtimes)) {
    const gone = once(runtime, 'exit');
    runtime.send('end');
    await gone;
  }
  rmSync(BUNDLE, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
