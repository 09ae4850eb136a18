import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { parse } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { PythonAnswer } from '../../shared/verify/python-answer.ts';

/** A checkpoint of tens of gigabytes from a slow disk takes minutes; nothing takes an hour. */
const MOST_MS = 30 * 60_000;
/** Of all that it prints: the answer is a line, and what torch says before it is a page. */
const MOST_BYTES = 256 * 1024;
/** What an interpreter needs to find its own parts. Nothing else of the environment is a file's business. */
const KEPT = ['PATH', 'HOME', 'LD_LIBRARY_PATH', 'LANG', 'SYSTEMROOT', 'USERPROFILE', 'TEMP'];

const says = z.string().max(500);
const torch = z.string().max(60);
const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('loads'), torch, tensors: z.int().min(0), isAlone: z.boolean() }),
  z.object({ kind: z.enum(['refused', 'failed']), torch, says, isAlone: z.boolean() }),
  z.object({ kind: z.literal('no-torch'), says, isAlone: z.boolean() }),
]) satisfies z.ZodType<PythonAnswer>;

export interface PythonCheck {
  /** The interpreter. */
  readonly python: string;
  /** `resources/verify/python-check.py`. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mostMs?: number;
  readonly signal?: AbortSignal;
}

/** Has that Python load one file, with `weights_only=True`, in a process that ends with this one and is as closed as the system lets it be (`isAlone`). */
export async function checkByPython(
  { python, program, env, mostMs = MOST_MS, signal }: PythonCheck,
  file: string,
): Promise<PythonAnswer> {
  const kept: Record<string, string | undefined> = {
    CUDA_VISIBLE_DEVICES: '',
    OMP_NUM_THREADS: '1',
  };
  for (const name of KEPT) kept[name] = env[name];
  // -E: no PYTHON… of the environment; -c with the text: what lies beside a script would be imported.
  let child: ChildProcess | null = null;
  let isLate = false;
  const stop = (): void => void child?.kill('SIGKILL');
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, mostMs);
  signal?.addEventListener('abort', stop);
  try {
    const started = spawn(python, ['-E', '-c', await readFile(program, 'utf8'), file], {
      cwd: parse(process.cwd()).root,
      env: kept,
      // It ends when its stdin does, and that ends with this process.
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    child = started;
    if (signal?.aborted === true || isLate) stop();
    const failed = new Promise<never>((_resolve, reject) => started.once('error', reject));
    const printed = await Promise.race([textUntil(started.stdout, MOST_BYTES), failed]);
    if (signal?.aborted === true) return { kind: 'no-answer', says: 'it was stopped' };
    if (isLate) return { kind: 'no-answer', says: 'it took too long, and was ended' };
    if (printed === null) {
      return { kind: 'no-answer', says: 'it printed more than an answer, and was ended' };
    }
    const answer = answerSchema.safeParse(jsonOf(printed.trimEnd().split('\n').at(-1) ?? ''));
    return answer.success ? answer.data : { kind: 'no-answer', says: 'it ended without an answer' };
  } catch (cause) {
    // What is no program throws at once or later, by the system and the errno.
    const because = cause instanceof Error ? cause.message : String(cause);
    return { kind: 'no-answer', says: `it cannot be started: ${because}`.slice(0, 500) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    child?.stdin?.destroy();
    stop();
  }
}

/** Null: there is more. Leaving the loop closes the stream. */
async function textUntil(stream: Readable, most: number): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > most) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
