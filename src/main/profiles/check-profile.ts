import { applyOverride, pathInOverride } from '../../shared/profiles/override.ts';
import { PROFILE_FORMAT, profileSchema, type Profile } from '../../shared/profiles/profile.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FileFault } from '../../shared/yaml/file-fault.ts';
import { isFields, type Path } from '../../shared/yaml/path.ts';
import { readYaml, type ReadYaml } from '../yaml/read-yaml.ts';
import { describeIssue, type DataKind } from '../yaml/schema-faults.ts';

const PROFILE: DataKind = { what: 'a profile', docs: 'docs/profiles.md' };

/** A profile file whose YAML was read and whose id and format are right; the rest is not looked at yet. */
export interface ProfileText {
  readonly file: string;
  readonly id: string;
  readonly yaml: ReadYaml;
}

export function readProfileText(file: string, text: string): Result<ProfileText, FileFault> {
  const yaml = readYaml(text, PROFILE.docs);
  if (!yaml.ok) return err({ file, ...yaml.error });
  const { value, lineOf } = yaml.value;
  const fault = (path: Path, message: string, fix: string): Result<never, FileFault> =>
    err({ file, line: lineOf(path), message, fix });
  if (!isFields(value)) {
    return fault([], 'holds no fields', 'Begin with "format: 1" and "id: <platform>".');
  }
  const { format, id } = value;
  if (typeof format === 'number' && format > PROFILE_FORMAT) {
    return fault(
      ['format'],
      `was written for a newer Leasehold (format ${format}; this one reads ${PROFILE_FORMAT})`,
      `Update Leasehold, or write it in format ${PROFILE_FORMAT}.`,
    );
  }
  if (format !== PROFILE_FORMAT) {
    return fault(['format'], 'does not say its format', `Add "format: ${PROFILE_FORMAT}".`);
  }
  if (typeof id !== 'string' || id === '') {
    return fault(['id'], 'does not say which platform it is for', 'Add "id: <platform>".');
  }
  return ok({ file, id, yaml: yaml.value });
}

/** A complete profile of its own. */
export function checkProfile({ file, yaml }: ProfileText): Result<Profile, readonly FileFault[]> {
  const parsed = profileSchema.safeParse(yaml.value);
  if (parsed.success) return ok(parsed.data);
  return err(
    parsed.error.issues.map((issue) => {
      const { path, message, fix } = describeIssue(issue, yaml.value, PROFILE);
      return { file, line: yaml.lineOf(path), message, fix };
    }),
  );
}

/** The person's fields over a shipped profile. */
export function checkOverride(
  shipped: ProfileText,
  own: ProfileText,
): Result<Profile, readonly FileFault[]> {
  const override = own.yaml.value;
  const { merged, faults } = applyOverride(shipped.yaml.value, override);
  const at = (path: Path, message: string, fix: string): FileFault => ({
    file: own.file,
    line: own.yaml.lineOf(path),
    message,
    fix,
  });
  if (faults.length > 0) {
    return err(
      faults.map(({ path, message, fix }) => at(path, `${path.join('.')} ${message}`, fix)),
    );
  }
  const parsed = profileSchema.safeParse(merged);
  if (parsed.success) return ok(parsed.data);
  return err(
    parsed.error.issues.map((issue) => {
      const { path, message, fix } = describeIssue(issue, merged, PROFILE);
      return at(pathInOverride(override, merged, path), message, fix);
    }),
  );
}
