import type { OtherResult, ResultFile, ResultList } from './launched-run.ts';

/** What it is, in one letter. More digits are no size and no time. */
const FILE = /^([a-zA-Z]) (\d{1,16}) (-?\d{1,12}) ([^]+)$/;

const HEAD = /^folder (\d{1,12}) ([^]*)$/;

/** What resources/onbox/run-results.sh printed, asked at `atMs`; a word: why it did not. Null: not whole. */
export function readRunResults(
  stdout: string,
  mark: string,
  { atMs, maxFiles }: { readonly atMs: number; readonly maxFiles: number },
): ResultList | string | null {
  const head = stdout.indexOf(`${mark} `);
  if (head < 0) return null;
  const lineEnd = stdout.indexOf('\n', head);
  const line = stdout.slice(head + mark.length + 1, lineEnd < 0 ? undefined : lineEnd);
  const refused = /^refused ([a-z-]{1,40})$/.exec(line)?.[1];
  if (refused !== undefined) return refused;
  const [, nowS, folder] = HEAD.exec(line) ?? [];
  if (folder === undefined || lineEnd < 0) return null;
  // The box's clock may be wrong: what counts is how long ago it says that a file was written.
  const ownTime = (boxS: number): number => atMs - (Number(nowS) - boxS) * 1000;
  const wholeAt = stdout.lastIndexOf(`\n${mark} whole`);
  if (wholeAt < lineEnd) return null;
  const parts = stdout.slice(lineEnd + 1, wholeAt).split('\0', maxFiles + 1);
  // What stands behind the last NUL is nothing, half a name, or that it took too long.
  const rest = parts.pop() ?? '';
  const files: ResultFile[] = [];
  const others: OtherResult[] = [];
  for (const part of parts.slice(0, maxFiles)) {
    const [, kind, bytes, modifiedS, path] = FILE.exec(part) ?? [];
    if (path === undefined) continue;
    const file = { path, bytes: Number(bytes), modifiedAtMs: ownTime(Number(modifiedS)) };
    if (kind === 'f') files.push(file);
    else others.push({ ...file, kind: kind === 'l' ? 'link' : 'special' });
  }
  return {
    atMs,
    folder,
    files: files.sort(byPath),
    others: others.sort(byPath),
    isCut: rest !== '',
  };
}

const byPath = (a: ResultFile, b: ResultFile): number => (a.path < b.path ? -1 : 1);
