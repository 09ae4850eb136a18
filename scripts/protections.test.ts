import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WIRE } from '../bench/protections-in-node.ts';
import { BUILT, GUARDS } from '../bench/protections.ts';
import { ROOT } from './lib/paths.mjs';

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const titlesOf = (spec: string): readonly string[] =>
  [...textOf(spec).matchAll(/\btest\(\s*([`'])(.*?)\1/g)].map(([, , title = '']) => title);

/** Files of the window, the wire and the preload, without tests. */
const COMMENTED = [
  'src/main/index.ts',
  ...['src/main/app', 'src/main/ssh', 'src/preload']
    .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => /(?<!\.(?:test|fixture))\.ts$/.test(file)),
].filter((file) => textOf(file).includes('SECURITY:'));

describe('the table of protections', () => {
  // In a guard each line that refuses is taken out by itself, whatever the comments say.
  it.each(COMMENTED.filter((file) => !(file in GUARDS)))(
    '%s has a row for each of its SECURITY: comments',
    (file) => {
      const rows = [...BUILT, ...WIRE].filter((row) => (row.saidIn ?? row.file) === file);
      expect(rows.length).toBeGreaterThanOrEqual(textOf(file).split('SECURITY:').length - 1);
    },
  );

  it.each(Object.entries(GUARDS))('%s has tests that are there', (file, named) => {
    const tests = named.length > 0 ? named : [file.replace(/\.ts$/, '.test.ts')];
    expect([file, ...tests].filter((each) => !existsSync(join(ROOT, each)))).toEqual([]);
  });

  it.each(WIRE)('$file: $name stands there once, and $spec is there', ({ file, find, spec }) => {
    expect(textOf(file).match(new RegExp(find.source, 'gs'))).toHaveLength(1);
    expect(existsSync(join(ROOT, spec))).toBe(true);
  });

  it.each(BUILT)('$file: $name stands there once, and $spec has its test', (protection) => {
    const { file, find, spec, test } = protection;
    expect(textOf(file).match(new RegExp(find.source, 'gs'))).toHaveLength(1);
    // A title with a value in it is as it is written, not as it is told.
    const told = titlesOf(spec).map((title) =>
      title.replace('${which}', 'the main window').replace('${target}', 'https'),
    );
    expect(told.filter((title) => test.test(title)).length).toBeGreaterThan(0);
  });
});

describe('docs/security.md', () => {
  const named = [
    ...new Set([...textOf('docs/security.md').matchAll(/`([^`]+)`/g)].map(([, it]) => it ?? '')),
  ];

  it('names no file that is not there', () => {
    const files = ['bench', 'docs', 'e2e', 'eslint-rules', 'resources', 'scripts', 'src']
      .flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true }).map(
          (name) => `/${folder}/${String(name)}`,
        ),
      )
      .concat('/package.json');
    const missing = named
      .filter((name) => /^[\w./-]+\.(?:[cm]?[jt]sx?|json|md|sh)$/.test(name))
      .filter((name) => !files.some((file) => file.endsWith(`/${name}`)));
    expect(missing).toEqual([]);
  });

  it('names no test of an item that is not there', () => {
    const titles = ['security-page', 'security-ways-out', 'packaged'].flatMap((spec) =>
      titlesOf(`e2e/${spec}.spec.ts`),
    );
    const missing = named
      .filter((name) => /^\d+(?:, \d+)* · /.test(name))
      .filter((name) => {
        const start = name.endsWith('…') ? name.slice(0, -1) : null;
        return !titles.some((title) => (start === null ? title === name : title.startsWith(start)));
      });
    expect(missing).toEqual([]);
  });
});
