import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunMetrics } from '../../../shared/runs/progress/run-metrics.ts';
import { BOX_SHELLS } from '../../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { type RunBox, value } from '../run-box.fixture.ts';
import { A, draft, shares, SweepApp } from './sweep-app.fixture.ts';
import { openBoxes, work } from './sweep-box.fixture.ts';

const isLinux = process.platform === 'linux';

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)('a sweep over boxes with $name', (shell) => {
  let boxes: [RunBox, RunBox];
  let app: SweepApp;
  beforeEach(async () => {
    boxes = await openBoxes(shell);
    app = new SweepApp(...boxes);
  });
  afterEach(async () => {
    await app.close();
    for (const box of boxes) await box.close();
  });

  it.skipIf(!shell.isInstalled)(
    'gives each box its cells, finds what failed and what is empty, and runs that again',
    async () => {
      const [a, b] = boxes;
      const command =
        'echo {x} >>ran; [ {x} != 2 ] || [ -e mended ] || exit 7; [ {x} = 3 ] || echo {x} >{results}/out';
      const plan = value(
        await app.sweepLauncher.plan(draft(command, '1, 2, 3, 4'), shares([0, 2], [1, 3])),
      );
      expect(plan.shares).toMatchObject([
        { place: 'box a', cells: 2, problem: null },
        { place: 'box b', cells: 2, problem: null },
      ]);
      expect(plan.shares[1]?.plan?.queue?.cells[0]).toMatchObject({
        name: 'x=2',
        command: `mkdir -p -- results/x=2 || exit 1\n${command.replaceAll('{x}', '2').replace('{results}', 'results/x=2')}`,
      });
      expect(existsSync(work(a, 'ran'))).toBe(false);
      const launched = await app.launch(plan);
      expect(launched).toMatchObject({
        canRepeat: false,
        shares: [{ problem: null }, { problem: null }],
      });
      await app.until(plan.sweepId, ['done', 'failed', 'done', 'done']);
      value(await app.sweeps.reconcile(plan.sweepId));
      const { cells } = await app.view(plan.sweepId);
      expect(cells.map(({ isEmpty = false }) => isEmpty)).toEqual([false, false, true, false]);
      expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1\n3\n');
      expect(readFileSync(work(b, 'results/x=4/out'), 'utf8')).toBe('4\n');

      // Done is done: only what is not may run again, by the identical command.
      expect(await app.sweepLauncher.planAgain(plan.sweepId, shares([0], [1]))).toMatchObject({
        error: {
          code: 'sweep-not-planned',
          message: expect.stringContaining('“x=1” is done') as string,
        },
      });
      writeFileSync(work(b, 'mended'), '');
      const again = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([], [1])));
      expect(again.shares[0]?.plan?.queue).toMatchObject({
        cells: [{ name: 'x=2' }],
        after: launched.shares[1]?.run,
      });
      await app.launch(again);
      await app.until(plan.sweepId, ['done', 'done', 'done', 'done']);
      expect(readFileSync(work(b, 'ran'), 'utf8')).toBe('2\n4\n2\n');
      expect((await app.view(plan.sweepId)).cells.some(({ isTwice }) => isTwice)).toBe(false);
    },
  );
});

describe.skipIf(!hasSshd || !isLinux)('a sweep', () => {
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

  it('starts nothing anywhere while one box is blocked or away', async () => {
    const [a, b] = boxes;
    rmSync(join(b.home, 'work'), { recursive: true });
    const plan = value(
      await app.sweepLauncher.plan(draft('echo {x} {results} >>ran', '1, 2'), shares([0], [1])),
    );
    const ofBoxes = plan.shares.flatMap((share) => share.plan?.files ?? []);
    // Some megabytes of ten thousand cells cross to the window once, however many boxes get them.
    expect(ofBoxes.filter(({ name }) => name === plan.file.name)).toEqual([]);
    expect(JSON.parse(plan.file.text ?? '')).toMatchObject({ roster: { id: plan.sweepId } });
    expect(await app.sweepLauncher.launch(plan.sweepId, plan.plan, {})).toMatchObject({
      error: { code: 'run-blocked', message: expect.stringContaining('box b') as string },
    });
    mkdirSync(join(b.home, 'work'));
    const second = value(
      await app.sweepLauncher.plan(draft('echo {x} {results} >>ran', '1, 2'), shares([0], [1])),
    );
    await b.hangUp();
    expect(await app.sweepLauncher.launch(second.sweepId, second.plan, {})).toMatchObject({
      error: { code: 'not-connected' },
    });
    expect(value(await a.watch.look(A.id)).runs).toEqual([]);
    await b.connect();
    expect((await app.launch(second)).shares.every(({ problem }) => problem === null)).toBe(true);
  });

  it('that began on one box alone is tried again with the same plan, and begins there once', async () => {
    const [a, b] = boxes;
    const plan = value(
      await app.sweepLauncher.plan(draft('echo {x} {results} >>ran', '1, 2'), shares([0], [1])),
    );
    // The folder goes between the look and the launch.
    rmSync(join(b.home, 'work'), { recursive: true });
    const first = await app.launch(plan);
    expect(first).toMatchObject({
      canRepeat: true,
      shares: [{ problem: null }, { problem: { code: 'run-not-launched' } }],
    });
    await app.until(plan.sweepId, ['done', 'never-started']);
    mkdirSync(join(b.home, 'work'));
    expect(await app.launch(plan)).toMatchObject({ canRepeat: false });
    await app.until(plan.sweepId, ['done', 'done']);
    expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1 results/x=1\n');
    expect(await app.sweepLauncher.launch(plan.sweepId, plan.plan, {})).toMatchObject({
      error: { code: 'plan-gone' },
    });
  });

  it('tells the figures of its cells as its request says that their logs tell them', async () => {
    const { base, ...rest } = draft('echo "fitted {x} out of 12; L = 0.{x}" # {results}', '3, 4');
    const progress = ['fitted {step} out of {total}; L = {objective}'];
    const plan = value(
      await app.sweepLauncher.plan({ ...rest, base: { ...base, progress } }, shares([0], [1])),
    );
    await app.launch(plan);
    await app.until(plan.sweepId, ['done', 'done']);
    const told = value(await app.sweeps.figures(plan.sweepId, [0, 1]));
    expect(told).toEqual({ 0: { objective: 0.3 }, 1: { objective: 0.4 } });
  });

  it('tells the figures that its cells write into their folders, of long files by their ends', async () => {
    const [, b] = boxes;
    const samples = new URL('../../../shared/runs/metric-files/samples/', import.meta.url);
    const events = readFileSync(new URL('tensorboardx.tfevents', samples));
    for (const box of boxes) writeFileSync(work(box, 'events'), events);
    // The values of a table stand far behind its names.
    const rows = Array.from({ length: 9000 }, (_, at) => `${String(at)},${String(at / 8)}`);
    writeFileSync(work(b, 'long.csv'), ['step,score', ...rows, ''].join('\n'));
    const command = [
      'case {x} in 1) mkdir {results}/tb && cp events {results}/tb/events.out.tfevents.1.host;;',
      '2) cp long.csv {results}/metrics.csv;; 3) echo step 1 loss 0.5; cp events {results}/events.out.tfevents.1.host;;',
      '4) echo 1 >{results}/data.csv;; esac',
    ].join(' ');
    const plan = value(
      await app.sweepLauncher.plan(draft(command, '1, 2, 3, 4'), shares([0, 2], [1, 3])),
    );
    await app.launch(plan);
    await app.until(plan.sweepId, ['done', 'done', 'done', 'done']);
    const told = value(await app.sweeps.figures(plan.sweepId, [0, 1, 2, 3]));
    expect(told).toEqual({
      0: expect.objectContaining({ 'train/loss': expect.any(Number) as number }) as object,
      1: { score: 8999 / 8 },
      // A log that tells figures is what a person expects to see.
      2: { loss: 0.5 },
      3: {},
    });
    // Whoever opens a cell sees the curves of its own files.
    const [share] = (await app.view(plan.sweepId)).shares;
    const key = `${A.id} ${share?.newest ?? ''} 1`;
    value(app.hub.open(1, 'run-metrics', key));
    const metrics = (): RunMetrics => {
      const again = value(app.hub.open(1, 'run-metrics', key));
      app.hub.close(1, again.subscription);
      return again.state as RunMetrics;
    };
    await vi.waitFor(() => expect(metrics().files.source).toBe('tensorboard tb'));
    await vi.waitFor(() => expect(metrics().series[0]?.count).toBe(30));
  });

  it('of ten thousand cells is launched, followed and held against its roster', async () => {
    const values = (count: number) =>
      Array.from({ length: count }, (_, at) => String(at)).join(', ');
    const source = {
      kind: 'grid' as const,
      command: '[ {a} = 0 ] && [ {b} = 0 ] || sleep 600; echo {a} {b} >{results}/out',
      parameters: `a: ${values(100)}\nb: ${values(100)}`,
    };
    const all = Array.from({ length: 10_000 }, (_, at) => at);
    const plan = value(
      await app.sweepLauncher.plan(
        { ...draft('', ''), name: 'large', source },
        shares(
          all.filter((at) => at % 2 === 0),
          all.filter((at) => at % 2 === 1),
        ),
      ),
    );
    await app.launch(plan);
    await vi.waitFor(async () => {
      const kinds = await app.kinds(plan.sweepId);
      expect(kinds.slice(0, 4)).toEqual(['done', 'running', 'running', 'waiting']);
      expect(kinds).toHaveLength(10_000);
    });
  });
});
