import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { withoutSearch } from './libsql-binding.mjs';

const code = readFileSync(createRequire(import.meta.url).resolve('libsql'), 'utf8');

describe('libsql without the search for its native part', () => {
  it('loads the package of this system itself', () => {
    const shortened = withoutSearch(code);
    expect(shortened).not.toMatch(/detect-libc|@neon-rs\/load/);
    expect(shortened.match(/require\(.@libsql[^)]*\)/g)).toEqual([
      'require(`@libsql/${process.platform}-${process.arch}${suffix}`)',
    ]);
  });

  it('refuses a library that finds it another way', () => {
    expect(() => withoutSearch(code.replace('detect-libc', 'detect-it'))).not.toThrow();
    expect(() => withoutSearch(code.replace('requireNative() {', 'requireBinding() {'))).toThrow(
      /libsql changed/,
    );
    expect(() => withoutSearch(code.replace('familySync, ', ''))).toThrow(/libsql changed/);
  });
});
