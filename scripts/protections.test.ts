import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT, GUARDS, HELD_BY, WIRE } from '../bench/protections.ts';
import { ROOT } from './lib/paths.mjs';

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('the table of protections', () => {
  it('has every file of the window, the wire and the preload that says SECURITY:', () => {
    const files = ['src/main/app', 'src/main/ssh', 'src/preload']
      .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`))
      .filter((file) => /(?<!\.(?:test|fixture))\.ts$/.test(file));
    const listed = new Set([
      ...[...Object.keys(GUARDS), ...Object.keys(HELD_BY)],
      ...[...BUILT, ...WIRE].map(({ file }) => file),
    ]);
    const missing = [...files, 'src/main/index.ts'].filter(
      (file) => textOf(file).includes('SECURITY:') && !listed.has(file),
    );
    expect(missing).toEqual([]);
  });

  it.each(Object.entries({ ...GUARDS, ...HELD_BY }))(
    '%s has tests that are there',
    (file, named) => {
      const tests = named.length > 0 ? named : [file.replace(/\.ts$/, '.test.ts')];
      expect([file, ...tests].filter((each) => !existsSync(join(ROOT, each)))).toEqual([]);
    },
  );

  it.each(WIRE)('$file: $name stands there once, and $spec is there', ({ file, find, spec }) => {
    expect(textOf(file).match(new RegExp(find.source, 'gs'))).toHaveLength(1);
    expect(existsSync(join(ROOT, spec))).toBe(true);
  });

  it.each(BUILT)('$file: $name stands there once, and $spec has its test', (protection) => {
    const { file, find, spec, test } = protection;
    expect(textOf(file).match(new RegExp(find.source, 'gs'))).toHaveLength(1);
    const titles = [...textOf(spec).matchAll(/\btest\(\s*([`'])(.*?)\1/g)].map(
      ([, , title]) => title,
    );
    // A title with a value in it is as it is written, not as it is told.
    const told = titles.map((title = '') =>
      title.replace('${which}', 'the main window').replace('${target}', 'https'),
    );
    expect(told.filter((title) => test.test(title)).length).toBeGreaterThan(0);
  });
});
