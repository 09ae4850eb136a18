import { describe, expect, it } from 'vitest';
import { withFilesAsTheyAre } from './files-as-they-are.mjs';

describe('the fs of main’s code', () => {
  it.each([
    [`import fs, { readFileSync } from 'node:fs';`, 'fs.cjs'],
    [`import {\n  open,\n} from "fs/promises";`, 'promises.cjs'],
    [`import * as disk from 'node:fs/promises';`, 'promises.cjs'],
    [`const fs_1 = require("fs");`, 'fs.cjs'],
    [`export { stat } from 'fs';`, 'fs.cjs'],
  ])('is the one that knows no archives: %s', (code, file) => {
    const changed = withFilesAsTheyAre(code);
    expect(changed).toContain(`files-as-they-are/${file}"`);
    expect(changed).not.toMatch(/['"](?:node:)?fs/);
  });

  it('is all that is changed', () => {
    const code = `import { tell } from './fs'; import extra from 'fs-extra'; const from = 'fs'; require('./fs');`;
    expect(withFilesAsTheyAre(code)).toBe(code);
  });
});
