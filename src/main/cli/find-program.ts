import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { execFile } from 'node:child_process';

/** Long enough for a cold disk; a program that takes longer to say its version is not in order. */
const ANSWER_TIMEOUT_MS = 15_000;

export type Found =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing' }
  /** No PATH to look along. */
  | { readonly kind: 'unknown' };

/** Where a program is on the PATH, without starting anything. */
export async function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Promise<Found> {
  const isWindows = platform === 'win32';
  const paths = isWindows ? win32 : posix;
  const path = env['PATH'] ?? env['Path'] ?? '';
  // A relative entry would find whatever lies in the current folder.
  const folders = path.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
  if (folders.length === 0) return { kind: 'unknown' };
  for (const folder of folders) {
    const candidate = paths.join(folder, isWindows ? `${name}.exe` : name);
    if (await isExecutable(candidate)) return { kind: 'found', path: candidate };
  }
  return { kind: 'missing' };
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false; // not there, not ours to run: either way it is not this one
  }
}

/** The first line that a program prints; null when it fails, hangs or prints nothing. */
export function firstLineOf(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { timeout: ANSWER_TIMEOUT_MS, killSignal: 'SIGKILL', env } as const;
    const child = execFile(path, args, options, (error, stdout, stderr) => {
      const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
      resolve(error === null ? (lines.find((line) => line !== '') ?? null) : null);
    });
    child.stdin?.end();
  });
}
