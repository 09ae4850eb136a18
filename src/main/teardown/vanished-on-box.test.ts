import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { err } from '../../shared/result.ts';
import { openBlockers, type Blocker } from '../../shared/teardown/inspection.ts';
import { BOX, value } from '../runs/run-box.fixture.ts';
import type { RunFailure } from '../ssh/run-command.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { TeardownBench } from './teardowns.fixture.ts';
import { TeardownRecords } from './teardown-records.ts';
import type { Teardowns } from './teardowns.ts';

describe.skipIf(!hasSshd)('what a box had, and has no more', () => {
  const bench = new TeardownBench();
  beforeEach(() => bench.open());
  afterEach(() => bench.close());

  const open = (teardowns: Teardowns): readonly Blocker[] =>
    openBlockers(bench.inspectionIn(teardowns));

  async function accept(teardowns: Teardowns, kind: Blocker['kind']): Promise<void> {
    const found = open(teardowns).find((each) => each.kind === kind);
    if (found === undefined || found.loss === null) throw new Error(`${kind} cannot be accepted`);
    const { id, loss } = found;
    value(await teardowns.accept(BOX.id, { id, loss, because: 'I deleted it' }));
  }

  it('ends a box whose results folder is gone on the copies of it, read again', async () => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    rmSync(bench.out(''), { recursive: true });
    expect(await bench.blockedBy(teardowns)).toEqual(expect.arrayContaining(['not-there']));
    value(await teardowns.readCopies(BOX.id));
    await accept(teardowns, 'not-there');
    if (open(teardowns).some(({ kind }) => kind === 'elsewhere')) {
      await bench.acceptElsewhere(teardowns);
    }
    expect(open(teardowns)).toEqual([]);
    const [run] = bench.inspectionIn(teardowns).runs;
    expect(run).toMatchObject({ files: 0, away: { files: 2 }, evidence: 1 });
    // Whoever takes away the copy of what the box has not any more takes the proof with it.
    writeFileSync(join(run?.to ?? '', 'loss.txt'), 'other');
    expect(await bench.blockedBy(teardowns)).toEqual(['copies-unread']);
    value(await teardowns.readCopies(BOX.id));
    expect(open(teardowns).map(({ kind }) => kind)).toEqual(['copies-gone']);
    writeFileSync(join(run?.to ?? '', 'loss.txt'), '0.1\n');
    value(await teardowns.readCopies(BOX.id));
    expect(bench.approve(teardowns)).toBe('ok');
    expect(await bench.begin(teardowns)).toBe('ok');
    const kept = value(new TeardownRecords(bench.database.evidence).newest(BOX.id));
    expect(kept?.step).toMatchObject({
      ...{ step: 'approved', runs: [{ files: 0, away: { files: 2 } }] },
      losses: expect.arrayContaining([
        expect.objectContaining({ id: 'not-there:pulled', because: 'I deleted it' }),
      ]) as unknown,
    });
  });

  it('asks again about a folder that was back since a person let it go', async () => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    const aside = join(bench.box.home, 'aside');
    renameSync(bench.out(''), aside);
    value(await teardowns.readCopies(BOX.id));
    await accept(teardowns, 'not-there');
    await bench.acceptElsewhere(teardowns);
    expect(open(teardowns)).toEqual([]);
    writeFileSync(join(aside, 'weeks.ckpt'), 'written since\n');
    renameSync(aside, bench.out(''));
    expect(await bench.blockedBy(teardowns)).toContain('not-home');
    renameSync(bench.out(''), aside);
    expect(await bench.blockedBy(teardowns)).toContain('not-there');
    // Nor does an app that is started anew believe it.
    expect(await bench.blockedBy(bench.start())).toContain('not-there');
  });

  it('misses the runs of a box whose state folder is gone, and looks for their results where they lay', async () => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    const state = join(bench.box.home, '.local/state/leasehold');
    renameSync(join(state, 'runs'), join(state, 'aside'));
    writeFileSync(bench.out('late.txt'), 'written since\n');
    const blocked = await bench.blockedBy(teardowns);
    expect(blocked).toEqual(expect.arrayContaining(['run-missing', 'not-home']));
    // A computer that is started anew knows of them, too.
    const other = bench.start();
    expect(await bench.blockedBy(other)).toEqual(expect.arrayContaining(['run-missing']));
    const missing = open(other).find(({ kind }) => kind === 'run-missing');
    expect(missing?.says).toMatch(/^1 run that was launched on this box is not there any more/);
    mkdirSync(state, { recursive: true });
    renameSync(join(state, 'aside'), join(state, 'runs'));
    expect(await bench.blockedBy(teardowns)).not.toContain('run-missing');
  });

  it('misses a run that only the evidence tells of', async () => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    const state = join(bench.box.home, '.local/state/leasehold');
    renameSync(join(state, 'runs'), join(state, 'aside'));
    for (const key of ['seen', 'begun']) {
      bench.box.entries.kept.delete(`${BOX.id} launched-runs-${key}`);
    }
    expect(await bench.blockedBy(teardowns)).toContain('run-missing');
  });

  it('misses a run that was launched from here and that no look has seen since', async () => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    const looks = vi.spyOn(bench.box.watch, 'look');
    looks.mockResolvedValue(err(problem('link-lost', 'The link was lost.')));
    const plan = value(await bench.box.plan({ command: 'echo late >../work/late.txt' }));
    expect((await bench.box.launcher.launch(BOX.id, plan.plan)).ok).toBe(false);
    looks.mockRestore();
    await expect.poll(() => existsSync(bench.box.place(plan.runId, 'end'))).toBe(true);
    bench.box.clearAway(plan.runId);
    expect(await bench.blockedBy(teardowns)).toContain('run-missing');
  });

  /** Whose commands that launch come to this. */
  function launchBecomes(failure: RunFailure): void {
    const { connection } = bench.box;
    if (connection === null) throw new Error('not connected');
    const broken = Object.create(connection) as SshConnection;
    broken.run = (command, options) =>
      options?.input?.includes('KEEPER') === true
        ? Promise.resolve(err(failure))
        : connection.run(command, options);
    broken.openAnother = () => Promise.resolve(err(problem('link-lost', 'No way there.')));
    bench.box.connection = broken;
  }

  it.each([
    ['that the box was never told', 'session-refused', false],
    ['of which no answer came, and which the box never had', 'link-lost', true],
  ] as const)('does not miss a launch %s', async (_what, code, mayHaveRun) => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    const folder = join(bench.box.home, 'late');
    mkdirSync(folder);
    const plan = value(await bench.box.plan({ command: 'echo late', folder }));
    rmSync(folder, { recursive: true });
    const { connection } = bench.box;
    launchBecomes({ ...problem(code, 'It failed.'), mayHaveRun });
    expect((await bench.box.launcher.launch(BOX.id, plan.plan)).ok).toBe(false);
    bench.box.connection = connection;
    const seen = value(bench.box.watch.everSeenOn(BOX.id)).map(({ id }) => id);
    expect(seen.includes(plan.runId)).toBe(mayHaveRun);
    expect(await bench.blockedBy(teardowns)).not.toContain('run-missing');
    // Refused by the box at the second try it is not missed either.
    expect((await bench.box.launcher.launch(BOX.id, plan.plan)).ok).toBe(false);
    expect(await bench.blockedBy(teardowns)).not.toContain('run-missing');
  });

  it('looks for the results of a missing run where the box said that they are, though nothing of them came home', async () => {
    const teardowns = bench.start();
    await bench.aRun();
    expect(await bench.blockedBy(teardowns)).toContain('never-pulled');
    const state = join(bench.box.home, '.local/state/leasehold');
    renameSync(join(state, 'runs'), join(state, 'aside'));
    expect(await bench.blockedBy(teardowns)).toEqual(
      expect.arrayContaining(['run-missing', 'never-pulled']),
    );
  });

  it.each(['stopped', 'gone'] as const)(
    'knows after an end that came to %s whether the runs are those of the same machine',
    async (aim) => {
      bench.aim = aim;
      const teardowns = bench.start();
      await bench.ready(teardowns);
      const before = value(bench.everSeen());
      expect(before).toHaveLength(1);
      expect([bench.approve(teardowns), await bench.begin(teardowns)]).toEqual(['ok', 'ok']);
      await bench.box.proxy.refuse(true);
      bench.box.proxy.cut();
      value(await teardowns.confirm(BOX.id, bench.pictureIn(teardowns)));
      value(teardowns.beginAgain(BOX.id));
      expect(value(bench.everSeen())).toEqual(aim === 'stopped' ? before : []);
    },
  );
});
