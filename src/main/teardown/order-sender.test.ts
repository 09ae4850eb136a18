import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { BOX, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { profileThat, TeardownBench, VERB } from './teardowns.fixture.ts';

describe.skipIf(!hasSshd)('the order that ends a box', () => {
  let bench: TeardownBench;
  beforeEach(async () => {
    bench = new TeardownBench();
    await bench.open();
  });
  afterEach(() => bench.close());

  it('sends nothing where anything has changed while its end was noted on the box', async () => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    const orders: string[] = [];
    const refuses = async (meanwhile: () => void, because: RegExp): Promise<void> => {
      value(await teardowns.inspect(BOX.id));
      expect(bench.approve(teardowns)).toBe('ok');
      bench.onNote = (actId) => {
        orders.push(actId);
        meanwhile();
      };
      expect(await bench.begin(teardowns)).toMatch(because);
      await expect.poll(() => existsSync(bench.orderOf(orders.at(-1) ?? ''))).toBe(false);
    };
    await refuses(() => teardowns.stop(BOX.id), /stopped, and nothing was done/);
    expect(bench.gateOf(teardowns)).toEqual({ kind: 'shut', inspection: null });
    await refuses(() => (bench.instance = 'i-2'), /linked to another machine/);
    bench.instance = null;
    await refuses(() => (bench.verbs = []), /no such action/);
    bench.verbs = [VERB];
    const become = (other: Partial<Box>): void => {
      const entry = bench.box.roster.entryOf(BOX.id);
      if (entry !== null) bench.box.roster.put({ ...entry, box: { ...BOX, ...other } });
    };
    await refuses(() => become({ name: 'train-b' }), /was renamed/);
    become({});
    const address = { ...BOX.address, port: BOX.address.port + 1 };
    await refuses(() => become({ address }), /got another address/);
    become({});
    await refuses(
      () => (bench.facts = profileThat('deletes the disk')),
      /known of its platform has changed/,
    );
    bench.facts = null;
    // From the window, or the command line on the same data folder: nobody has heard yet what became of it.
    let neverBegan = (): void => undefined;
    const launch = (): void => {
      const became = bench.box.watch.expect(BOX.id, 'r-20261130-120000-aaaaaaaa');
      neverBegan = () => became('never-began');
    };
    await refuses(launch, /A run was launched/);
    neverBegan();
    // Another computer, at the same time.
    const theirs = bench.orderOf('theirs');
    await refuses(() => writeFileSync(theirs, '1 Terminate\n'), /Another end of this/);
    rmSync(theirs);
    // Another Leasehold on the same data folder calls it off.
    const other = bench.start();
    const callOff = () => {
      value(other.callOff(BOX.id));
      expect(bench.gateOf(other).kind).toBe('shut');
    };
    await refuses(callOff, /Another Leasehold has called this end off/);
    expect(bench.gateOf(teardowns).kind).toBe('shut');
    const steps = (await bench.entries()).filter(({ kind }) => kind === 'teardown');
    expect(steps.map(({ body }) => (JSON.parse(body) as { step: string }).step)).toEqual(
      orders.flatMap(() => ['approved', 'called-off']),
    );
    expect(bench.acts).toEqual([]);
    expect(new Set(orders).size).toBe(9);
    // Whoever quits meanwhile finds it unconfirmed at the next start.
    value(await teardowns.inspect(BOX.id));
    expect(bench.approve(teardowns)).toBe('ok');
    bench.onNote = () => teardowns.close();
    expect(await bench.begin(teardowns)).toMatch(/stopped, and nothing was done/);
    expect(bench.acts).toEqual([]);
    expect(bench.gateOf(bench.start()).kind).toBe('unconfirmed');
  });
});
