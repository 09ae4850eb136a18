import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOver } from '../../shared/runs/launch/launched-run.ts';
import { lookAtRuns } from '../runs/look-at-runs.ts';
import { BOX, value } from '../runs/run-box.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { TeardownBench } from './teardowns.fixture.ts';

describe.skipIf(!hasSshd)('a box with more runs than one look tells', () => {
  let bench: TeardownBench;
  beforeEach(async () => {
    bench = new TeardownBench();
    await bench.open();
  });
  afterEach(() => bench.close());

  /** Beside one that is there, so many older ones that are over; the newest and the oldest of them have results of their own. */
  function older(id: string, count: number): void {
    const { box } = bench;
    const ends = [0, count - 1];
    const names = readdirSync(box.place(id)).filter((name) => !name.endsWith('.tmp'));
    for (let at = 0; at < count; at += 1) {
      const own = `r-20200101-000000-${at.toString(16).padStart(8, '0')}`;
      mkdirSync(box.place(own));
      for (const name of names) {
        const text = readFileSync(join(box.place(id), name), 'utf8').replaceAll(id, own);
        const results = ends.includes(at) ? `"out-${String(at)}"` : '"out"';
        writeFileSync(join(box.place(own), name), text.replaceAll('"out"', results));
      }
    }
    for (const at of ends) {
      mkdirSync(join(box.home, 'work', `out-${String(at)}`));
      writeFileSync(join(box.home, 'work', `out-${String(at)}`, 'loss.txt'), '0.1\n');
    }
  }

  it('is accounted for whole, the oldest too', async () => {
    const teardowns = bench.start();
    older(await bench.aRun(), 205);
    const { connection } = bench.box;
    if (connection === null) throw new Error('not connected');
    const newest = value(await lookAtRuns(connection, onboxScripts));
    expect([newest.runs.length, newest.leftOut]).toEqual([100, 106]);
    const all = value(await bench.box.watch.lookAtAll(BOX.id));
    expect([all.runs.length, all.leftOut, all.runs.every(isOver)]).toEqual([206, 0, true]);
    const missing = ['never-pulled', 'never-pulled', 'never-pulled'];
    expect(await bench.blockedBy(teardowns)).toEqual(['elsewhere', ...missing]);
    const { runs } = bench.inspectionIn(teardowns);
    const full = runs.filter(({ files }) => files > 0).map(({ path }) => path.split('/').at(-1));
    expect(full.sort()).toEqual(['out', 'out-0', 'out-204']);
  });
});
