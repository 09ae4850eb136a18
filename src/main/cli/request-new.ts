import { writeFile } from 'node:fs/promises';
import { newRequestText } from '../runs/request/new-request.ts';
import { copySchema, SCHEMA_COPY, type CopiedSchema } from '../runs/request/schema-copy.ts';
import { errnoOf } from '../storage/file-problem.ts';
import type { Command } from './command.ts';
import { printable } from './printable.ts';

export const requestNew: Command = {
  name: 'request new',
  summary: 'writes a request file to begin with, every field explained',
  operands: ['<file>'],
  flags: {},
  details: [
    'Usually leasehold.yaml in the folder of your project. A file that is there is left as it is.',
    `Its first line leads editors to ${SCHEMA_COPY}, a copy of the schema that is put beside it; share both. An older copy is renewed.`,
    'Exit code 1: the file is there already, or cannot be written.',
  ],
  async run({ operands: [file = ''], isJson }, { out, err }) {
    let schema: CopiedSchema;
    try {
      await writeFile(file, newRequestText(`./${SCHEMA_COPY}`), { flag: 'wx' });
      schema = await copySchema(file);
    } catch (cause) {
      const errno = errnoOf(cause);
      if (errno === null) throw cause;
      const because =
        errno === 'EEXIST'
          ? 'it is there already. Choose another name, or remove it first'
          : `this machine answered ${errno}. Choose a folder that you can write to`;
      await err.line(`${printable(file)} was not written: ${because}.`);
      return 1;
    }
    if (isJson) await out.json({ file, schema });
    else {
      await out.line(`${printable(file)} is written: fill it in, then use \`request check\`.`);
      if (schema === 'foreign') {
        await out.line(
          `${SCHEMA_COPY} beside it is another file and stays: editors find no schema.`,
        );
      }
    }
    return 0;
  },
};
