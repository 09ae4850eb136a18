import { OWN_SOURCE, type EntryDraft } from '../../shared/gotchas/entry-draft.ts';
import { draftInput } from '../../shared/gotchas/entry-input.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FileFault } from '../../shared/yaml/file-fault.ts';
import { child, isFields } from '../../shared/yaml/path.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { describeIssue } from '../yaml/schema-faults.ts';
import { GOTCHA } from './check-gotchas.ts';
import { withNewNames } from './gotcha-schema.ts';

/** What the draft of an entry may leave out. Its id is Leasehold's to give, whatever the file says. */
const DEFAULTS: Partial<EntryDraft> = {
  scope: 'universal',
  role: 'advice',
  fix: [],
  probes: [],
  signs: [],
  related: [],
  doubt: null,
  duty: null,
  verified: null,
  source: OWN_SOURCE,
  answers: null,
  incident: null,
};

/** A draft as a person completed it in an editor: a file as those of the catalog, with one entry. */
export function readDraft(file: string, text: string): Result<EntryDraft, readonly FileFault[]> {
  const yaml = readYaml(text, GOTCHA.docs);
  if (!yaml.ok) return err([{ file, ...yaml.error }]);
  const { value, lineOf } = yaml.value;
  const entries = child(value, 'entries');
  const [first, ...others] = Array.isArray(entries) ? (entries as unknown[]) : [];
  const entry = withNewNames(first);
  if (!isFields(entry) || others.length > 0) {
    const fix = 'Keep "entries:" with the one entry, as `gotchas draft` prints it.';
    return err([{ file, line: lineOf(['entries']), message: 'holds not exactly one entry', fix }]);
  }
  const { id: _given, coverage: _ours, ...written } = entry;
  const filled = Object.entries(written).filter(([, each]) => each !== null);
  const whole = { ...DEFAULTS, ...Object.fromEntries(filled) };
  const parsed = draftInput.safeParse(whole);
  if (parsed.success) return ok(parsed.data);
  return err(
    parsed.error.issues.map((issue) => {
      const { path, message, fix } = describeIssue(issue, whole, GOTCHA);
      return { file, line: lineOf(['entries', 0, ...path]), message, fix };
    }),
  );
}
