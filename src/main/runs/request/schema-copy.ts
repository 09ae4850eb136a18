import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { requestJsonSchema } from '../../../shared/runs/request/request-file-schema.ts';
import { replaceFile } from '../../storage/atomic-file.ts';
import { errnoOf } from '../../storage/file-problem.ts';

/** Beside a request file, whoever opens it and wherever: an address of this computer would lead nobody else there. */
export const SCHEMA_COPY = 'leasehold.schema.json';

/** What the published file and each copy of it hold. */
export function requestSchemaText(): string {
  return `${JSON.stringify(requestJsonSchema(), null, 2)}\n`;
}

/** `foreign`: there is another file of that name, which stays. */
export type CopiedSchema = 'written' | 'current' | 'foreign';

/** Puts the schema beside the file, over an older copy of ours and over nothing else. */
export async function copySchema(file: string): Promise<CopiedSchema> {
  const copy = join(dirname(file), SCHEMA_COPY);
  const text = requestSchemaText();
  try {
    await writeFile(copy, text, { flag: 'wx' });
    return 'written';
  } catch (cause) {
    if (errnoOf(cause) !== 'EEXIST') throw cause;
  }
  const there = await readFile(copy, 'utf8');
  if (there === text) return 'current';
  if (!isOurs(there)) return 'foreign';
  await replaceFile(copy, text);
  return 'written';
}

function isOurs(text: string): boolean {
  try {
    const told: unknown = JSON.parse(text);
    const { title } = requestJsonSchema();
    return typeof told === 'object' && told !== null && 'title' in told && told.title === title;
  } catch {
    return false; // no JSON: not what a copy is
  }
}
