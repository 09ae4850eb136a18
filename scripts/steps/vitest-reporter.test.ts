import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inRoot } from '../lib/paths.mjs';
import type { Report } from './vitest-reporter.mjs';

// Real Vitest on a folder of its own: its states and hooks are what is easily misread. The folder lies below
// node_modules, where Vitest finds itself.
let folder: string;
beforeEach(async () => {
  await mkdir(inRoot('node_modules', '.cache'), { recursive: true });
  folder = await mkdtemp(inRoot('node_modules', '.cache', 'reporter-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function reportOf(files: Record<string, string>): Promise<Report> {
  for (const [name, body] of Object.entries(files)) {
    await writeFile(
      join(folder, name),
      `import { beforeAll, describe, expect, it } from 'vitest';\n${body}`,
    );
  }
  // Vitest leaves node_modules out unless it is told otherwise.
  await writeFile(join(folder, 'vitest.config.mjs'), 'export default { test: { exclude: [] } };');
  const report = join(folder, 'report.json');
  const args = [
    inRoot('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    `--root=${folder}`,
    `--reporter=${inRoot('scripts', 'steps', 'vitest-reporter.mjs')}`,
  ];
  const env = { ...process.env, LEASEHOLD_UNIT_REPORT: report };
  await new Promise((resolve) => execFile(process.execPath, args, { cwd: tmpdir(), env }, resolve));
  return JSON.parse(await readFile(report, 'utf8')) as Report;
}

it('counts passed, failed and skipped tests, and keeps why', async () => {
  const { counts } = await reportOf({
    'a.test.ts': `
      it('passes', () => {});
      it('fails', () => { expect(1).toBe(2); });
      it('needs tmux', (context) => context.skip('tmux is not installed'));
      describe('later', () => { it.skip('says nothing', () => {}); it.todo('is to do'); });`,
  });
  expect(counts).toEqual({
    passed: 1,
    failed: 1,
    failures: ['a.test.ts > fails: expected 1 to be 2 // Object.is equality'],
    skipped: [
      { name: 'a.test.ts > needs tmux', reason: 'tmux is not installed' },
      { name: 'a.test.ts > later > says nothing', reason: 'no reason given' },
      { name: 'a.test.ts > later > is to do', reason: 'no reason given' },
    ],
  });
});

it('counts a file that does not load, a hook that fails, and an error outside of any test', async () => {
  const { counts } = await reportOf({
    'broken.test.ts': `throw new Error('does not load');`,
    'hook.test.ts': `describe('with a hook', () => { beforeAll(() => { throw new Error('no'); }); it('waits', () => {}); });`,
    'stray.test.ts': `it('passes', () => { void Promise.reject(new Error('stray')); });`,
  });
  expect(counts).toMatchObject({ passed: 1, failed: 3 });
  expect([...(counts.failures ?? [])].sort()).toEqual([
    'an error outside of any test: stray',
    'broken.test.ts: does not load',
    'hook.test.ts > with a hook: no',
  ]);
});

it('is sure of a file only when all of its tests ran and passed', async () => {
  const { verdicts } = await reportOf({
    'good.test.ts': `it('passes', () => {});`,
    'half.test.ts': `it('passes', () => {}); it.skip('later', () => {});`,
    'bad.test.ts': `it('fails', () => { expect(1).toBe(2); });`,
    'broken.test.ts': `throw new Error('does not load');`,
    'empty.test.ts': `describe.skip('nothing', () => { it('waits', () => {}); });`,
  });
  expect(verdicts).toEqual({
    'good.test.ts': 'passed',
    'half.test.ts': 'unsure',
    'bad.test.ts': 'failed',
    'broken.test.ts': 'failed',
    'empty.test.ts': 'unsure',
  });
});

it('is sure of no file after an error outside of any test, which may be any one’s', async () => {
  const { verdicts } = await reportOf({
    'good.test.ts': `it('passes', () => {});`,
    'stray.test.ts': `it('passes', () => { void Promise.reject(new Error('stray')); });`,
  });
  expect(verdicts).toEqual({ 'good.test.ts': 'unsure', 'stray.test.ts': 'unsure' });
});
