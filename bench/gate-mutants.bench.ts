// Whether the tests would notice a gate with a hole: each blocker is taken out, and each of the gate's own guards, one at a time, and a test has
// to fail. Writes docs/gate-blockers.md: which test that is.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startVitest, type TestCase } from 'vitest/node';
import { blockersPage } from '../src/shared/teardown/blockers-page.fixture.ts';
import { blockerKinds } from '../src/shared/teardown/inspection.ts';
import { report } from './harness.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = new URL('../docs/gate-blockers.md', import.meta.url);
const JUDGE = 'src/shared/teardown/judge-inspection.ts';
const GATE = 'src/shared/teardown/gate.ts';
const TESTS = ['gate', 'judge-inspection', 'raised-blockers'].map(
  (name) => `src/shared/teardown/${name}.test.ts`,
);

interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly change: (text: string) => string;
}

const withoutBlocker = (kind: string): Mutant => ({
  name: kind,
  file: JUDGE,
  change: (text) =>
    kind === 'not-looked'
      ? text.replace('blockers: [blocker]', 'blockers: []')
      : text.replace('raised.map(', `raised.filter((each) => each.kind !== '${kind}').map(`),
});

/** It only tells the compiler what follows from a beginning. */
const NARROWS = "next.value.kind !== 'acting'";

/** The lines of the gate that refuse. */
const guards = readFileSync(new URL(`../${GATE}`, import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line, at) =>
    /^ +if \(.*\) return err\(.*\);$/.test(line) && !line.includes(NARROWS) ? [{ line, at }] : [],
  );

const withoutGuard = ({ line, at }: (typeof guards)[number]): Mutant => ({
  name: `line ${String(at + 1)}, ${line.trim()}`,
  file: GATE,
  change: (text) =>
    text
      .split('\n')
      .map((each, no) => (no === at ? '' : each))
      .join('\n'),
});

/** The first test that fails with it; null: it is not noticed. */
async function noticedBy({ file, change, name }: Mutant): Promise<string | null> {
  let isChanged = false;
  const vitest = await startVitest(
    'test',
    TESTS,
    {
      ...{ root: ROOT, config: false, watch: false, bail: 1, pool: 'threads', maxWorkers: 1 },
      ...{ include: TESTS, reporters: [{}] },
    },
    {
      plugins: [
        {
          name: 'mutant',
          enforce: 'pre',
          transform(text, id) {
            if (!id.endsWith(`/${file}`)) return undefined;
            const changed = change(text);
            isChanged = changed !== text;
            return changed;
          },
        },
      ],
    },
  );
  const failed = vitest.state
    .getTestModules()
    .flatMap((module) => [...module.children.allTests('failed')])
    .map((test: TestCase) => `${test.module.relativeModuleId}: ${test.name}`);
  await vitest.close();
  process.exitCode = 0;
  if (!isChanged)
    throw new Error(`“${name}” changed nothing: the gate is written otherwise by now`);
  return failed[0] ?? null;
}

const asItIs = await noticedBy({ name: 'as it is', file: GATE, change: (text) => `${text}\n` });
if (asItIs !== null) throw new Error(`this fails without any of them: ${asItIs}`);
const noticed = new Map<string, string | null>();
for (const mutant of [...blockerKinds.map(withoutBlocker), ...guards.map(withoutGuard)]) {
  noticed.set(mutant.name, await noticedBy(mutant));
}
const blockers = blockerKinds.map((kind) => [kind, noticed.get(kind) ?? null] as const);
writeFileSync(PAGE, blockersPage(blockers));
const missed = [...noticed].flatMap(([name, test]) => (test === null ? [name] : []));
report({
  name: 'gate-mutants',
  rows: [
    { measure: 'gates with one thing taken out', value: noticed.size, unit: 'mutants' },
    {
      measure: `that no test notices${missed.map((name) => `; ${name}`).join('')}`,
      ...{ value: missed.length, unit: 'mutants', goal: 'none', isMet: missed.length === 0 },
    },
  ],
});
