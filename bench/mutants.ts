// A change to one source file that takes something away, and the test that notices.
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { startVitest } from 'vitest/node';
import { judgeFailures, vitestFailure, type Failure, type Notice } from './noticed.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly change: (text: string) => string;
}

/** This in the place of one line of a text; the others keep their numbers. */
export const withLine =
  (at: number, line: string) =>
  (text: string): string =>
    text
      .split('\n')
      .map((each, no) => (no === at ? line : each))
      .join('\n');

export const withoutLine = (at: number): ((text: string) => string) => withLine(at, '');

/** Whether a test fails with it, by an assertion. */
export async function noticedBy(mutant: Mutant, tests: readonly string[]): Promise<Notice> {
  const first = judgeFailures(await failuresWith(mutant, tests, 1));
  // The first to fail may only have stumbled over what a later one asserts.
  return first.by !== null || first.said === null
    ? first
    : judgeFailures(await failuresWith(mutant, tests, 0));
}

async function failuresWith(
  { file, change, name }: Mutant,
  tests: readonly string[],
  bail: number,
): Promise<readonly Failure[]> {
  let isChanged = false;
  const vitest = await startVitest(
    'test',
    [...tests],
    {
      ...{ root: ROOT, config: false, watch: false, bail, pool: 'threads', maxWorkers: 1 },
      ...{ include: [...tests], reporters: [{}] },
      // Longer than an assertion waits, so that it is the assertion that fails.
      ...{ testTimeout: 90_000, hookTimeout: 90_000, expect: { poll: { timeout: 60_000 } } },
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
  const modules = vitest.state.getTestModules();
  const failed = modules
    .flatMap((module) => [...module.children.allTests('failed')])
    .flatMap((test) =>
      (test.result().errors ?? []).map((error) =>
        vitestFailure(`${test.module.relativeModuleId}: ${test.name}`, error),
      ),
    );
  const outside = [
    ...modules.flatMap((module) =>
      module.errors().map(({ message }) => ({ test: module.relativeModuleId, message })),
    ),
    ...vitest.state
      .getUnhandledErrors()
      // What a worker throws may come without a prototype, which String() cannot print.
      .map((error) => ({ test: tests.join(', '), message: inspect(error) })),
  ].map((each) => ({ ...each, isAssertion: false }));
  await vitest.close();
  process.exitCode = 0;
  if (!isChanged) throw new Error(`“${name}” changed nothing: ${file} is written otherwise by now`);
  return [...failed, ...outside];
}
