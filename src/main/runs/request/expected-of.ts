import type { z } from 'zod';

/** As a person calls them who writes YAML. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list, one “- …” a line',
  object: 'fields below it, one “name: value” a line',
  record: 'fields below it, one “name: value” a line',
};

/** What the schema had expected in place of this value, and what stands there, in a sentence. */
export function expectedOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === null) return 'It is empty: give it a value, or remove the line.';
  if (issue.code !== 'invalid_type') {
    return issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
  }
  const wanted = KINDS[issue.expected] ?? issue.expected;
  const quotes =
    issue.expected === 'string' && typeof value !== 'object' ? '; put it in quotes' : '';
  return `Expected ${wanted}, not ${kindOf(value)}${quotes}.`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return KINDS[typeof value]?.replace(/ below it.*/, '') ?? typeof value;
}
