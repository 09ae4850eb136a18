import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';

const TIMEOUT_MS = 10_000;
/** A list of thousands of runs is far smaller; what is larger comes from no TensorBoard. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Asks for JSON over a stream to the box's own loopback. Everything in the answer is hostile until it fits the schema. */
export async function askJson<T>(
  stream: Duplex,
  { port, path }: { readonly port: number; readonly path: string },
  schema: z.ZodType<T>,
): Promise<Result<T, Problem>> {
  const answer = await ask(stream, port, path);
  stream.destroy();
  if (!answer.ok) return answer;
  let json: unknown;
  try {
    json = JSON.parse(answer.value);
  } catch {
    return err(badAnswer(port, 'the answer is not JSON'));
  }
  const read = schema.safeParse(json);
  return read.success ? ok(read.data) : err(badAnswer(port, 'the answer has another shape'));
}

async function ask(stream: Duplex, port: number, path: string): Promise<Result<string, Problem>> {
  const { request } = await import('node:http'); // takes milliseconds to load, and nobody needs it at the start
  return new Promise((resolve) => {
    const refuse = (detail: string): void => {
      clearTimeout(timer);
      asked.destroy();
      resolve(err(badAnswer(port, detail)));
    };
    const timer = setTimeout(() => {
      asked.destroy();
      resolve(
        err(problem('target-silent', `Port ${String(port)} of the box did not answer in time.`)),
      );
    }, TIMEOUT_MS);
    const read = (response: IncomingMessage): void => {
      const chunks: Buffer[] = [];
      let size = 0;
      if (response.statusCode !== 200) refuse(`HTTP ${String(response.statusCode)}`);
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_BYTES) refuse('the answer is too large');
        else chunks.push(chunk);
      });
      response.on('error', ({ message }) => refuse(message));
      response.on('end', () => {
        clearTimeout(timer);
        resolve(ok(Buffer.concat(chunks).toString('utf8')));
      });
    };
    const asked = request(
      {
        createConnection: () => stream,
        host: '127.0.0.1',
        port,
        path,
        headers: { accept: 'application/json', connection: 'close' },
      },
      read,
    );
    asked.on('error', ({ message }) => refuse(message));
    asked.end();
  });
}

function badAnswer(port: number, detail: string): Problem {
  const text = `What listens on port ${String(port)} of the box did not answer as expected.`;
  return problem('bad-answer', text, { detail: detail.slice(0, 200) });
}
