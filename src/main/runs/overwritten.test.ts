import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { judgeOverwritten } from '../../shared/runs/launch/checks/overwrite-check.ts';
import type { LaunchPlan, PreflightCheck } from '../../shared/runs/launch/launch-plan.ts';
import type { PulledFile, RunProof } from '../../shared/transfer/pull.ts';
import { BOX_SHELLS, onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { Project } from '../transfer/project.fixture.ts';
import { listResults } from './list-results.ts';
import { programsOf } from './programs.fixture.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';

describe.skipIf(!hasSshd || process.platform !== 'linux')('a push over results of a run', () => {
  let project: Project;
  let box: RunBox;
  beforeEach(() => {
    project = new Project();
    box = new RunBox();
  });
  afterEach(async () => {
    await box.close();
    project.remove();
  });
  const work = (path: string): string => join(box.home, 'work', path);
  const planOf = async (results: string | null): Promise<LaunchPlan> =>
    value(await box.plan({ push: project.push(), results }));
  const checkIn = ({ checks }: LaunchPlan): PreflightCheck | undefined =>
    checks.find(({ id }) => id === 'overwritten');

  /** As a pull of these would keep it. */
  async function bringHome(runId: string): Promise<void> {
    const { connection } = box;
    if (connection === null) throw new Error('not connected');
    const at = { folder: work('outputs'), results: work('outputs') };
    const { files: listed } = value(await listResults(connection, onboxScripts, at));
    const files = listed.map((file): PulledFile => {
      const sha256 = createHash('sha256')
        .update(readFileSync(work(`outputs/${file.path}`)))
        .digest('hex');
      const rest = { keep: 'evidence', mark: 'equal', level: 'hashed' } as const;
      return { ...file, ...rest, sha256, loaded: null, says: null };
    });
    const told = { runId, runName: 'a run', from: at.folder, to: '/home/me/pulled', manifest: '' };
    const report = { ...told, files, tellsWrites: true };
    const proof: RunProof = { atMs: 1, seq: 1, hash: '', report };
    box.known = {
      ...box.known,
      results: {
        folders: () => ok([]),
        proof: (id) => Promise.resolve(ok(id === runId ? proof : null)),
      },
    };
  }

  it('blocks until they are home as they lie there, and is told what it would cost', async () => {
    await box.open();
    project.write('main.txt', 'm').write('outputs/metrics.csv', 'in git');
    mkdirSync(work('outputs'));
    const writes = { results: './outputs', command: 'echo of the run >outputs/metrics.csv' };
    const first = value(await box.plan({ ...writes, push: project.push() }));
    value(await box.launcher.launch(BOX.id, first.plan));
    await box.until(first.runId, 'done');
    project.write('main.txt', 'n');

    const blocked = await planOf('next');
    expect(checkIn(blocked)).toMatchObject({
      answer: 'block',
      says: 'The push overwrites outputs/metrics.csv, which was written on the box. Here are results of the run “a run”, which were never brought home. Bring the results home first, or leave them out (push.ignore).',
      anyway: 'what was written there is gone.',
    });
    expect(await box.launcher.launch(BOX.id, blocked.plan)).toMatchObject({
      ok: false,
      error: { code: 'run-blocked' },
    });
    expect(readFileSync(work('outputs/metrics.csv'), 'utf8')).toBe('of the run\n');

    await bringHome(first.runId);
    expect(checkIn(await planOf('next'))).toMatchObject({ answer: 'pass' });
    writeFileSync(work('outputs/metrics.csv'), 'of the RUN\n');
    const again = await planOf('next');
    expect(checkIn(again)).toMatchObject({
      answer: 'block',
      says: expect.stringContaining('it is not proven that this computer has it') as string,
    });
    value(await box.launcher.launch(BOX.id, again.plan, new Set(['overwritten'])));
    expect(readFileSync(work('outputs/metrics.csv'), 'utf8')).toBe('in git');
  });

  describe.each(BOX_SHELLS)('on a box with $name', ({ shell, isInstalled }) => {
    it.skipIf(!isInstalled)('blocks by whatever name it comes to them', async () => {
      await box.open({ path: programsOf(shell) });
      mkdirSync(join(box.home, 'kept/a b'), { recursive: true });
      symlinkSync(join(box.home, 'kept'), work('outputs'));
      const run = await box.launch({
        results: '~/kept/a b',
        command: 'echo of the run >"$HOME/kept/a b/metrics.csv"',
      });
      await box.until(run.id, 'done');
      project.write('outputs/a b/metrics.csv', 'in git');
      expect(checkIn(await planOf('next'))).toMatchObject({
        answer: 'block',
        says: expect.stringContaining('which were never brought home') as string,
      });
    });
  });

  it('asks nothing about code that an earlier push has put there', async () => {
    await box.open();
    project.write('main.txt', 'm');
    const first = await planOf(null);
    value(await box.launcher.launch(BOX.id, first.plan));
    await box.until(first.runId, 'done');
    project.write('main.txt', 'n');
    const plan = await planOf(null);
    expect(plan.push).toMatchObject({ replaced: { count: 1 } });
    expect(checkIn(plan)).toBeUndefined();
    // A run that names no results folder may have left them anywhere in where it worked.
    writeFileSync(work('main.txt'), 'of the run');
    expect(checkIn(await planOf(null))).toMatchObject({ answer: 'block' });
  });
});

it('a push over files of which nobody knows whose they are is told as that', () => {
  const unread = problem('results-unknown', 'What the runs of this box have left is not known.');
  expect(judgeOverwritten(['a', 'b'], err(unread))).toMatchObject([
    {
      answer: 'unknown',
      says: 'The push overwrites a and b, which were written on the box. What the runs of this box have left is not known.',
    },
  ]);
});
