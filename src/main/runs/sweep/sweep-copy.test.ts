import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { pathWith, whereIs } from '../programs.fixture.ts';
import { type RunBox, value } from '../run-box.fixture.ts';
import { A, B, draft, shares, SweepApp } from './sweep-app.fixture.ts';
import { openBoxes, work } from './sweep-box.fixture.ts';

describe.skipIf(!hasSshd || process.platform !== 'linux')('a sweep whose cells are copied', () => {
  let boxes: [RunBox, RunBox];
  let app: SweepApp;
  beforeEach(async () => {
    boxes = await openBoxes();
    app = new SweepApp(...boxes);
  });
  afterEach(async () => {
    await app.close();
    for (const box of boxes) await box.close();
  });
  const copied = (command: string, values: string) => {
    const { base, ...rest } = draft(command, values);
    return { ...rest, base: { ...base, copy: { to: '~/durable', prune: ['*.tmp'] } } };
  };

  it('is done where each was read back; what is not is copied again, and not run', async () => {
    const [a, b] = boxes;
    // Somebody has put a file where the copies of box b are to go.
    writeFileSync(join(b.home, 'durable'), '');
    const command = 'echo {x} >>ran && echo {x} >{results}/best.pt && echo {x} >{results}/a.tmp';
    const plan = value(
      await app.sweepLauncher.plan(copied(command, '1, 2, 3'), shares([0, 1], [2])),
    );
    const ofA = plan.shares[0]?.plan;
    expect(ofA?.files.find(({ name }) => name === 'copy-cells')?.text).toBe(
      `${a.home}/durable/${ofA?.runId ?? ''}\n*.tmp\n`,
    );
    expect(plan.shares[1]?.plan?.checks.find(({ id }) => id === 'copy')).toMatchObject({
      answer: 'block',
    });
    const launched = await app.launch(plan, { [B.id]: ['copy'] });
    await app.until(plan.sweepId, ['done', 'done', 'uncopied']);
    const [runA = '', runB = ''] = launched.shares.map(({ run }) => run);
    expect(readdirSync(join(a.home, 'durable', runA)).sort()).toEqual(['1-x=1', '2-x=2']);
    expect(readdirSync(work(a, 'results/x=1'))).toEqual(['best.pt']);
    expect(readdirSync(work(b, 'results/x=3')).sort()).toEqual(['a.tmp', 'best.pt']);

    rmSync(join(b.home, 'durable'));
    const again = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([], [2])));
    expect(again.shares[0]?.plan?.queue?.cells).toMatchObject([{ name: 'x=3', command: ':' }]);
    const second = await app.launch(again);
    await app.until(plan.sweepId, ['done', 'done', 'done']);
    const [run = ''] = second.shares.map(({ run: each }) => each);
    expect(run).not.toBe(runB);
    expect(readFileSync(join(b.home, 'durable', run, '1-x=3/best.pt'), 'utf8')).toBe('3\n');
    expect(readdirSync(work(b, 'results/x=3'))).toEqual(['best.pt']);
    expect(readFileSync(work(b, 'ran'), 'utf8')).toBe('3\n');
    expect((await app.view(plan.sweepId)).cells.map(({ isTwice }) => isTwice)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('is run again where its results are not: on another box', async () => {
    const [a, b] = boxes;
    writeFileSync(join(b.home, 'durable'), '');
    const command = 'echo {x} >>ran && echo {x} >{results}/best.pt';
    const plan = value(await app.sweepLauncher.plan(copied(command, '1, 2'), shares([0], [1])));
    await app.launch(plan, { [B.id]: ['copy'] });
    await app.until(plan.sweepId, ['done', 'uncopied']);
    const again = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([1])));
    expect(again.shares[0]).toMatchObject({ boxId: A.id });
    await app.launch(again);
    await app.until(plan.sweepId, ['done', 'done']);
    expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1\n2\n');
    expect(existsSync(join(b.home, 'durable/x'))).toBe(false);
  });

  it('is not taken for copied where its queue was cut off while it removed results', async () => {
    const [a] = boxes;
    const held = join(a.home, 'held');
    const waits = `{ : >"${held}"; while :; do sleep 0.1; done; }`;
    const rm = `${whereIs('rm')} "$@"; case "$*" in *./a.tmp) [ -e "${a.home}/go-on" ] || ${waits} ;; esac`;
    const command = 'echo {x} >>ran && echo {x} >{results}/best.pt && echo {x} >{results}/a.tmp';
    const { base, ...rest } = copied(command, '1');
    // A login shell of this machine sets a PATH of its own.
    const env = { ...base.env, PATH: pathWith(join(a.home, 'bin'), { rm }) };
    const plan = value(
      await app.sweepLauncher.plan({ ...rest, base: { ...base, env } }, shares([0])),
    );
    const launched = await app.launch(plan);
    await vi.waitFor(() => expect(existsSync(held)).toBe(true));
    a.killAll();
    await a.hangUp();
    await a.connect();
    await app.until(plan.sweepId, ['uncopied']);
    expect(readdirSync(work(a, 'results/x=1'))).toEqual(['best.pt']);

    const again = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([0])));
    // What is left of the results would be copied as if it were all of them.
    expect(again.shares[0]?.plan?.queue?.cells).not.toMatchObject([{ command: ':' }]);
    expect(again.shares[0]?.plan?.checks.find(({ id }) => id === 'sweep-pruned')).toMatchObject({
      answer: 'warn',
      says: expect.stringContaining('Resume it on box a first') as string,
    });

    writeFileSync(join(a.home, 'go-on'), '');
    const run = launched.shares[0]?.run ?? '';
    const resumed = value(await app.launcher.planResume(A.id, run));
    value(await app.launcher.launch(A.id, resumed.plan));
    await app.until(plan.sweepId, ['done']);
    await app.until(plan.sweepId, ['done']);
    expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1\n');
    expect(readdirSync(join(a.home, 'durable', run, '1-x=1')).sort()).toEqual(['a.tmp', 'best.pt']);
  });
});
