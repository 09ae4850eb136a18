import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { asPattern, pathsOf } from '../../shared/profiles/tier-paths.ts';
import { UNSAID_PLATFORM } from '../../shared/profiles/platform-names.ts';
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

const filesOf = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((name) => /\.(?:tsx?|sh)$/.test(name) && !/\.(?:test|fixture)\.tsx?$/.test(name)),
  );
const ALL_SOURCES = filesOf('src', 'resources/onbox');
const FILES = filesOf('src/shared', 'src/main', 'resources/onbox').filter(
  (name) => !name.includes('/demo/'),
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

/** Hosts by which a platform is reached, or shows what a box serves. */
const HOSTS = [
  ...new Set(
    SHIPPED_IDS.flatMap((id) => {
      const { accelerators, ports, ssh } = shippedProfile(id);
      const addresses = [
        ...ports.urlPatterns,
        ...ssh.flavours.map(({ endpoint }) => endpoint ?? ''),
      ];
      // Of a placeholder, only what follows it is a name: "connect.<region>.seetacloud.com".
      const named = addresses.flatMap(
        (each) => /[@/>.]((?:[a-z\d-]+\.)+[a-z]{2,})/.exec(each)?.[1] ?? [],
      );
      return [...accelerators, ...named];
    }),
  ),
];

/** Where a host or an id of a platform is the matter itself, and why. */
const ABOUT_PLATFORMS: Readonly<Record<string, string>> = {
  'src/shared/gotchas/platform-words.ts': 'See above.',
  'src/shared/gotchas/platform-scope.ts': 'Which of these scopes a platform has.',
  'src/renderer/handbook/gotcha-words.ts': 'What these scopes are called.',
  'src/shared/profiles/platform-names.ts': 'The list of the profiles that ship.',
  'src/shared/profiles/source-link.ts': 'SECURITY: to which hosts a source may be a link.',
};

/** "/…/" and "[.]" as they stand in a regular expression. */
const hostsIn = (line: string): boolean =>
  HOSTS.some((host) => line.replaceAll(/\[\.\]|\\\./g, '.').includes(host));

const IDS = SHIPPED_IDS.filter((id) => id !== UNSAID_PLATFORM).join('|');
/** A comparison with a platform, a list of some, or a table by them. Words of their own, such as "slurm", count beside one alone. */
const COMPARED = new RegExp(
  `[pP]latform\\w*\\)?\\s*(?:[!=]==|\\?\\?)\\s*'(?:${IDS})'|'(?:${IDS})'\\s*[!=]==|\\bplatforms:\\s*\\[\\s*'(?:${IDS})'|\\.platform(?: \\?\\? '')?\\]|(?:\\bcase |^\\s*['"]?)(?:${IDS})['"]?:\\s`,
);

const isAboutOne = (line: string): boolean => hostsIn(line) || COMPARED.test(line);

it('finds no host of a platform and no comparison with one in any source: its profile says what is so', () => {
  expect(HOSTS).toEqual(
    expect.arrayContaining(['ssh.runpod.io', 'proxy.runpod.net', 'turbo.gpushare.com']),
  );
  expect(HOSTS.some((host) => host.endsWith('seetacloud.com'))).toBe(true);
  for (const line of [
    "return host.toLowerCase() === 'ssh.runpod.io';",
    'const PROXY = /proxy\\.runpod\\.net/;',
    "if (view.platform !== 'lambda') return [clear()];",
    "const gotcha = platform === 'autodl' ? 'AD1' : null;",
    "    platforms: ['kaggle'],",
    "  runpod: 'RP9',",
    "const entry = ENTRY_ON[known.platform ?? ''] ?? 'U28';",
  ]) {
    expect([line, isAboutOne(line)]).toEqual([line, true]);
  }
  for (const line of [
    "kind: z.enum(['ssh', 'slurm', 'kubernetes', 'notebook']),",
    "if (platform === 'darwin') return 'macOS Keychain';",
    'const isDemo = box.platform === DEMO_PLATFORM;',
  ]) {
    expect([line, isAboutOne(line)]).toEqual([line, false]);
  }
  const found = ALL_SOURCES.flatMap((name) =>
    readFileSync(`${ROOT}${name}`, 'utf8')
      .split('\n')
      .filter((line) => !isComment(line) && isAboutOne(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  const nameOf = (line: string): string => line.slice(0, line.indexOf(': '));
  expect(found.filter((line) => !(nameOf(line) in ABOUT_PLATFORMS))).toEqual([]);
  for (const name of Object.keys(ABOUT_PLATFORMS)) expect(found.map(nameOf)).toContain(name);
});
