import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { err, ok, type Result } from '../../../shared/result.ts';
import { wantedOf } from '../../../shared/runs/request/request-file.ts';
import { requestFile } from '../../../shared/runs/request/request-file-schema.ts';
import type { WantedRun } from '../../../shared/runs/request/wanted-run.ts';
import type { FileFault } from '../../../shared/yaml/file-fault.ts';
import { nearestName } from '../../../shared/yaml/nearest-name.ts';
import { isFields, valueAt, type Path } from '../../../shared/yaml/path.ts';
import { readDataFile } from '../../yaml/read-folder.ts';
import { readYaml } from '../../yaml/read-yaml.ts';
import { expectedOf } from './expected-of.ts';
import { fieldsAt } from './fields-at.ts';

export const REQUEST_DOCS = 'docs/request-file.md';

/** A request file of a project, or everything that is wrong with it. */
export async function readRequestFile(
  file: string,
): Promise<Result<WantedRun, readonly FileFault[]>> {
  const text = await readDataFile(file, 'Put long scripts into files of your project.');
  return text.ok ? readRequest(file, text.value) : err([text.error]);
}

export function readRequest(file: string, text: string): Result<WantedRun, readonly FileFault[]> {
  const yaml = readYaml(text, REQUEST_DOCS);
  if (!yaml.ok) return err([{ file, ...yaml.error }]);
  const { value, placeOf } = yaml.value;
  if (!isFields(value)) {
    const fix = 'Begin with “name: …” and “command: …”.';
    return err([{ file, line: 1, column: 1, message: 'holds no fields', fix }]);
  }
  const read = requestFile.safeParse(value);
  if (read.success) {
    return ok(wantedOf(read.data, resolve(dirname(file), read.data.push?.from ?? '.')));
  }
  const faults = read.error.issues.flatMap((issue) => faultsOf(issue, value));
  return err(faults.map(({ path, message, fix }) => ({ file, ...placeOf(path), message, fix })));
}

interface Fault {
  readonly path: Path;
  readonly message: string;
  readonly fix: string;
}

function faultsOf(issue: z.core.$ZodIssue, value: unknown): readonly Fault[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  const where = path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => unknownField(path, name));
  }
  // A record tells a bad name with what is wrong about it one level down.
  const because = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue;
  if (valueAt(value, path) === undefined) {
    const fix = issue.code === 'custom' ? issue.message : 'Add it: a run cannot do without.';
    return [{ path, message: `${where} is missing`, fix }];
  }
  return [
    { path, message: `${where} cannot be used`, fix: expectedOf(because, valueAt(value, path)) },
  ];
}

function unknownField(path: Path, name: string): Fault {
  const known = fieldsAt(path);
  const near = nearestName(name, known);
  const whole = [...path, name];
  return {
    path: whole,
    message: `${whole.join('.')} is not a field of a request`,
    fix:
      near === null
        ? `Remove it, or use one of: ${known.join(', ')}.`
        : `Did you mean ${near}? Otherwise remove it.`,
  };
}
