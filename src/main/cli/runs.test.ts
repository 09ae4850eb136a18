import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { lookAtRuns } from '../runs/look-at-runs.ts';
import { BOX, request, RunBox, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { openConnection } from '../storage/connection.ts';
import { DATABASE_FILE } from '../storage/database-file.ts';
import { openDatabase } from '../storage/database.ts';
import { APPROVED_STEP } from '../teardown/approved-step.fixture.ts';
import { TeardownRecords } from '../teardown/teardown-records.ts';
import { run, type Ran } from './cli.fixture.ts';
import { addBox } from './named-box.fixture.ts';

let folder: string;
let box: RunBox;
let listed: Box;
beforeEach(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-runs-'));
  box = new RunBox();
  await box.open();
  listed = addBox(folder, box.sshd);
});
afterEach(async () => {
  await box.close();
  rmSync(folder, { recursive: true, force: true });
});

const cli = (...words: readonly string[]): Promise<Ran> =>
  run(['runs', ...words], { env: { LEASEHOLD_DATA_FOLDER: folder } });

describe.skipIf(!hasSshd)('runs', () => {
  it('lists what was launched from another computer, and how it stands', async () => {
    expect(await cli('list', 'train-a')).toEqual({
      code: 0,
      out: 'Nothing was launched on this box.\n',
      err: '',
    });
    const done = await box.launch({ name: 'short', command: 'exit 3' });
    await box.until(done.id, 'failed');
    const live = await box.launch({ name: 'long one', command: 'sleep 600' });
    await box.until(live.id, 'running');
    const { code, out } = await cli('list', 'train-a');
    expect(code).toBe(0);
    // The box knows the second in which each was launched, and both may be of one.
    const rows = out.trimEnd().split('\n').slice(1).sort().reverse();
    const since = expect.stringMatching(/^\d{4}-.*\+00:00$/) as string;
    const listed = [
      [live.id, 'long one', 'Running', since, 'sleep 600'],
      [done.id, 'short', 'Failed (exit 3)', since, 'exit 3'],
    ];
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual(
      listed.sort(([a], [b]) => ((a ?? '') < (b ?? '') ? 1 : -1)),
    );
    const told = JSON.parse((await cli('list', 'train-a', '--json')).out) as {
      readonly runs: readonly { readonly id: string; readonly status: unknown }[];
    };
    expect(told.runs).toHaveLength(2);
    const statusOf = (id: string) => told.runs.find((run) => run.id === id)?.status;
    expect(statusOf(live.id)).toMatchObject({ kind: 'running' });
    expect(statusOf(done.id)).toMatchObject({ kind: 'failed', exitCode: 3 });
  });

  it('launches what the plan has shown once its name is typed, with the code that it sends first', async () => {
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'train.sh'), 'echo "step 1 of $1"\n');
    const file = join(project, 'leasehold.yaml');
    writeFileSync(file, 'name: base\nfolder: ~/new\ncommand: sh train.sh 3\npush:\n  from: .\n');
    const start = (stdin: readonly string[], ...flags: readonly string[]): Promise<Ran> =>
      run(['runs', 'start', 'train-a', file, ...flags], {
        ...{ env: { LEASEHOLD_DATA_FOLDER: folder }, stdin },
      });
    for (const typed of ['', 'yes\n']) {
      const told = await start([typed]);
      expect(told.code).toBe(1);
      expect(told.out).toContain('Type “base” to launch this:');
      expect(told.out).toContain('Nothing was launched. It was not confirmed.');
    }
    expect((await start([], '--json')).code).toBe(1);
    expect((await cli('list', 'train-a')).out).toBe('Nothing was launched on this box.\n');
    expect(existsSync(join(box.home, 'new'))).toBe(false);
    const told = await start(['base\n']);
    expect(told.err).toBe('');
    expect(told.code).toBe(0);
    const id = /^base is launched on train-a: (r-\S+)$/m.exec(told.out)?.[1] ?? '';
    await box.until(id, 'done');
    expect(box.read(id, 'log')).toBe('step 1 of 3\n');
    // What is on that folder now blocks nothing; a missing program does, and the run is not begun.
    writeFileSync(file, 'name: base\nfolder: ~/new\ncommand: no-such-program\n');
    const blocked = JSON.parse((await start([], '--yes', '--json')).out) as unknown;
    expect(blocked).toMatchObject({
      isLaunched: false,
      refusal: expect.stringContaining('no-such-program is not found') as string,
    });
    const over = await start([], '--yes', '--json', '--over', 'program');
    expect(JSON.parse(over.out)).toMatchObject({ isLaunched: true, refusal: null });
    expect(over.code).toBe(0);
  });

  it('starts nothing twice under one id, one after the other or at once, and nothing else under it', async () => {
    const file = join(folder, 'leasehold.yaml');
    const request = (name: string): void =>
      writeFileSync(
        file,
        `name: ${name}\nfolder: ~/work\ncommand: sh -c "sleep 600"\nresults: out\n`,
      );
    const start = (id: string): Promise<Ran> => cli('start', 'train-a', file, '--yes', '--id', id);
    request('base');
    const id = 'r-20260131-120000-1a2b3c4d';
    const both = await Promise.all([start(id), start(id)]);
    expect(both.map(({ code, err }) => ({ code, err }))).toEqual([
      { code: 0, err: '' },
      { code: 0, err: '' },
    ]);
    const again = await start(id);
    expect(again.code).toBe(0);
    expect(again.out).toContain(`base was launched before on train-a: ${id}`);
    request('other');
    const other = await start(id);
    expect(other.code).toBe(1);
    expect(other.out).toContain(`${id} is the id of another run on this box, “base”.`);
    const listed = value(await box.watch.look(BOX.id)).runs;
    expect(listed.map((each) => each.id)).toEqual([id]);
    expect(listed[0]?.status.kind).toBe('running');
    expect((await start('base')).code).toBe(2);
    // Whose launch was lost and settled as never begun is told so.
    const sealed = 'r-20260131-120000-00000001';
    if (box.connection === null) throw new Error('there is no connection');
    value(await lookAtRuns(box.connection, onboxScripts, { settle: sealed }));
    const cut = await start(sealed);
    expect(cut.code).toBe(1);
    expect(cut.out).toContain('nothing of it can start any more');
  });

  it('lists what is older than a run, and says nothing of a run that is not there', async () => {
    const first = await box.launch({ command: 'true' });
    await box.until(first.id, 'done');
    expect(await cli('list', 'train-a', '--before', first.id)).toEqual({
      code: 0,
      out: `No run on this box is older than ${first.id}.\n`,
      err: '',
    });
    expect(await cli('list', 'train-a', '--before', 'r-20200101-000000-00000000')).toEqual({
      code: 1,
      out: '',
      err: 'train-a: The box does not list that run. Check the list of runs again.\n',
    });
  });

  it('say that the list of boxes, or one of them, could not be read', async () => {
    const sql = openConnection(join(folder, DATABASE_FILE), 0);
    sql.exec("UPDATE boxes SET route = '{'");
    expect(await cli('list', 'train-a')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /No box is called train-a\. A box in the database cannot be read/,
      ) as string,
    });
    sql.exec('ALTER TABLE boxes RENAME TO gone');
    sql.close();
    const { code, err } = await cli('list', 'train-a');
    expect([code, err]).toEqual([2, expect.not.stringContaining('No box is')]);
  });

  it('prints a log, and follows it to its end', async () => {
    const { id } = await box.launch({
      command: [
        String.raw`printf 'a \033[31mred\033[0m one\n10%%\r100%%\n'`,
        // In two parts: a command that holds a key is not launched.
        String.raw`printf 'token=%s%s\n' hf_ abcdefghijklmnopqrstuvwxyz0123456789`,
        'until [ -e go-on ]; do sleep 0.1; done',
        'printf "the last"',
      ].join('\n'),
    });
    await box.settled(id, 'log');
    const early = await cli('log', 'train-a', 'a run');
    expect(early).toMatchObject({ code: 0, err: '' });
    expect(early.out).toMatch(/^a red one\n100%\n/);
    expect(early.out).not.toContain('hf_abc');
    const following = cli('log', 'train-a', id, '--follow', '--json');
    writeFileSync(join(box.home, 'work', 'go-on'), '');
    const { code, out } = await following;
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines[0]).toBe('a red one');
    expect(lines.at(-1)).toBe('the last');
  });

  it('prints the log of one cell of a queue', async () => {
    const cell = (name: string, command: string) => ({ name, command, isCommented: false });
    const cells = [cell('a', 'echo one'), cell('b', 'echo two')];
    const queue = { cells, stopsAtFailure: false, startsAgain: false };
    const plan = value(await box.launcher.plan(BOX.id, request(), queue));
    value(await box.launcher.launch(BOX.id, plan.plan));
    await box.until(plan.runId, 'done');
    const second = ['log', 'train-a', plan.runId, '--cell', '2', '--follow'];
    expect(await cli(...second)).toEqual({ code: 0, out: 'two\n', err: '' });
    expect(await cli('log', 'train-a', plan.runId, '--cell', '0')).toMatchObject({ code: 2 });
    const { id } = await box.launch({ name: 'plain', command: 'true' });
    expect(await cli('log', 'train-a', id, '--cell', '1')).toMatchObject({
      code: 1,
      err: expect.stringContaining('it is no queue') as string,
    });
  });

  it('ends exactly one run, and only when it was told so', async () => {
    const one = await box.launch({ name: 'same', command: 'sleep 600' });
    const other = await box.launch({ name: 'same', command: 'sleep 601' });
    await box.until(one.id, 'running');
    await box.until(other.id, 'running');
    const several = await cli('kill', 'train-a', 'same', '--yes');
    expect(several.code).toBe(1);
    expect(several.err).toContain('Several runs are called same');

    const asked = await cli('kill', 'train-a', one.id);
    expect(asked).toMatchObject({ code: 1 });
    expect(asked.out).toContain('would be ended. Add --yes');
    await box.until(one.id, 'running');

    const { database } = openDatabase({ folder });
    const records = new TeardownRecords(database.evidence);
    const approval = value(records.append(listed.id, APPROVED_STEP));
    expect(await cli('kill', 'train-a', one.id, '--yes')).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('The end of this box is under way.') as string },
    });
    await box.until(one.id, 'running');
    value(records.append(listed.id, { step: 'called-off', approval }));
    database.close();

    const ended = await cli('kill', 'train-a', one.id, '--yes');
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toContain('is ended; nothing of it runs.');
    await box.until(one.id, 'ended');
    await box.until(other.id, 'running');

    expect(await cli('kill', 'train-a', one.id, '--yes')).toMatchObject({
      code: 0,
      out: expect.stringContaining('is over already: Ended by you') as string,
    });
    expect(await cli('kill', 'train-a', 'nobody', '--yes')).toMatchObject({
      code: 1,
      err: 'No launched run on the box is called nobody.\n',
    });
  });

  it('says what was cut off, what resuming it would do, and does it or no longer offers it', async () => {
    const { id } = await box.launch({ name: 'night', command: 'echo x >>ran; exec sleep 600' });
    await box.settled(id, 'job');
    box.killAll();
    await box.hangUp();
    await box.connect();
    await box.until(id, 'lost');
    const offer = `night (${id}) was killed before it was over.`;
    expect((await cli('list', 'train-a')).out).toContain(offer);
    const shown = await cli('resume', 'train-a', 'night');
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(new RegExp(`^ {2}goes on after {2,}${id}$`, 'm'));
    expect(shown.out).toContain('Goes on from: It names no results folder');
    expect(shown.out).toContain('Add --yes to do it.');
    expect(await cli('resume', 'train-a', id, '--decline')).toMatchObject({ code: 0 });
    expect((await cli('list', 'train-a')).out).not.toContain(offer);
    // Another computer began it, as far as this one knows.
    expect(await cli('resume', 'train-a', 'night', '--yes')).toMatchObject({ code: 1 });
    const went = await cli('resume', 'train-a', 'night', '--yes', '--over', 'origin');
    expect(went).toMatchObject({ code: 0, err: '' });
    expect(went.out).toContain(`runs the identical command again, after ${id}.`);
    expect(await cli('resume', 'train-a', id, '--yes')).toMatchObject({ code: 1, out: '' });
  });

  it('does not take a box that cannot be reached for one without runs', async () => {
    await box.sshd.stop();
    const { code, out, err } = await cli('list', 'train-a');
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toMatch(/^train-a: /);
    const told = JSON.parse((await cli('list', 'train-a', '--json')).out) as object;
    expect(told).toMatchObject({ runs: null });
  });
});
