import { expect, it } from 'vitest';
import { readRunLook } from './read-run-look.ts';
import { aboutText, askedText } from './run-about.ts';
import type { RunRequest } from './run-request.ts';
import { judgeClaim } from './same-claim.ts';

const ID = 'r-20261123-023000-1a2b3c4d';
const REQUEST: RunRequest = {
  name: 'a run',
  command: 'python train.py',
  folder: '~/w',
  activate: null,
  env: { A: '1', B: '2' },
  results: 'out',
  successLine: null,
};
const HASHES: Record<string, string> = {};
/** Any digest: one for each text. */
const digest = (text: string): string =>
  (HASHES[text] ??= String(Object.keys(HASHES).length).padStart(64, '0'));

interface How {
  readonly copyTo?: string;
  /** As a Leasehold wrote it that did not keep what else was asked. */
  readonly isOld?: true;
}
const about = (request: RunRequest, { copyTo, isOld }: How = {}): string =>
  aboutText(ID, request, null, {
    ...(copyTo === undefined ? {} : { copyTo }),
    ...(isOld === true ? {} : { asked: digest(askedText(request)) }),
  });

function judge(there: string, asked: string) {
  const box = ['table yes', 'home /root', 'now 1000', 'life 6a1f-00/12'];
  const lines = [...box, `run ${ID}`, `about ${there}`, 'older 0', 'whole'];
  const look = readRunLook(lines.map((line) => `MARK ${line}\n`).join(''), 'MARK', 5_000_000);
  const run = look !== null && typeof look === 'object' ? look.runs[0] : undefined;
  if (run === undefined) throw new Error('no run was read');
  return judgeClaim(run, asked);
}

it.each<[string, Partial<RunRequest>]>([
  ['results', { results: 'out2' }],
  ['evidence', { evidence: ['*.json'] }],
  ['scratch', { scratch: ['tmp/**'] }],
  ['environment', { env: { A: '1', B: '3' } }],
  ['activation', { activate: 'source env/bin/activate' }],
  ['downloads', { fetch: [{ into: 'data', run: 'hf download a' }] }],
])('a claim of other %s under the same id is of another request', (_what, change) => {
  expect(judge(about(REQUEST), about({ ...REQUEST, ...change }))).toBe('other');
});

it('a claim of another copy of the results is of another request', () => {
  expect(judge(about(REQUEST, { copyTo: '/a' }), about(REQUEST, { copyTo: '/b' }))).toBe('other');
  expect(judge(about(REQUEST), about(REQUEST, { copyTo: '/b' }))).toBe('other');
});

it('a claim of the same is the same, in whatever order it was written', () => {
  const request = { ...REQUEST, evidence: ['*.json'] };
  const other = { ...request, env: { B: '2', A: '1' } };
  expect(judge(about(request, { copyTo: '/a' }), about(other, { copyTo: '/a' }))).toBe('same');
});

it('of a run that an older Leasehold launched, only what it kept is compared', () => {
  const other = { ...REQUEST, env: { A: '2' } };
  expect(judge(about(REQUEST, { isOld: true }), about(other))).toBe('same');
});
