import { join } from 'node:path';
import { requestJsonSchema } from '../../shared/runs/request/request-file-schema.ts';
import { requestSchemaText } from '../runs/request/schema-copy.ts';
import { replaceFile } from '../storage/atomic-file.ts';
import type { Command } from './command.ts';

/** From the app's folder. */
const REQUEST_SCHEMA = join('resources', 'schemas', 'request.schema.json');

export const requestSchema: Command = {
  name: 'request schema',
  summary: 'prints the JSON Schema of request files, for editors',
  operands: [],
  flags: { write: { value: null, help: 'writes it into resources/ of a clone instead' } },
  details: [],
  async run({ flags }, { root, out }) {
    if (flags.has('write')) await replaceFile(join(root, REQUEST_SCHEMA), requestSchemaText());
    else await out.json(requestJsonSchema());
    return 0;
  },
};
