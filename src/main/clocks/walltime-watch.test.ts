import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseSlurmJobs, selectWalltimes } from '../../shared/probes/slurm-jobs.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { BOX, ToldBox } from '../meter/meter.fixture.ts';
import { BOX_SHELLS, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';
import { watchWalltimes } from './walltime-watch.ts';

const MARK = 'mark-0123';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-slurm-'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A squeue first in PATH that says what it was asked, and answers. */
function writeTool(name: string, text: string): void {
  const file = join(folder, 'bin', name);
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$*" >>"${folder}/asked"\n${text}\n`);
  chmodSync(file, 0o755);
}
const env = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
  LEASEHOLD_MARK: MARK,
  LEASEHOLD_CGROUP_FILE: join(folder, 'cgroup'),
  ...more,
});

describe.each(BOX_SHELLS.filter(({ isInstalled }) => isInstalled))(
  'slurm-jobs.sh in $name',
  (box) => {
    const look = async (more?: Readonly<Record<string, string>>) =>
      parseSlurmJobs(await runOnboxScript(box.shell, 'slurm-jobs.sh', env(more)), MARK);

    it('finds the job that the session is in by its control group, and asks for no other', async () => {
      writeFileSync(
        join(folder, 'cgroup'),
        '0::/system.slice/slurmstepd.scope/job_4412/step_extern/user/task_0\n',
      );
      writeTool(
        'squeue',
        "case $* in *'-j 4412'*) echo '4412|RUNNING|2:41:00' ;; *) exit 1 ;; esac",
      );
      const found = await look();
      expect(found).toMatchObject({ kind: 'known', own: '4412' });
      expect(selectWalltimes(found, 0).ends).toEqual([{ job: '4412', endMs: 9_660_000 }]);
    });

    it('lists the person’s own jobs on a login node, and says why where it cannot', async () => {
      writeTool(
        'squeue',
        "case $* in *'-u '*) printf '%s\\n' '7|RUNNING|35:16' '8_2|RUNNING|1:00' ;; *) exit 1 ;; esac",
      );
      expect(selectWalltimes(await look(), 0).ends).toEqual([
        { job: '8_2', endMs: 60_000 },
        { job: '7', endMs: 2_116_000 },
      ]);
      writeTool(
        'squeue',
        'echo "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1',
      );
      expect(await look()).toMatchObject({ because: expect.stringContaining('Unable') as string });
    });

    it('takes the environment of the job where there is no tool', async () => {
      const beganMs = Date.now();
      const ends = String(Math.floor(beganMs / 1000) + 3600);
      const found = await look({ SLURM_JOB_ID: '12_3', SLURM_JOB_END_TIME: ends });
      const leftMs = selectWalltimes(found, 0).ends[0]?.endMs ?? 0;
      expect(leftMs).toBeLessThanOrEqual(3_600_000);
      // Both are whole seconds.
      expect(leftMs).toBeGreaterThan(3_600_000 - (Date.now() - beganMs) - 2000);
    });
  },
);

describe('watching walltimes', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('asks while the link is up, keeps what was measured, and leaves nothing behind', async () => {
    const told = new ToldBox();
    const ends: (number | null)[] = [];
    const warnings: string[] = [];
    const answers = [
      (mark: string) =>
        ok(
          `${mark} begin own\ntool squeue\n${mark} end own 0\n${mark} begin squeue\n1|RUNNING|1:00:00\n${mark} end squeue 0\n`,
        ),
      () => err(problem('command-timeout', 'It took too long.')),
      () => err(problem('command-timeout', 'It took too long.')),
      (mark: string) =>
        ok(
          `${mark} begin own\ntool squeue\n${mark} end own 0\n${mark} begin squeue\n${mark} end squeue 0\n`,
        ),
    ];
    let asked = 0;
    const log = { warn: (message: string) => void warnings.push(message) };
    const stop = watchWalltimes({
      roster: told.roster,
      hasWalltime: (platform) => platform === 'autodl',
      look: (boxId, mark) => {
        expect(boxId).toBe(BOX.id);
        asked += 1;
        return Promise.resolve(answers[asked - 1]?.(mark) ?? err(problem('internal', 'x')));
      },
      onWalltimes: (_boxId, walltimes) => {
        const [first] = walltimes.ends;
        ends.push(first === undefined ? null : first.endMs - Date.now());
      },
      log: log as never,
    });
    told.appears();
    expect(asked).toBe(0);
    told.answers(60_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toEqual([3_600_000]);
    await vi.advanceTimersByTimeAsync(240_000);
    expect({ asked, ends: ends.length, warnings: warnings.length }).toEqual({
      asked: 3,
      ends: 1,
      warnings: 1,
    });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(ends).toEqual([3_600_000, null]);
    told.isLost();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked).toBe(4);
    told.answers(60_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toBe(5);
    stop();
    told.hub.dispose();
  });
});
