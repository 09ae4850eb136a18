import { describe, expect, it } from 'vitest';
import { weighStart } from './start-budget.mjs';

const chunk = (code: string, imports: string[] = [], facadeModuleId: string | null = null) => ({
  code,
  imports,
  facadeModuleId,
});

describe('what is loaded at the start', () => {
  const bundle = {
    'index.js': chunk('12345', ['shared.js', 'more.js'], '/app/src/index.ts'),
    'shared.js': chunk('é', ['index.js']),
    'more.js': chunk('123', ['shared.js', 'node:fs']),
    'lazy.js': chunk('123456789', ['shared.js'], '/app/src/lazy.ts'),
    'index.css': { source: 'not code' },
  };

  it('is a chunk with all that comes with it, each once, and nothing that comes later', () => {
    expect(weighStart(bundle, 'src/index.ts')).toBe(5 + 2 + 3);
    expect(weighStart(bundle, 'src/lazy.ts')).toBe(9 + 2 + 5 + 3);
  });

  it('is unknown for a module that stands in no chunk of its own', () => {
    expect(weighStart(bundle, 'src/gone.ts')).toBeNull();
  });
});
