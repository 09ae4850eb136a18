import { execFile } from 'node:child_process';

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

export type GitAnswer =
  | { readonly kind: 'said'; readonly bytes: Buffer }
  | { readonly kind: 'no-git' }
  | { readonly kind: 'failed'; readonly because: string };

/**
 * SECURITY: a foreign project's settings may name programs that git would start for a look; none of these is asked. What a file
 * is filtered by is such a program too: see `withoutFilters`.
 */
const NOTHING_STARTED = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

/** Settings by which no filter is started, whatever the project calls its own. */
export async function withoutFilters(folder: string): Promise<readonly string[]> {
  const told = await runGit(folder, ['config', '-z', '--name-only', '--get-regexp', '^filter\\.']);
  if (told.kind !== 'said') return [];
  const names = told.bytes
    .toString('utf8')
    .split('\0')
    .flatMap((key) => /^filter\.([^]+)\.[^.]+$/.exec(key)?.[1] ?? []);
  return [...new Set(names)].flatMap((name) =>
    ['clean=', 'process=', 'required=false'].flatMap((said) => ['-c', `filter.${name}.${said}`]),
  );
}

/** Asks git about a folder of this machine. Changes nothing there. */
export function runGit(folder: string, words: readonly string[]): Promise<GitAnswer> {
  return new Promise((resolve) => {
    execFile(
      'git',
      ['--no-optional-locks', ...NOTHING_STARTED, ...words],
      {
        cwd: folder,
        encoding: 'buffer',
        maxBuffer: MAX_BYTES,
        timeout: TIMEOUT_MS,
      },
      (cause, stdout, stderr) => {
        if (cause === null) resolve({ kind: 'said', bytes: stdout });
        else if (cause.code === 'ENOENT') resolve({ kind: 'no-git' });
        else {
          const [line = ''] = stderr.toString().split('\n');
          resolve({
            kind: 'failed',
            because: line === '' ? cause.message : line,
          });
        }
      },
    );
  });
}
