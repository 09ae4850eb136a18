import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { parse } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** A checkpoint of tens of gigabytes from a slow disk takes minutes; nothing takes an hour. */
const MOST_MS = 30 * 60_000;
const MOST_ANSWER_CHARS = 10_000;
/** What an interpreter needs to find its own parts. Nothing else of the environment is a file's business. */
const KEPT = ['PATH', 'HOME', 'LD_LIBRARY_PATH', 'LANG', 'SYSTEMROOT', 'USERPROFILE', 'TEMP'];

const says = z.string().max(500);
const torch = z.string().max(60);
const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('loads'), torch, tensors: z.int().min(0), isAlone: z.boolean() }),
  z.object({ kind: z.enum(['refused', 'failed']), torch, says, isAlone: z.boolean() }),
  z.object({ kind: z.literal('no-torch'), says, isAlone: z.boolean() }),
]);

/**
 * What a person's own Python says of a file of torch. It is a knowledge of its own, beside how far the file is proven: no file is loaded, or
 * damaged, because of it.
 */
export type PythonAnswer =
  | z.infer<typeof answerSchema>
  /** It ended or was ended without one. */
  | { readonly kind: 'no-answer'; readonly says: string };

export interface PythonCheck {
  /** The interpreter. */
  readonly python: string;
  /** `resources/verify/python-check.py`. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mostMs?: number;
}

/** Has that Python load one file, with `weights_only=True`, in a process that has no network and ends with this one. */
export async function checkByPython(
  { python, program, env, mostMs = MOST_MS }: PythonCheck,
  file: string,
): Promise<PythonAnswer> {
  const kept: Record<string, string | undefined> = {
    CUDA_VISIBLE_DEVICES: '',
    OMP_NUM_THREADS: '1',
  };
  for (const name of KEPT) kept[name] = env[name];
  // -E: no PYTHON… of the environment; -c with the text: what lies beside a script would be imported.
  const child = spawn(python, ['-E', '-c', await readFile(program, 'utf8'), file], {
    cwd: parse(process.cwd()).root,
    env: kept,
    // It ends when its stdin does, and that ends with this process.
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, mostMs);
  try {
    const failed = new Promise<Error>((resolve) => child.once('error', resolve));
    const printed = await Promise.race([text(child.stdout), failed]);
    if (isLate) return { kind: 'no-answer', says: 'it took too long, and was ended' };
    if (printed instanceof Error) {
      return { kind: 'no-answer', says: `it cannot be started: ${printed.message}` };
    }
    const answer = answerSchema.safeParse(jsonOf(printed.slice(0, MOST_ANSWER_CHARS)));
    return answer.success ? answer.data : { kind: 'no-answer', says: 'it ended without an answer' };
  } finally {
    clearTimeout(timer);
    child.stdin.destroy();
    child.kill('SIGKILL');
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** In a clause, with what said it. */
export function pythonWords(answer: PythonAnswer): string {
  switch (answer.kind) {
    case 'loads':
      return `torch ${answer.torch} loads it, ${String(answer.tensors)} tensors`;
    case 'refused':
      return `torch ${answer.torch} does not load it with weights_only: ${answer.says}`;
    case 'failed':
      return `torch ${answer.torch} cannot load it: ${answer.says}`;
    case 'no-torch':
      return `it has no torch: ${answer.says}`;
    case 'no-answer':
      return answer.says;
  }
}
