import { execFile } from 'node:child_process';
import { release } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Linux tells who asks so of a writing that failed since this version (2020); before, only who asks for that one file. */
const TELLS_FAILURES_SINCE = [5, 8] as const;

/**
 * Has everything that was written to the disk of this folder put on it, with one question for however many files. False: this system has no
 * such question or does not answer it truly, and each file is to be asked for by itself.
 */
export async function flushDisk(folder: string): Promise<boolean> {
  if (process.platform !== 'linux' || !tellsFailures(release())) return false;
  try {
    // GNU's since 2016. One that knows no -f fails.
    await run('sync', ['-f', '--', folder], { env: { PATH: process.env['PATH'] } });
    return true;
  } catch {
    return false;
  }
}

export function tellsFailures(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10));
  const [since, sinceMinor] = TELLS_FAILURES_SINCE;
  return major > since || (major === since && minor >= sinceMinor);
}
