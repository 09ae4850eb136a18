import type { z } from 'zod';
import type { ProfileFault } from '../../shared/profiles/loaded.ts';
import {
  applyOverride,
  pathInOverride,
  valueAt,
  type Path,
} from '../../shared/profiles/override.ts';
import { PROFILE_FORMAT, profileSchema, type Profile } from '../../shared/profiles/profile.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readYaml, type ReadYaml } from './read-yaml.ts';

/** One line for a terminal or a notice. */
export function faultSentence({ file, line, message, fix }: ProfileFault): string {
  return `${file}:${line} ${message}. ${fix}`;
}

/** A profile file whose YAML was read and whose id and format are right; the rest is not looked at yet. */
export interface ProfileText {
  readonly file: string;
  readonly id: string;
  readonly yaml: ReadYaml;
}

export function readProfileText(file: string, text: string): Result<ProfileText, ProfileFault> {
  const yaml = readYaml(text);
  if (!yaml.ok) return err({ file, ...yaml.error });
  const { value, lineOf } = yaml.value;
  const fault = (path: Path, message: string, fix: string): Result<never, ProfileFault> =>
    err({ file, line: lineOf(path), message, fix });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fault([], 'holds no fields', 'Begin with "format: 1" and "id: <platform>".');
  }
  const { format, id } = value as { format?: unknown; id?: unknown };
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
export function checkProfile({
  file,
  yaml,
}: ProfileText): Result<Profile, readonly ProfileFault[]> {
  const parsed = profileSchema.safeParse(yaml.value);
  if (parsed.success) return ok(parsed.data);
  return err(
    parsed.error.issues.map((issue) => {
      const { path, message, fix } = describeIssue(issue, yaml.value);
      return { file, line: yaml.lineOf(path), message, fix };
    }),
  );
}

/** The person's fields over a shipped profile. */
export function checkOverride(
  shipped: ProfileText,
  own: ProfileText,
): Result<Profile, readonly ProfileFault[]> {
  const override = own.yaml.value;
  const { merged, faults } = applyOverride(shipped.yaml.value, override);
  const at = (path: Path, message: string, fix: string): ProfileFault => ({
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
      const { path, message, fix } = describeIssue(issue, merged);
      return at(pathInOverride(override, merged, path), message, fix);
    }),
  );
}

function describeIssue(
  issue: z.core.$ZodIssue,
  data: unknown,
): { readonly path: Path; readonly message: string; readonly fix: string } {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  const where = path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const whole = [...path, issue.keys[0] ?? ''];
    return {
      path: whole,
      message: `${whole.join('.')} is not a field of a profile`,
      fix: 'Check its spelling against docs/profiles.md, or remove it.',
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
