import { RuleTester } from 'eslint';
import { describe, it } from 'vitest';
import { linearRegexp } from './linear-regexp.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const slow = [{ messageId: 'slow' }];

new RuleTester().run('linear-regexp', linearRegexp, {
  valid: [
    'const KEY = /^\\s*(\\w+)=(.*)$/;',
    'const UNIT = /\\d+(?:\\.\\d+)?%/;',
    '// linear-regexp: the field has 12 bytes\nconst FIELD = /^ *(\\d*) *(\\d*)$/;',
  ],
  invalid: [
    // Exponential.
    { code: 'const WORDS = /^(?:\\w+\\s?)+$/;', errors: slow },
    // The name of a process in nvidia-smi, as it was: hours for a cell of 60 kB.
    { code: 'const CELL = /^C +(.*?) +(\\d+MiB)$/;', errors: [...slow, ...slow, ...slow] },
    // Put together of a text.
    { code: "const OPTION = new RegExp('-\\\\w*u\\\\w* ');", errors: slow },
    { code: '// linear-regexp: nothing\nconst ONE = /a/;', errors: [{ messageId: 'needless' }] },
    {
      code: '// linear-regexp: too far away\n\nconst WORDS = /^(?:\\w+\\s?)+$/;',
      errors: [{ messageId: 'needless' }, ...slow],
    },
  ],
});
