import { open } from 'node:fs/promises';
import { err, ok, type Result } from '../../shared/result.ts';
import type { CommandContext } from './command.ts';
import { judgeEncoding, TextBytes } from './text-encoding.ts';

/** For readers that need the whole text at once. Their texts have kilobytes; this much is no such text. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

/**
 * Hands a file, or with `-` the standard input, to `onText` in pieces, so that its size does not matter. Bytes that are
 * no text in its encoding become U+FFFD. The error is a sentence for people.
 */
export async function readPieces(
  name: string,
  { stdin }: Pick<CommandContext, 'stdin'>,
  onText: (text: string) => Promise<void> | void,
): Promise<Result<null, string>> {
  const bytes = new TextBytes();
  const source = name === '-' ? ok(stdin) : await openFile(name);
  if (!source.ok) return source;
  const pieces = source.value[Symbol.asyncIterator]();
  for (;;) {
    const next = await nextPiece(pieces, name);
    if (!next.ok) return next;
    if (next.value === null) break;
    try {
      await onText(bytes.push(next.value));
    } catch (cause) {
      await pieces.return?.();
      throw cause;
    }
  }
  await onText(bytes.end());
  return ok(null);
}

/** The whole text, for the readers of short answers. */
export async function readWhole(
  name: string,
  context: Pick<CommandContext, 'stdin'>,
): Promise<Result<string, string>> {
  const texts: string[] = [];
  let length = 0;
  const read = await readPieces(name, context, (text) => {
    length += text.length;
    if (length <= MAX_WHOLE_BYTES) texts.push(text);
    else texts.length = 0;
  });
  if (!read.ok) return read;
  if (length <= MAX_WHOLE_BYTES) return ok(texts.join(''));
  return err(`${describe(name)} is longer than 64 MiB, more than this command reads.`);
}

/** What a text is stands in its beginning. */
const HEAD_BYTES = 64 * 1024;

/** The beginning of a text, and all of it `again`: a pipe can be read only once. */
export async function readHead(
  name: string,
  { stdin }: Pick<CommandContext, 'stdin'>,
): Promise<Result<{ readonly text: string; readonly again: AsyncIterable<Uint8Array> }, string>> {
  const source = name === '-' ? ok(stdin) : await openFile(name);
  if (!source.ok) return source;
  const pieces = source.value[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const next = await nextPiece(pieces, name);
    if (!next.ok) return next;
    if (next.value === null) break;
    head.push(next.value);
    length += next.value.length;
  }
  const bytes = Buffer.concat(head).subarray(0, HEAD_BYTES);
  const text = new TextDecoder(judgeEncoding(bytes)).decode(bytes);
  return ok({ text, again: chained(head, pieces) });
}

async function* chained(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* head;
  try {
    for (;;) {
      const next = await rest.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

async function openFile(path: string): Promise<Result<AsyncIterable<Uint8Array>, string>> {
  try {
    const file = await open(path, 'r');
    return ok(file.createReadStream({ highWaterMark: 256 * 1024 }));
  } catch (cause) {
    return refuse(path, cause);
  }
}

/** Null at the end. */
async function nextPiece(
  pieces: AsyncIterator<Uint8Array>,
  name: string,
): Promise<Result<Uint8Array | null, string>> {
  try {
    const next = await pieces.next();
    return ok(next.done === true ? null : next.value);
  } catch (cause) {
    return refuse(name, cause);
  }
}

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'There is no file',
  ENOTDIR: 'There is no file',
  EACCES: 'This user may not read',
  EPERM: 'This user may not read',
  EISDIR: 'A folder, not a file, is',
};

function refuse(name: string, cause: unknown): { readonly ok: false; readonly error: string } {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : null;
  if (code === null) throw cause;
  const sentence = SENTENCES[code];
  return err(
    sentence === undefined
      ? `${describe(name)} could not be read (${code}).`
      : `${sentence} ${describe(name)}.`,
  );
}

function describe(name: string): string {
  return name === '-' ? 'the standard input' : name;
}
