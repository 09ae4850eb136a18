import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkRemembering, describeChecked, LINT, TESTS, type Verdict } from './remembered.mjs';

// A small repository, and a check that only says what it was asked about.
let root: string;

const FILES: Record<string, string> = {
  'package-lock.json': '{}',
  'vitest.config.ts': `export default { setupFiles: ['src/renderer/set-up.ts'] };`,
  'src/renderer/set-up.ts': '',
  'eslint.config.mjs': `import { own } from './eslint-rules/own-rule.mjs';\nconst root = import.meta.dirname;\nconst entry = 'src/main/index.ts';`,
  'eslint-rules/own-rule.mjs': `import { listed } from './listed.mjs';`,
  'eslint-rules/listed.mjs': '',
  'src/main/index.ts': `import '../shared/gpu.ts';`,
  'src/shared/units.ts': 'export const MIB = 1;',
  'src/shared/gpu.ts': `import type { Mib } from './units.ts';\nexport const gpu = 1;`,
  'src/shared/gpu.test.ts': `import { gpu } from './gpu.ts';`,
  'src/shared/late.test.ts': `const { gpu } = await import(\n  './gpu.ts'\n);`,
  'src/shared/other.test.ts': `import { it } from 'vitest';`,
  'src/shared/probes/sample.fixture.ts': `export const F = new URL('./samples/', import.meta.url);`,
  'src/shared/probes/samples/df.txt': 'Filesystem',
  'src/shared/probes/df.test.ts': `import { F } from './sample.fixture.ts';`,
  'src/shared/probes/hole.test.ts':
    'const f = (n) => new URL(`./samples/${n}.txt`, import.meta.url);',
  'src/main/ssh/host.fixture.ts': `import '../../shared/units.ts';`,
  'src/main/ssh/child.test.ts': `const HOST = new URL('./host.fixture.ts', import.meta.url);`,
  'src/main/ssh/script.test.ts': `const S = join(import.meta.dirname, '../../../resources/onbox');`,
  'src/main/ssh/from-top.test.ts': `readFileSync('resources/onbox/facts.sh')`,
  'src/main/ssh/root.test.ts': `const ROOT = new URL('../../../', import.meta.url);`,
  'src/main/ssh/climb.test.ts': `join(dirname(fileURLToPath(import.meta.url)), '..', '..')`,
  'src/main/ssh/computed.test.ts': `readdirSync(join(import.meta.dirname, name))`,
  'src/main/ssh/current-folder.test.ts': `readdirSync(process.cwd())`,
  'src/main/ssh/package.test.ts': `createRequire(import.meta.url).resolve('libsql')`,
  'src/renderer/ui/tokens.css': ':root {}',
  'src/renderer/ui/button.module.css': `@import '../ui/tokens.css';`,
  'src/renderer/ui/button.tsx': `import styles from './button.module.css';`,
  'src/renderer/ui/button.test.tsx': `import { Button } from "./button.tsx";`,
  'src/renderer/bridge.d.ts': `import type { Mib } from '../shared/units.ts';`,
  'src/renderer/call.ts': `void window.leasehold.call('x');`,
  'resources/onbox/facts.sh': 'echo',
  'docs/a.md': 'words',
};

const READS_ANYTHING = ['climb', 'computed', 'current-folder', 'root'].map(
  (name) => `src/main/ssh/${name}.test.ts`,
);

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'leasehold-remembered-'));
  for (const [path, content] of Object.entries(FILES)) await put(path, content);
});
afterEach(() => rm(root, { recursive: true }));

/** What is checked now; everything passes, unless something else is said of it. */
async function check(
  verdicts: Record<string, Verdict> = {},
  {
    subject = TESTS,
    isAll = false,
    env = {},
    meanwhile = async (): Promise<void> => undefined,
  } = {},
): Promise<readonly string[]> {
  const { checked } = await checkRemembering(subject, { isAll, root, env }, async (files) => {
    await meanwhile();
    return {
      value: null,
      verdicts: new Map(files.map((path) => [path, verdicts[path] ?? 'passed'])),
    };
  });
  return checked;
}

describe('which tests are run', () => {
  it('is all at first, none when nothing changed, and all on request', async () => {
    const all = Object.keys(FILES)
      .filter((path) => path.includes('.test.'))
      .sort();
    expect([...(await check())].sort()).toEqual(all);
    expect(await check()).toEqual([]);
    expect([...(await check({}, { isAll: true }))].sort()).toEqual(all);
  });

  it.each<[string, string, readonly string[]]>([
    ['the test itself', 'src/shared/other.test.ts', ['src/shared/other.test.ts']],
    [
      'what it imports, at once or late',
      'src/shared/gpu.ts',
      ['src/shared/gpu.test.ts', 'src/shared/late.test.ts'],
    ],
    [
      'what its imports import, and what a script imports that it starts',
      'src/shared/units.ts',
      ['src/main/ssh/child.test.ts', 'src/shared/gpu.test.ts', 'src/shared/late.test.ts'],
    ],
    [
      'a file in a folder that it reads',
      'src/shared/probes/samples/df.txt',
      ['src/shared/probes/df.test.ts', 'src/shared/probes/hole.test.ts'],
    ],
    [
      'a new file in such a folder',
      'src/shared/probes/samples/new.txt',
      ['src/shared/probes/df.test.ts', 'src/shared/probes/hole.test.ts'],
    ],
    [
      'a script in a folder elsewhere, named from here or from the top',
      'resources/onbox/facts.sh',
      ['src/main/ssh/from-top.test.ts', 'src/main/ssh/script.test.ts'],
    ],
    [
      'a style below a component',
      'src/renderer/ui/tokens.css',
      ['src/renderer/ui/button.test.tsx'],
    ],
    ['words', 'docs/a.md', []],
  ])(
    'after a change to %s: what depends on it, and what may read anything',
    async (_, path, run) => {
      await check();
      await put(path, 'changed');
      expect([...(await check())].sort()).toEqual([...READS_ANYTHING, ...run].sort());
    },
  );

  it('counts a file that is gone as a change', async () => {
    await check();
    await rm(join(root, 'src/shared/probes/samples/df.txt'));
    expect(await check()).toContain('src/shared/probes/df.test.ts');
    await rm(join(root, 'src/shared/gpu.ts'));
    expect(await check()).toContain('src/shared/gpu.test.ts');
  });

  it.each(['package-lock.json', 'vitest.config.ts'])(
    'is all after a change to %s',
    async (path) => {
      const all = await check();
      await put(path, 'changed');
      expect(await check()).toEqual(all);
    },
  );
});

describe('what is remembered', () => {
  const TEST = 'src/shared/other.test.ts';

  it('is never a failure, nor a verdict that is not sure', async () => {
    await check({ [TEST]: 'failed', 'src/shared/gpu.test.ts': 'unsure' });
    const again = ['src/shared/gpu.test.ts', TEST];
    expect(await check({ [TEST]: 'failed', 'src/shared/gpu.test.ts': 'unsure' })).toEqual(again);
    expect(await check()).toEqual(again);
    expect(await check()).toEqual([]);
  });

  it('is nothing where programs were hidden from the tests', async () => {
    const all = await check();
    const env = { LEASEHOLD_HIDE: 'python' };
    await put('package-lock.json', '{"changed": true}');
    expect(await check({}, { env })).toEqual(all);
    expect(await check({}, { env })).toEqual(all);
    expect(await check()).toEqual(all);
    expect(await check()).toEqual([]);
  });

  it('is forgotten when the same file fails on request', async () => {
    await check();
    await check({ [TEST]: 'failed' }, { isAll: true });
    expect(await check()).toEqual([TEST]);
  });

  it('is not what changed while it was run', async () => {
    await check({}, { meanwhile: () => put(TEST, 'changed meanwhile') });
    expect(await check()).toEqual([...READS_ANYTHING, TEST]);
  });

  it('is nothing where the memory is damaged', async () => {
    const all = await check();
    await put('node_modules/.cache/leasehold/passed-tests.json', '{"src/shared');
    expect(await check()).toEqual(all);
    await put('node_modules/.cache/leasehold/passed-tests.json', '["src"]');
    expect(await check()).toEqual(all);
  });

  it('knows nothing of a run that broke off', async () => {
    const broken = check({}, { meanwhile: () => Promise.reject(new Error('Ctrl+C')) });
    await expect(broken).rejects.toThrow('Ctrl+C');
    expect(await check()).not.toEqual([]);
  });
});

describe('which files are linted', () => {
  const lint = (): Promise<readonly string[]> => check({}, { subject: LINT });

  it('is what changed and whatever imports it, because rules ask for types', async () => {
    await lint();
    await put('src/shared/units.ts', 'export const MIB = "1";');
    expect(await lint()).toEqual([
      'src/main/index.ts',
      'src/main/ssh/host.fixture.ts',
      'src/renderer/bridge.d.ts',
      // Through what the ambient file adds to the window.
      'src/renderer/call.ts',
      'src/shared/gpu.test.ts',
      'src/shared/gpu.ts',
      'src/shared/late.test.ts',
      'src/shared/units.ts',
    ]);
    await put('src/shared/probes/samples/df.txt', 'changed');
    expect(await lint()).toEqual([]);
  });

  it.each(['eslint.config.mjs', 'eslint-rules/listed.mjs', 'src/main/tsconfig.json'])(
    'is all after a change to %s',
    async (path) => {
      const all = await lint();
      await put(path, 'changed');
      expect(await lint()).toEqual(expect.arrayContaining([...all]));
    },
  );
});

it('says what was run and what was not', () => {
  expect(describeChecked(['src/a.test.ts'], 217)).toBe(
    '1 of 217 files; the other 216 passed before, and nothing that they depend on has changed since:\n  src/a.test.ts',
  );
  const many = Array.from({ length: 25 }, (_, index) => `${String(index)}.ts`);
  expect(describeChecked(many, 25).split('\n').at(-1)).toBe('  and 5 more');
});
