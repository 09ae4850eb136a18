import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { entryIdOf } from '../../shared/detectors/alert-words.ts';
import { detectors } from '../../shared/detectors/catalog.ts';
import { sampleGotcha } from '../../shared/gotchas/catalog.fixture.ts';
import type { Coverage, Gotcha } from '../../shared/gotchas/gotcha.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { checkCoverage } from './check-coverage.ts';
import { coveragePage } from './coverage-page.ts';
import { shippedCatalog, shippedGotchas } from './gotchas.fixture.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MODULE = 'src/a/b.ts';
const TEST = 'src/a/b.test.ts';
const FILES = {
  [MODULE]: 'export const b = 1;\n',
  'src/a/between.ts': "import { b } from './b.ts';\n",
  [TEST]: "import './between.ts';\nit('does it (U1)', () => undefined);\n",
};

/** What is wrong with U1, marked so, in a clone with these files. */
async function doubts(
  coverage: Coverage | null,
  files: Readonly<Record<string, string>> = FILES,
  part: Partial<Gotcha> = {},
): Promise<readonly string[]> {
  let found: readonly string[] = [];
  await withFolder(async (root) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const other = sampleGotcha({ id: 'U2' });
    const { faults } = await checkCoverage(root, [
      sampleGotcha({ id: 'U1', coverage, ...part }),
      other,
    ]);
    found = faults.filter(({ id }) => id === 'U1').map(({ message }) => message);
  });
  return found;
}

const did = (module = MODULE, test = TEST): Coverage => ({
  done: [{ does: 'Does it', module, test }],
  shown: [],
  planned: [],
});

describe('a mark', () => {
  it('holds where a test names the id and uses the module, or where it waits for something', async () => {
    expect(await doubts(did())).toEqual([]);
    expect(await doubts({ done: [], shown: [], planned: ['schedulers'] })).toEqual([]);
    const beyond = 'Nobody on the box can see it.';
    expect(await doubts({ done: [], shown: [], planned: [], beyond })).toEqual([]);
    expect(await doubts({ sameAs: ['U2'] })).toEqual([]);
  });

  it.each<[string, Coverage | null, Readonly<Record<string, string>>, string]>([
    ['nothing at all', { done: [], shown: [], planned: [] }, FILES, 'neither an implementation'],
    ['no mark', null, FILES, 'neither an implementation'],
    ['a module that is not there', did('src/a/c.ts'), FILES, 'there is no src/a/c.ts'],
    ['a test that is not there', did(MODULE, 'src/a/c.test.ts'), FILES, 'there is no src/a/c.test'],
    ['a test that is none', did(MODULE, MODULE), FILES, 'is no test'],
    [
      'a test that does not use the module',
      did(),
      { ...FILES, [TEST]: "it('does it (U1)', () => undefined);\n" },
      'does not use src/a/b.ts',
    ],
    [
      'a test that names another id',
      did(),
      { ...FILES, [TEST]: "import './b.ts';\nit('does it (U11, XU1, U1-A)');\n" },
      'does not name U1',
    ],
    [
      'a test that names it in a remark only',
      did(),
      { ...FILES, [TEST]: "import './b.ts'; // U1\nit('does it');\n" },
      'does not name U1',
    ],
    ['another view of what is not there', { sameAs: ['U3'] }, FILES, 'is the same as U3'],
  ])('does not hold with %s', async (_what, coverage, files, message) => {
    const found = await doubts(coverage, files);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
  });

  it('takes recorded cases beside the test for its naming the id', async () => {
    const nameless = { ...FILES, [TEST]: "import './b.ts';\nit.each(cases)('%s');\n" };
    expect(await doubts(did(), { ...nameless, 'src/a/samples/U1--clear-x.json': '' })).toHaveLength(
      1,
    );
    expect(await doubts(did(), { ...nameless, 'src/a/samples/U1--found-x.json': '' })).toEqual([]);
  });

  it('does not hold for a link that leads nowhere, nor for advice that is shown nowhere', async () => {
    const planned: Coverage = { done: [], shown: [], planned: ['schedulers'] };
    expect(await doubts(planned, FILES, { related: ['U7'] })).toEqual([
      'is related to U7, which is not in the catalog',
    ]);
    expect(await doubts(planned, FILES, { role: 'advice' })).toEqual([
      'is advice that is shown nowhere',
    ]);
  });

  it('of a launch does not wait for anything without a reason why the launch cannot ask', async () => {
    const role = 'preflight';
    const waits: Coverage = { done: [], shown: [], planned: ['schedulers'] };
    const because = 'is about a launch, which neither asks for it nor says why it cannot';
    expect(await doubts(waits, FILES, { role })).toEqual([because]);
    expect(await doubts({ ...did(), planned: ['schedulers'] }, FILES, { role })).toEqual([because]);
    expect(await doubts({ ...waits, beyond: 'It is too early.' }, FILES, { role })).toEqual([]);
    const module = 'src/shared/runs/launch/b.ts';
    const files = {
      [module]: FILES[MODULE],
      [TEST]: `import '../shared/runs/launch/b.ts';\nit('U1');\n`,
    };
    expect(await doubts({ ...did(module), planned: ['schedulers'] }, files, { role })).toEqual([]);
  });
});

describe('the shipped catalog', () => {
  const report = checkCoverage(ROOT, shippedGotchas());

  it('has no mark that does not hold', async () => {
    expect((await report).faults).toEqual([]);
  });

  it('notices that an id is gone', async () => {
    const { faults } = await checkCoverage(
      ROOT,
      shippedGotchas().filter(({ id, related }) => id !== 'PS8' && !related.includes('PS8')),
    );
    expect(faults).toContainEqual({ id: 'PS8', message: 'is not in the catalog' });
  });

  it('adds up, role by role', async () => {
    const { rows, totals } = await report;
    expect(rows).toHaveLength(168);
    for (const { all, done, partly, planned, beyond } of totals) {
      expect(done + partly + planned + beyond).toBe(all);
    }
    expect(totals.reduce((sum, { all }) => sum + all, 0)).toBe(rows.length);
  });

  it('is what docs/coverage.md says', async () => {
    const page = coveragePage(await report);
    expect(readFileSync(join(ROOT, 'docs/coverage.md'), 'utf8')).toBe(page);
  });

  it('says of every detector what is done', () => {
    for (const { id } of detectors) {
      const { coverage } = shippedCatalog().get(entryIdOf(id))!;
      expect(coverage).toMatchObject({ done: expect.arrayContaining([expect.anything()]) });
    }
  });
});
