import type { EntryDraft, EntryFault } from '../../shared/gotchas/entry-draft.ts';
import { GAP } from '../../shared/gotchas/sign.ts';
import { plainText } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { REDACTED } from '../../shared/secrets/redact-text.ts';
import { gotchaSchema } from './gotcha-schema.ts';
import type { WrittenEntry } from './entry-yaml.ts';

/** More than any field may hold, so that nothing is cut here which the schema would name. */
const MAX_FIELD_CHARS = 4000;

export interface CleanEntry {
  readonly entry: WrittenEntry;
  /** The fields out of which something with the shape of a secret was taken. */
  readonly redacted: readonly string[];
}

/** The entry as it may be shown and written: without secrets, without what cannot be seen, and whole. */
export function settleEntry(
  id: string,
  draft: EntryDraft,
  redact: (text: string) => string,
): Result<CleanEntry, readonly EntryFault[]> {
  const { entry, redacted } = cleaned({ id, ...draft }, redact);
  const parsed = gotchaSchema.safeParse(entry);
  if (!parsed.success) {
    return err(
      parsed.error.issues.map(({ path, message }) => ({
        field: path.map(String).join('.'),
        fix: message.endsWith('.') ? message : `${message}.`,
      })),
    );
  }
  const { alert: _none, coverage: _nothing, ...whole } = parsed.data;
  return ok({ entry: whole, redacted });
}

function cleaned(
  entry: WrittenEntry,
  redact: (text: string) => string,
): { readonly entry: WrittenEntry; readonly redacted: readonly string[] } {
  const redacted: string[] = [];
  const clean = Object.entries(entry).map(([field, value]: [string, unknown]) => {
    const found = { isSecret: false };
    const cleaned = cleanValue(value, (text) => {
      const plain = plainText(text, MAX_FIELD_CHARS);
      // A secret differs from time to time, and a sign has a word for that.
      const safe = field === 'signs' ? redact(plain).replaceAll(REDACTED, GAP) : redact(plain);
      if (safe !== plain) found.isSecret = true;
      return safe;
    });
    if (found.isSecret) redacted.push(field);
    return [field, cleaned];
  });
  return { entry: Object.fromEntries(clean) as WrittenEntry, redacted };
}

function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((each) => cleanValue(each, clean));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, cleanValue(each, clean)]),
    );
  }
  return value;
}
