import type { z } from 'zod';
import type { FileFault } from '../../shared/yaml/file-fault.ts';
import { valueAt, type Path } from '../../shared/yaml/path.ts';

/** What a file of data is called, and the page that says what it may hold. */
export interface DataKind {
  /** With its article: "a profile". */
  readonly what: string;
  readonly docs: string;
}

export interface DescribedIssue {
  readonly path: Path;
  readonly message: string;
  readonly fix: string;
}

/** One line for a terminal or a notice. */
export function faultSentence({ file, line, column, message, fix }: FileFault): string {
  const place = column === undefined ? `${line}` : `${line}:${column}`;
  return `${file}:${place} ${message}. ${fix}`;
}

/** What the schema has against this data, in words of the file. */
export function describeIssue(
  issue: z.core.$ZodIssue,
  data: unknown,
  { what, docs }: DataKind,
): DescribedIssue {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  const where = path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const whole = [...path, issue.keys[0] ?? ''];
    return {
      path: whole,
      message: `${whole.join('.')} is not a field of ${what}`,
      fix: `Check its spelling against ${docs}, or remove it.`,
    };
  }
  if (valueAt(data, path) === undefined) {
    return {
      path,
      message: `${where} is missing`,
      fix: 'Add it; null says that it is not known.',
    };
  }
  const fix = issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
  return { path, message: `${where} cannot be used`, fix };
}
