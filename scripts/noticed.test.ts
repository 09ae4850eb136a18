import { expect, it } from 'vitest';
import {
  judgeFailures,
  playwrightFailure,
  tellNotice,
  vitestFailure,
  type Failure,
} from '../bench/noticed.ts';

const SPEC = { file: '/app/e2e/security-page.spec.ts' };
const told = (failures: readonly Failure[]): string => tellNotice('x', judgeFailures(failures));
const inApp = (message: string, location = SPEC): string =>
  told([playwrightFailure('a test', { message, location })]);

it('is noticed by an assertion that failed, wherever it stands among what failed', () => {
  const broken = vitestFailure('first', { name: 'TypeError', message: 'x is not a function' });
  const { name, message } = caught(() => expect(1).toBe(2));
  expect(told([broken, vitestFailure('second', { name, message })])).toBe(
    'noticed: x | second | expected 1 to be 2 // Object.is equality',
  );
  expect(judgeFailures([vitestFailure('third', { name, message })]).by).toBe('third');
});

it.each([
  ['a test that timed out', { name: 'Error', message: 'Test timed out in 5000ms.' }],
  ['a type error in a test', { name: 'TypeError', message: 'no such property' }],
  ['a file that does not load', { name: 'SyntaxError', message: 'Unexpected token' }],
  ['an error without a name', { message: 'expected something else' }],
])('is not noticed by %s', (_what, error) => {
  expect(told([vitestFailure('a test', error)])).toBe(
    `BROKEN, says nothing: x | a test: ${error.message}`,
  );
});

it('is missed when nothing fails', () => {
  expect(told([])).toBe('MISSED: x');
});

it.each([
  'Error: \u001b[2mexpect(\u001b[22m\u001b[31mreceived\u001b[39m\u001b[2m).\u001b[22mtoMatch',
  'Error: the window is ours\n\nexpect(received).toBe(expected)',
  'Error: expect(locator).toBeVisible() failed\n\nCall log:\n  - Test timeout of 60000ms exceeded.',
  'expect.poll(fn).toBe(expected) failed',
])('is noticed in the app by %j', (message) => {
  expect(inApp(message)).toMatch(/^noticed: x \| a test \| /);
});

it.each([
  'Test timeout of 60000ms exceeded.',
  'Test timeout of 60000ms exceeded while running "beforeEach" hook.\n\n> 8 | expect(this).toBe(that)',
  'TimeoutError: electronApplication.firstWindow: Timeout 30000ms exceeded',
  'Error: electron.launch: Process failed to launch!',
  'Error: page.evaluate: Execution context was destroyed',
  'Error: expect(locator).toBeVisible() failed\n\nError: Target page, context or browser has been closed',
])('is not noticed in the app by %j', (message) => {
  expect(inApp(message)).toMatch(/^BROKEN, says nothing: x \| a test: /);
});

it('is not noticed by what starts the app for a test', () => {
  const message = 'Error: expect(locator).toBeVisible() failed';
  expect(inApp(message, { file: '/app/e2e/fixtures/app.ts' })).toMatch(/^BROKEN/);
  expect(inApp(message, { file: '/app/e2e/fixtures/real-box.ts' })).toMatch(/^noticed/);
});

function caught(action: () => void): Error {
  try {
    action();
  } catch (cause) {
    if (cause instanceof Error) return cause;
  }
  throw new Error('nothing was thrown');
}
