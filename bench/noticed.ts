// Whether a test noticed what was taken out. An assertion that failed says so; that something does not load, start or come back in time happens to
// a change that breaks everything, too, and tells nothing of what the tests guard.
import { stripVTControlCharacters } from 'node:util';

/** A failure of a test, as its runner tells it. */
export interface Failure {
  readonly test: string;
  readonly message: string;
  readonly isAssertion: boolean;
}

/** The test that noticed it, and what failed; with no such test, what failed without an assertion tells nothing. */
export interface Notice {
  readonly by: string | null;
  readonly said: string | null;
}

export function judgeFailures(failures: readonly Failure[]): Notice {
  const asserted = failures.find(({ isAssertion }) => isAssertion);
  if (asserted !== undefined) return { by: asserted.test, said: oneLine(asserted.message) };
  const [first] = failures;
  return {
    by: null,
    said: first === undefined ? null : `${first.test}: ${oneLine(first.message)}`,
  };
}

/** How a benchmark tells it. */
export function tellNotice(name: string, { by, said }: Notice): string {
  if (by !== null) return `noticed: ${name} | ${by} | ${said ?? ''}`;
  return said === null ? `MISSED: ${name}` : `BROKEN, says nothing: ${name} | ${said}`;
}

/** Of Vitest, whose assertions are chai's. */
export const vitestFailure = (
  test: string,
  { name = '', message }: { readonly name?: string; readonly message: string },
): Failure => ({ test, message, isAssertion: name === 'AssertionError' });

/** What starts the app for a test: an assertion of its own says that the app did not come up. */
const STARTS = '/e2e/fixtures/app.ts';

/** Of Playwright, which tells an assertion by its first words alone, behind those that the test may give it. */
export function playwrightFailure(
  test: string,
  { message = '', location }: { readonly message?: string; readonly location?: { file: string } },
): Failure {
  const plain = stripVTControlCharacters(message);
  const isExpect = /^(?:Error: )?expect(?:\.\w+)*\(/m.test(plain);
  const isGone = /has been closed|Target crashed/.test(plain);
  const isAssertion = isExpect && !isGone && location?.file.endsWith(STARTS) !== true;
  return { test, message: plain, isAssertion };
}

const oneLine = (message: string): string => message.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
