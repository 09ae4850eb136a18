import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { asPattern, pathsOf } from '../../shared/profiles/tier-paths.ts';
import { SHIPPED_IDS, shippedProfile, shippedWatched } from './profiles.fixture.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Of any machine, however a platform uses them. */
const ANYBODYS = ['/', '/root', '/usr/local/lib'];

/** Files that may name a platform's place, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  'src/shared/gotchas/platform-words.ts':
    'What a pasted log is told by: words that are searched for in text, no places on a box.',
};

/** Beginnings, where the rest is a name of the person's: "/lambda/nfs/<name>", "/scratch/$USER". */
const PLACES = [
  ...new Set([
    ...SHIPPED_IDS.flatMap((id) => shippedProfile(id).storage.flatMap(pathsOf)),
    ...Object.values(shippedWatched(null).places).flat(),
  ]),
]
  .map((path) => path.replace(/\/[^/]*[<$].*$/, ''))
  .filter((path) => path.startsWith('/') && !ANYBODYS.includes(path));

/** A name of its own or the beginning of one, also in a regular expression; no path of an import, no end of an address. */
const NAMED = new RegExp(
  `(?<![\\w.)}/-])(?:${PLACES.map((path) => asPattern(path).replaceAll('/', '\\\\?/')).join('|')})(?![\\w-])`,
);

const isComment = (line: string): boolean => /^\s*(?:\/\/|\/?\*|#)/.test(line);

const namedIn = (text: string): readonly string[] =>
  text.split('\n').filter((line) => !isComment(line) && NAMED.test(line.replace(/\s\/\/ .*$/, '')));

const FILES = ['src/shared', 'src/main', 'resources/onbox'].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(?:ts|sh)$/.test(name) && !/\.(?:test|fixture)\.ts$|\/demo\//.test(name)),
);

it('knows the places of the platforms, and how a rule would name one', () => {
  expect(PLACES).toEqual(
    expect.arrayContaining(['/root/autodl-fs', '/hy-netdisk', '/mnt', '/lambda/nfs', '/scratch']),
  );
  for (const line of [
    "const DATA = '/root/autodl-tmp';",
    'const NAMES_IT = /(?:^|\\s)\\/hy-netdisk(?:\\/|$)/;',
    'for root in "$HOME" /root/tf-logs /workspace; do',
    'ask find /mnt/ -xdev',
  ]) {
    expect(namedIn(line)).toEqual([line]);
  }
  for (const line of [
    "import { openDatabase } from '../storage/database.ts';",
    '/** Names such as /mnt or /storage are anybody’s. */',
    "const address = 'https://example.com/content';",
  ]) {
    expect(namedIn(line)).toEqual([]);
  }
});

it('finds no place of a platform in a rule, a service or a script: its profile says where it is', () => {
  expect(FILES.length).toBeGreaterThan(500);
  const found = FILES.flatMap((name) =>
    namedIn(readFileSync(`${ROOT}${name}`, 'utf8')).map((line) => `${name}: ${line.trim()}`),
  );
  const isExempt = (line: string): boolean =>
    Object.keys(EXEMPT).some((name) => line.startsWith(`${name}: `));
  expect(found.filter((line) => !isExempt(line))).toEqual([]);
  // An exemption that nothing needs any more is taken away.
  for (const name of Object.keys(EXEMPT)) {
    expect(found.some((line) => line.startsWith(`${name}: `))).toBe(true);
  }
});

it('finds no host of a platform’s accelerator there either', () => {
  const { accelerators } = shippedWatched(null);
  expect(accelerators).toContain('turbo.gpushare.com');
  const found = FILES.filter((name) => {
    const text = readFileSync(`${ROOT}${name}`, 'utf8').replaceAll('[.]', '.');
    return accelerators.some((host) => text.includes(host));
  });
  expect(found).toEqual([]);
});
