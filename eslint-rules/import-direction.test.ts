import { RuleTester } from 'eslint';
import { parser } from 'typescript-eslint';
import { describe, it } from 'vitest';
import { importDirection } from './import-direction.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const options = [
  {
    root: '/repo',
    rooms: {
      'src/shared': [],
      'src/main': ['src/shared'],
      'src/renderer': ['src/shared'],
      e2e: [],
    },
    packages: {
      electron: ['src/main/app/', 'src/main/index.ts'],
      '@scope/driver': ['src/main/storage/'],
    },
  },
];
const at = (
  filename: string,
  code: string,
): { filename: string; code: string; options: typeof options } => ({
  filename: `/repo/${filename}`,
  code,
  options,
});
const direction = [{ messageId: 'direction' }];
const known = [{ messageId: 'package' }];

new RuleTester({ languageOptions: { parser } }).run('import-direction', importDirection, {
  valid: [
    at('src/main/ssh/link.ts', `import { ok } from '../../shared/result.ts';`),
    at('src/main/ssh/link.ts', `import { open } from '../telemetry/watch.ts';`),
    at('src/renderer/app/app.tsx', `import type { Box } from '../../shared/boxes/box.ts';`),
    at('src/renderer/app/app.tsx', `import icon from '../../../resources/icon.svg';`),
    at('src/main/app/window.ts', `import { app } from 'electron'; import fs from 'node:fs';`),
    at('src/main/index.ts', `import { app } from 'electron';`),
    at('src/main/storage/db.ts', `import { open } from '@scope/driver/promise';`),
    at('src/main/storage/db.ts', `import { other } from '@scope/other';`),
    at('tool.config.ts', `import { x } from './src/main/x.ts';`),
  ],
  invalid: [
    {
      ...at('src/shared/gate.ts', `import { link } from '../main/ssh/link.ts';`),
      errors: direction,
    },
    {
      ...at('src/renderer/box/box.tsx', `import type { Link } from '../../main/ssh/link.ts';`),
      errors: direction,
    },
    {
      ...at('src/main/ssh/link.ts', `export { Box } from '../../renderer/box.tsx';`),
      errors: direction,
    },
    { ...at('src/main/ssh/link.ts', `export * from '../../renderer/box.tsx';`), errors: direction },
    { ...at('src/main/ssh/link.ts', `await import('../../renderer/box.tsx');`), errors: direction },
    { ...at('src/shared/gate.ts', `type T = import('../main/gate.ts').T;`), errors: direction },
    {
      ...at('src/shared/gate.ts', `import { app } from '../../e2e/fixtures/app.ts';`),
      errors: direction,
    },
    { ...at('src/main/ssh/link.ts', `import { app } from 'electron';`), errors: known },
    { ...at('src/main/application.ts', `import { app } from 'electron/main';`), errors: known },
    { ...at('src/main/index.test.ts', `const { app } = require('electron');`), errors: known },
    { ...at('src/main/ssh/link.ts', `import { open } from '@scope/driver';`), errors: known },
  ],
});
