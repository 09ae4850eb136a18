import { isDeepStrictEqual } from 'node:util';
import type { EntryDraft } from '../../shared/gotchas/entry-draft.ts';
import type { Gotcha } from '../../shared/gotchas/gotcha.ts';
import { writeYaml } from '../yaml/write-yaml.ts';
import { checkGotchas } from './check-gotchas.ts';
import { GOTCHA_FORMAT } from './gotcha-schema.ts';

export type WrittenEntry = Omit<Gotcha, 'alert' | 'coverage'>;

/** A file with this one entry, in the order in which people read; what is empty is left out. */
export function entryYaml(entry: WrittenEntry, file: string): string {
  const kept = Object.entries({ id: entry.id, ...inOrder(entry) }).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  const text = fileText(Object.fromEntries(kept));
  const read = checkGotchas(file, text);
  // The schema has accepted these very values, so anything else is a bug here; it must not become a file.
  if (
    !read.ok ||
    !isDeepStrictEqual(read.value.entries, [{ ...entry, alert: null, coverage: null }])
  ) {
    throw new Error(`the text of ${entry.id} does not read back as what it was made of`);
  }
  return text;
}

/** A draft to be completed in an editor: what the person is to say stands there, empty. */
export function draftText(draft: EntryDraft): string {
  const { doubt: _doubt, duty: _duty, verified: _verified, ...fields } = inOrder(draft);
  return fileText({ ...fields, answers: { rootCaused: null, reproduced: null, general: null } });
}

function inOrder(draft: EntryDraft): EntryDraft {
  const { title, scope, theme, severity, role, symptom, cause, fix, probes, signs } = draft;
  const { asked, related, doubt, duty, verified, source, answers, incident } = draft;
  return {
    ...{ title, scope, theme, severity, role, symptom, cause, fix },
    ...(asked === undefined ? {} : { asked }),
    ...{ probes, signs, related },
    ...{ doubt, duty, verified, source, answers, incident },
  };
}

function fileText(entry: object): string {
  return writeYaml({ format: GOTCHA_FORMAT, entries: [entry] });
}
