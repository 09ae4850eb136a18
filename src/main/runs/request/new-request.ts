import { requestJsonSchema } from '../../../shared/runs/request/request-file-schema.ts';
import { child, isFields } from '../../../shared/yaml/path.ts';
import { writeYaml } from '../../yaml/write-yaml.ts';
import { REQUEST_DOCS } from './read-request.ts';

/** A request to begin with: every field with what it is for, those that may be left out as comments. `schema`: where an editor finds it. */
export function newRequestText(schema: string): string {
  const { properties, required } = requestJsonSchema();
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = isFields(properties) ? Object.entries(properties) : [];
  const parts = fields.flatMap(([name, field]) => {
    const example = child(child(field, 'examples'), 0);
    if (example === undefined) return [];
    const what = `# ${String(child(field, 'description'))}\n`;
    const lines = writeYaml({ [name]: example });
    // Of a command and cells a request has one.
    const isUsed = needed.includes(name) || name === 'command';
    return [what + (isUsed ? lines : lines.replace(/^(?=.)/gm, '# '))];
  });
  return [
    `# yaml-language-server: $schema=${schema}`,
    `# A run of Leasehold. Take the "#" off a field to use it; ${REQUEST_DOCS} says more about each.`,
    '',
    parts.join('\n'),
  ].join('\n');
}
