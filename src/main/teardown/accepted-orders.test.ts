import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOX, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { TeardownBench } from './teardowns.fixture.ts';

describe.skipIf(!hasSshd)('an order from elsewhere that a person has accepted', () => {
  let bench: TeardownBench;
  beforeEach(async () => {
    bench = new TeardownBench();
    await bench.open();
  });
  afterEach(() => bench.close());

  it('is in the way no more, and one that came since is', async () => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    mkdirSync(dirname(bench.orderOf('theirs')), { recursive: true });
    writeFileSync(bench.orderOf('theirs'), '1 Terminate\n');
    expect(await bench.blockedBy(teardowns)).toEqual(['ordered-elsewhere']);
    const found = bench
      .inspectionIn(teardowns)
      .blockers.find(({ kind }) => kind === 'ordered-elsewhere');
    const accepted = { id: found?.id ?? '', loss: found?.loss ?? '' };
    value(await teardowns.accept(BOX.id, { ...accepted, because: 'that computer is gone' }));
    expect(await bench.blockedBy(teardowns)).toEqual([]);

    expect(bench.approve(teardowns)).toBe('ok');
    bench.onNote = () => writeFileSync(bench.orderOf('late'), '1 Terminate\n');
    expect(await bench.begin(teardowns)).toMatch(/Another end of this/);
    expect(bench.acts).toEqual([]);

    bench.onNote = () => undefined;
    rmSync(bench.orderOf('late'));
    expect(await bench.blockedBy(teardowns)).toEqual([]);
    expect(bench.approve(teardowns)).toBe('ok');
    expect(await bench.begin(teardowns)).toBe('ok');
    expect(bench.acts).toHaveLength(1);
  });
});
