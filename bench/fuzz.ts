// A test that sends messages to the whole door of Leasehold, as a process of its own, with many more of them than as a test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Nobody pulls the plug here, and a disk that is waited for at each entry of the evidence takes half of the time. */
const IN_MEMORY = '/dev/shm';

/** `prefix`: of the variables that the test reads. Answers what it counted; throws where it found a fault. */
export async function runFuzz<T>(test: string, prefix: string, messages: number): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-fuzz-bench-'));
  try {
    const file = join(folder, 'report.json');
    const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
    const fuzz = spawn(process.execPath, [vitest, 'run', test], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: {
        [`${prefix}_MESSAGES`]: String(messages),
        [`${prefix}_SEED`]: String(Date.now() % 2 ** 31),
        ...(existsSync(IN_MEMORY) ? { TMPDIR: IN_MEMORY } : {}),
        ...process.env,
        [`${prefix}_REPORT`]: file,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = (await once(fuzz, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${test} found a fault: see above`);
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
