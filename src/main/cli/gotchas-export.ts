import type { Command } from './command.ts';
import { gotchaBookFor } from './gotchas-common.ts';

export const gotchasExport: Command = {
  name: 'gotchas export',
  summary: 'prints an entry as Markdown for a pull request, or as YAML',
  operands: ['<id>'],
  flags: { yaml: { value: null, help: 'as an entry of resources/gotchas/ instead' } },
  details: [
    'What has the shape of a secret is taken out. Names and paths of yours are not: read it before you send it.',
    'Exit code 1: there is no such entry.',
  ],
  async run({ operands: [id = ''], flags, isJson }, context) {
    const exported = await gotchaBookFor(context).export(id.toUpperCase());
    if (!exported.ok) {
      await context.err.lines([exported.error.message]);
      return 1;
    }
    const { markdown, yaml } = exported.value;
    if (isJson) await context.out.json(exported.value);
    else await context.out.lines((flags.has('yaml') ? yaml : markdown).trimEnd().split('\n'));
    return 0;
  },
};
