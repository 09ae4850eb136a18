import { z } from 'zod';
import { problem, type Problem } from '../../shared/problem.ts';
import type { SqlRow } from './connection.ts';

/** Every row that could be read, and a problem for every one that could not: none is dropped silently. */
export interface Listing<T> {
  readonly rows: readonly T[];
  readonly unreadable: readonly Problem[];
}

/** Checks rows on their way out of the file: a bit may have flipped, a tool may have edited it. */
export function readRows<T>(
  rows: readonly SqlRow[],
  schema: z.ZodType<T>,
  what: string,
): Listing<T> {
  const readable: T[] = [];
  const unreadable: Problem[] = [];
  for (const row of rows) {
    const read = schema.safeParse(row);
    if (read.success) readable.push(read.data);
    else unreadable.push(unreadableRow(what, read.error));
  }
  return { rows: readable, unreadable };
}

/** A TEXT column that holds JSON of this shape. */
export function jsonColumn<T>(schema: z.ZodType<T>) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

function unreadableRow(what: string, { issues }: z.ZodError): Problem {
  return problem(
    'database-corrupt',
    `${what} in the database cannot be read. It stays in the file and is not used.`,
    {
      nextStep: 'Enter it again, or report it with the log.',
      // Paths and reasons only: the values themselves may be anything.
      detail: issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    },
  );
}
