// Whether the tests would notice a gate with a hole: each blocker is taken out, and each guard of the gate, of its passes and of what calls a
// box gone, one at a time, and an assertion of a test has to fail. Writes docs/gate-blockers.md: which test that is.
import { readFileSync, writeFileSync } from 'node:fs';
import { setup, teardown } from '../src/main/test-builds.fixture.ts';
import { blockersPage } from '../src/shared/teardown/blockers-page.fixture.ts';
import { blockerKinds } from '../src/shared/teardown/inspection.ts';
import { report } from './harness.ts';
import { noticedBy, withLine, withoutLine, type Mutant } from './mutants.ts';
import { tellNotice } from './noticed.ts';

const PAGE = new URL('../docs/gate-blockers.md', import.meta.url);
const JUDGE = 'src/shared/teardown/judge-inspection.ts';
const GATE = 'src/shared/teardown/gate.ts';
const GONE = 'src/shared/teardown/judge-gone.ts';
const CHANGE = 'src/shared/teardown/change-pass.ts';
const SENDER = 'src/main/teardown/order-sender.ts';
const TESTS = ['gate', 'change-pass', 'judge-inspection', 'raised-blockers'].map(
  (name) => `src/shared/teardown/${name}.test.ts`,
);
/** It ends a box behind a real sshd, so it is run for what it guards alone. */
const SENDER_TESTS = ['src/main/teardown/order-sender.test.ts'];
const testsOf = (file: string): readonly string[] => (file === SENDER ? SENDER_TESTS : TESTS);

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

/** Of each of these files the lines that refuse, or call a box not gone. */
const REFUSES: readonly (readonly [string, RegExp])[] = [
  [GATE, /^ +if \(.*\) return err\(.*\);$/],
  [CHANGE, /^ +if \(.*\) return (?:false|unread|[A-Z_]+);$/],
  // What came while its end was noted on the box.
  [SENDER, /^ +if \(.*\) return refused\([A-Z_]+\);$/],
  [GONE, /^ +(?:if \(.*\) )?return because\(.*\);$|^ +if \(.*\) \{$|^ +const isSame = /],
];
const guards = REFUSES.flatMap(([file, refuses]) =>
  readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line, at) =>
      refuses.test(line) && !line.includes(NARROWS) ? [{ file, line, at }] : [],
    ),
);

/** A condition that spans lines never holds; what is called the same is so always. */
const without = (line: string): string =>
  line.endsWith('{') ? line.replace(/if \(.*\) \{$/, 'if (0) {') : line.replace(/= .*/, '= true;');

const withoutGuard = ({ file, line, at }: (typeof guards)[number]): Mutant => ({
  name: `${file}, line ${String(at + 1)}, ${line.trim()}`,
  file,
  change:
    line.endsWith('{') || line.includes('const ') ? withLine(at, without(line)) : withoutLine(at),
});

await setup();
for (const file of [GATE, SENDER]) {
  const asItIs = await noticedBy(
    { name: 'as it is', file, change: (text) => `${text}\n` },
    testsOf(file),
  );
  if (asItIs.said !== null)
    throw new Error(`this fails without any of them: ${tellNotice('nothing', asItIs)}`);
}
const noticed = new Map<string, string | null>();
for (const mutant of [...blockerKinds.map(withoutBlocker), ...guards.map(withoutGuard)]) {
  const notice = await noticedBy(mutant, testsOf(mutant.file));
  process.stderr.write(`${tellNotice(mutant.name, notice)}\n`);
  noticed.set(mutant.name, notice.by);
}
teardown();
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
