import type { Problem, ProblemCode } from '../problem.ts';

const CODES: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'auth-refused',
  'certificate-unsupported',
  'no-credentials',
]);

/** The way to the box is there, and it does not let this person in: another key or name helps, and no retry. */
export function isSignInFailed({ code }: Pick<Problem, 'code'>): boolean {
  return CODES.has(code);
}
