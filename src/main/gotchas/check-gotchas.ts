import type { Gotcha } from '../../shared/gotchas/gotcha.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FileFault } from '../../shared/yaml/file-fault.ts';
import { isFields } from '../../shared/yaml/path.ts';
import { readYaml, type ReadYaml } from '../yaml/read-yaml.ts';
import { describeIssue, type DataKind } from '../yaml/schema-faults.ts';
import { GOTCHA_FORMAT, gotchaFileSchema } from './gotcha-schema.ts';

export const GOTCHA: DataKind = { what: 'a gotcha', docs: 'docs/handbook.md' };

/** A file of entries that fit the schema. */
export interface GotchaFile {
  readonly entries: readonly Gotcha[];
  readonly lineOf: ReadYaml['lineOf'];
}

/** Everything wrong with a file, each with its line and how to mend it; a file with a fault is not used at all. */
export function checkGotchas(file: string, text: string): Result<GotchaFile, readonly FileFault[]> {
  const yaml = readYaml(text, GOTCHA.docs);
  if (!yaml.ok) return err([{ file, ...yaml.error }]);
  const { value, lineOf } = yaml.value;
  if (!isFields(value)) {
    const fix = 'Begin with "format: 1" and "entries:".';
    return err([{ file, line: 1, message: 'holds no fields', fix }]);
  }
  const { format } = value;
  if (typeof format === 'number' && format > GOTCHA_FORMAT) {
    return err([
      {
        file,
        line: lineOf(['format']),
        message: `was written for a newer Leasehold (format ${format}; this one reads ${GOTCHA_FORMAT})`,
        fix: `Update Leasehold, or write it in format ${GOTCHA_FORMAT}.`,
      },
    ]);
  }
  const parsed = gotchaFileSchema.safeParse(value);
  if (!parsed.success) {
    return err(
      parsed.error.issues.map((issue) => {
        const { path, message, fix } = describeIssue(issue, value, GOTCHA);
        return { file, line: lineOf(path), message, fix };
      }),
    );
  }
  return ok({ entries: parsed.data.entries, lineOf });
}
