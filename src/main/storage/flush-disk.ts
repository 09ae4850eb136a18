import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Has what was written to the disk of this folder put on it, with one question for however many files, so that asking for each of them then
 * takes little. Proves nothing: FUSE answers without asking its server, a disk that is mounted below the folder is not asked, and a writing
 * that failed is told only to whoever asks first.
 */
export async function flushDisk(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  // GNU's since 2016. One that knows no -f fails, and each file is waited for by itself.
  await run('sync', ['-f', '--', folder], { env: { PATH: process.env['PATH'] } }).catch(() => null);
}
