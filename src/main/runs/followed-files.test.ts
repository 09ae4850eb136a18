import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { BOX, memoryEntries, RunBox } from './run-box.fixture.ts';
import { SteppedScripts, type Step } from './stepped-scripts.fixture.ts';

describe.skipIf(!hasSshd || process.platform !== 'linux')('the log of a training', () => {
  let box: RunBox;
  beforeEach(async () => {
    box = new RunBox();
    await box.open();
    execFileSync('mkfifo', [join(box.home, 'gate')]);
  });
  afterEach(() => box.close());

  it('is read by the patterns of its request, by an app that has only its folder too', async () => {
    const run = await box.launch({
      command: 'cat ../gate; echo "fitted 3 out of 12; L = 0.5"',
      progress: ['fitted {step} out of {total}; L = {objective}'],
    });
    const told = async (): Promise<void> => {
      const metrics = box.openMetrics(run.id);
      await vi.waitFor(() =>
        expect(metrics()).toMatchObject({
          position: { unit: 'step', done: 3, total: 12 },
          series: [{ name: 'objective', steps: [3], values: [0.5] }],
        }),
      );
    };
    const first = box.openMetrics(run.id);
    expect(first().position).toBeNull();
    writeFileSync(join(box.home, 'gate'), '');
    await told();
    await box.until(run.id, 'done');
    await box.quit();
    box.entries = memoryEntries();
    await box.start();
    expect((await box.look(run.id)).progress).toEqual([
      'fitted {step} out of {total}; L = {objective}',
    ]);
    await told();
  });

  it('leaves marks of its checkpoints and its first error, which are there after a restart', async () => {
    const out = join(box.home, 'work/out');
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'hunter2-step_5.pt'), 'x');
    const run = await box.launch({
      command:
        'cat ../gate; echo fine; echo "ValueError: hunter2 is no number"; echo "OSError: no"',
      results: 'out',
    });
    const metrics = box.openMetrics(run.id);
    const marks = (): unknown => box.stateOf('run-events', BOX.id);
    await vi.waitFor(() => expect(metrics().reading.state).toBe('following'));
    writeFileSync(join(box.home, 'gate'), '');
    const seen = {
      [run.id]: {
        checkpoints: [{ path: '[redacted]-step_5.pt', writtenAtMs: expect.any(Number) as number }],
        error: {
          text: 'ValueError: [redacted] is no number',
          atMs: expect.any(Number) as number,
        },
      },
    };
    await vi.waitFor(() => expect(marks()).toEqual(seen));
    await box.quit();
    await box.start();
    expect(marks()).toEqual(seen);
    box.clearAway(run.id);
    await vi.waitFor(async () => {
      await box.watch.look(BOX.id);
      expect(marks()).toEqual({});
    });
  });

  it.each([
    ['got no answer', 'is lost'],
    ['got only the beginning of one', 'is cut short'],
  ] as const)(
    'that is over has the figures of its files also where the first look at their folder %s',
    async (_, course) => {
      const lost: Step[] = ['after run-results.sh', 'after result-file.sh'];
      let reads = 0;
      box.scripts = new SteppedScripts((step) => {
        const at = lost.indexOf(step);
        if (at >= 0) lost.splice(at, 1);
        else if (step === 'after result-file.sh') reads += 1;
        return Promise.resolve(
          at < 0 ? 'goes on' : step === 'after run-results.sh' ? course : 'is lost',
        );
      });
      await box.quit();
      await box.start();
      const { id } = await box.launch({
        command: "mkdir out; printf 'step,score\n1,0.5\n' >out/metrics.csv",
        results: 'out',
      });
      await box.until(id, 'done');
      // Opened once: whoever opens it again has it looked at again.
      const metrics = box.openMetrics(id);
      await vi.waitFor(() => expect([lost, reads]).toEqual([[], 1]));
      await vi.waitFor(() => expect(metrics().series).toMatchObject([{ values: [0.5] }]));
    },
  );

  it('has the figures of its files also where it names no results folder, and none of what was there before', async () => {
    const before = join(box.home, 'work/metrics.csv');
    writeFileSync(before, 'step,score\n1,9\n');
    // What came within two seconds of the launch counts as its own.
    const { ctimeMs } = statSync(before);
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(ctimeMs + 4000), {
      interval: 100,
      timeout: 20_000,
    });
    const { id } = await box.launch({ command: "printf 'step,score\n1,0.5\n' >results.csv" });
    await box.until(id, 'done');
    const metrics = box.openMetrics(id);
    await vi.waitFor(() => expect(metrics().series).toMatchObject([{ values: [0.5] }]));
    expect(metrics().files.sources).toHaveLength(1);
  });

  it.each([
    ['metrics.csv', 'step,loss\n', (step: number) => `${String(step)},${String(1 / step)}\n`],
    [
      'metrics.jsonl',
      '',
      (step: number) => `{"step": ${String(step)}, "loss": ${String(1 / step)}}\n`,
    ],
  ] as const)(
    'goes on in the next file where %s is renamed and begun again, without a figure twice or less',
    async (name, head, line) => {
      const out = join(box.home, 'work/out');
      mkdirSync(out, { recursive: true });
      const file = join(out, name);
      writeFileSync(file, `${head}${line(1)}`);
      const run = await box.launch({ command: 'cat ../gate', results: 'out' });
      const metrics = box.openMetrics(run.id);
      const steps = (): unknown => metrics().series.find((each) => each.name === 'loss')?.steps;
      await vi.waitFor(() => expect(steps()).toEqual([1]));
      appendFileSync(file, line(2));
      renameSync(file, `${file}.1`);
      // Longer than what was read of the one before.
      writeFileSync(file, `${head}${line(3)}${line(4)}${line(5)}`);
      await vi.waitFor(() => expect(steps()).toEqual([1, 2, 3, 4, 5]));
      expect(metrics().files.reading).toMatchObject({ change: 'renamed', problem: null });
      writeFileSync(join(box.home, 'gate'), '');
    },
  );

  it('is read on in a file that was renamed as long as nothing begins under its name', async () => {
    const out = join(box.home, 'work/out');
    mkdirSync(out, { recursive: true });
    const file = join(out, 'metrics.csv');
    writeFileSync(file, 'step,loss\n1,0.5\n');
    const command = 'cat ../gate; echo 3,0.125 >>out/metrics.csv.1';
    const run = await box.launch({ command, results: 'out' });
    const metrics = box.openMetrics(run.id);
    const steps = (): unknown => metrics().series[0]?.steps;
    await vi.waitFor(() => expect(steps()).toEqual([1]));
    renameSync(file, `${file}.1`);
    appendFileSync(`${file}.1`, '2,0.25\n');
    await vi.waitFor(() => expect(steps()).toEqual([1, 2]));
    expect(metrics().files.reading).toMatchObject({ change: null });
    // Its folder is listed again once the run is over: its new name is none of a file of figures.
    writeFileSync(join(box.home, 'gate'), '');
    await vi.waitFor(() => expect(steps()).toEqual([1, 2, 3]));
  });

  it('gives way to a file of figures where it has none, and to the one that the person chooses', async () => {
    const out = join(box.home, 'work/out');
    mkdirSync(join(out, 'tb'), { recursive: true });
    const events = readFileSync(
      fileURLToPath(
        new URL('../../shared/runs/metric-files/samples/tensorboardx.tfevents', import.meta.url),
      ),
    );
    writeFileSync(join(out, 'tb/events.out.tfevents.1.host'), events.subarray(0, 1500));
    writeFileSync(join(out, 'figures.csv'), 'step,score\n1,0.5\n');
    const run = await box.launch({
      command: 'cat ../gate; echo "step 7 loss 0.125"',
      results: 'out',
    });
    const metrics = box.openMetrics(run.id);
    await vi.waitFor(() => expect(metrics().files.source).toBe('tensorboard tb'));
    await vi.waitFor(() => expect(metrics().series[0]?.count).toBeGreaterThan(3));
    expect(metrics().series[0]?.count).toBeLessThan(30);
    writeFileSync(join(out, 'tb/events.out.tfevents.1.host'), events);
    await vi.waitFor(() => expect(metrics().series[0]?.count).toBe(30));
    expect(metrics().series.map(({ name }) => name)).toEqual(['train/loss', 'lr', 'grad']);
    expect(metrics().files).toMatchObject({
      reading: { read: events.length, damagedAt: null, problem: null },
    });

    box.watch.chooseMetrics(BOX.id, run.id, null, 'csv figures.csv');
    await vi.waitFor(() => expect(metrics().series.map(({ name }) => name)).toEqual(['score']));
    writeFileSync(join(out, 'figures.csv'), 'step,score\n1,0.5\n2,0.75\n');
    await vi.waitFor(() => expect(metrics().series[0]?.values).toEqual([0.5, 0.75]));
    // Written anew, and shorter.
    writeFileSync(join(out, 'figures.csv'), 'step,score\n9,1\n');
    await vi.waitFor(() => expect(metrics().series[0]?.values).toEqual([1]));
    writeFileSync(join(box.home, 'gate'), '');
    await vi.waitFor(() => expect(metrics().position).toMatchObject({ done: 7 }));
    expect(metrics().series.map(({ name }) => name)).toEqual(['score']);
    box.watch.chooseMetrics(BOX.id, run.id, null, null);
    await vi.waitFor(() =>
      expect(metrics().series).toMatchObject([{ name: 'loss', values: [0.125] }]),
    );
    box.watch.chooseMetrics(BOX.id, run.id, null, 'csv ../../secret.csv');
    expect(metrics().files.source).toBeNull();
  });
});
