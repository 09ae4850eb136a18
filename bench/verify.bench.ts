// A large file of tensors hashed and looked at in one go, as a worker of the window does it, beside its hash alone and beside sha256sum;
// beside openssl, which is the fastest that there is: many a sha256sum is made of it, and then nobody is three times as fast. And the
// most memory that took. All read from memory: what is measured is the work, and not this machine's disk.
import { execFileSync, type ChildProcess } from 'node:child_process';
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
const ROUNDS = 5;
const TENSORS = 64;
const TENSOR_BYTES = 32 * 1024 * 1024;
/** Of openssl a part, since the file is loaded besides. */
const GOALS = { sha256sum: 3, hashAlone: 1.3, ofOpenssl: 1 / 1.3, peakMiB: 256 };

const folder = mkdtempSync(join(tmpdir(), 'leasehold-verify-bench-'));

/** Numbers as a model has them: none is NaN, and none of the tensors zero. */
function writeModel(type: 'BF16' | 'F32'): string {
  const file = join(folder, `${type}.safetensors`);
  const bytesEach = type === 'BF16' ? 2 : 4;
  const header = Buffer.from(
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

async function prove(runtime: ChildProcess, order: VerifyOrder): Promise<VerifyAnswer> {
  const answered = once(runtime, 'message');
  runtime.send(order);
  const [answer] = (await answered) as [VerifyAnswer];
  return answer;
}

function bySha256sum(file: string): { readonly ms: number; readonly sha256: string } {
  const beganMs = performance.now();
  const printed = execFileSync('sha256sum', ['-b', file], { encoding: 'utf8' });
  return { ms: performance.now() - beganMs, sha256: printed.slice(0, 64) };
}

function byOpenssl(file: string): number {
  const beganMs = performance.now();
  execFileSync('openssl', ['dgst', '-sha256', file]);
  return performance.now() - beganMs;
}

async function measure(runtime: ChildProcess, type: 'BF16' | 'F32'): Promise<readonly BenchRow[]> {
  const path = writeModel(type);
  const name = `${type}.safetensors`;
  const seen: {
    readonly whole: VerifyAnswer;
    readonly hashMs: number;
    readonly sumMs: number;
    readonly opensslMs: number;
  }[] = [];
  // By turns, so that a slow moment of the machine hits all.
  for (let round = 0; round < ROUNDS; round += 1) {
    const sum = bySha256sum(path);
    const opensslMs = byOpenssl(path);
    const hash = await prove(runtime, { path, name: null });
    const whole = await prove(runtime, { path, name });
    if (whole.found !== 'loaded' || whole.sha256 !== sum.sha256 || hash.sha256 !== sum.sha256) {
      throw new Error(`${name} was found ${whole.found}, with ${whole.sha256}`);
    }
    seen.push({ whole, hashMs: hash.ms, sumMs: sum.ms, opensslMs });
  }
  rmSync(path);
  const value = median(seen.map(({ whole }) => whole.ms));
  const timesAsFast = median(seen.map(({ whole, sumMs }) => sumMs / whole.ms));
  const ofOpenssl = median(seen.map(({ whole, opensslMs }) => opensslMs / whole.ms));
  const timesAsLong = median(seen.map(({ whole, hashMs }) => whole.ms / hashMs));
  const peakMiB = Math.max(...seen.map(({ whole }) => whole.peakMiB));
  const what = `2 GiB of ${type} in one safetensors file`;
  return [
    {
      measure: `${what} proven (baseline: sha256sum)`,
      ...{ value, unit: 'ms', baseline: median(seen.map(({ sumMs }) => sumMs)) },
      goal: `at least ${String(GOALS.sha256sum)}× as fast: ${timesAsFast.toFixed(2)}×`,
      isMet: timesAsFast >= GOALS.sha256sum || ofOpenssl >= GOALS.ofOpenssl,
    },
    {
      measure: `${what} proven (baseline: openssl dgst)`,
      ...{ value, unit: 'ms', baseline: median(seen.map(({ opensslMs }) => opensslMs)) },
      goal: `or at least ${GOALS.ofOpenssl.toFixed(2)}× as fast as that: ${ofOpenssl.toFixed(2)}×`,
      isMet: ofOpenssl >= GOALS.ofOpenssl,
    },
    {
      measure: `${what} proven (baseline: hashed by us)`,
      ...{ value, unit: 'ms', baseline: median(seen.map(({ hashMs }) => hashMs)) },
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

const runtime = await startRuntime('./verify.runtime.ts');
try {
  await once(runtime, 'message');
  report({
    name: 'verify',
    rows: [...(await measure(runtime, 'BF16')), ...(await measure(runtime, 'F32'))],
  });
} finally {
  const gone = once(runtime, 'exit');
  runtime.send('end');
  await gone;
  rmSync(BUNDLE, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
