import { dirname, isAbsolute, relative, sep } from 'node:path';
import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { fileOf } from '../../../shared/runs/request/request-file.ts';
import type { WantedRun } from '../../../shared/runs/request/wanted-run.ts';
import { MAX_YAML_BYTES } from '../../yaml/read-folder.ts';
import { writeYaml } from '../../yaml/write-yaml.ts';
import { REQUEST_DOCS } from './read-request.ts';

/** The request as this file of a project, which `readRequest` reads as the very same. */
export function requestText(wanted: WantedRun, file: string): Result<string, Problem> {
  const { request } = wanted;
  const from = request.push === undefined ? '' : relative(dirname(file), request.push.from);
  const parts = from.split(sep);
  if (isAbsolute(from) || parts.includes('..')) {
    return err(
      problem('bad-input', 'The folder that is pushed does not lie beside this file or below it.', {
        nextStep: `Save the file in ${request.push?.from ?? 'that folder'}.`,
      }),
    );
  }
  const fields = writeYaml(fileOf(wanted, from === '' ? '.' : parts.join('/')));
  const text = `# A run of Leasehold: what each field means stands in ${REQUEST_DOCS}\n${fields}`;
  if (Buffer.byteLength(text) > MAX_YAML_BYTES) {
    const limit = `${String(MAX_YAML_BYTES / 1024)} KiB`;
    return err(
      problem(
        'bad-input',
        `The file would be longer than ${limit}, and could not be opened again.`,
        {
          nextStep: 'Save fewer cells, or put long commands into scripts of your project.',
        },
      ),
    );
  }
  return ok(text);
}
