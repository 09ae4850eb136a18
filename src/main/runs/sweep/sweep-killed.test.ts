import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { runFixture } from '../../storage/disk.fixture.ts';
import { type RunBox, value } from '../run-box.fixture.ts';
import type { LaunchingSweep } from './launching-sweep.fixture.ts';
import { A, B, shares, SweepApp } from './sweep-app.fixture.ts';
import { openBoxes, work } from './sweep-box.fixture.ts';

let boxes: [RunBox, RunBox];
let app: SweepApp | null = null;
beforeEach(async () => {
  boxes = await openBoxes();
});
afterEach(async () => {
  await app?.close();
  for (const each of boxes) await each.close();
});

it.skipIf(!hasSshd || process.platform !== 'linux')(
  'a sweep whose app was killed when one box had its share is found by the next app, and each cell of it runs once',
  async () => {
    const asked: LaunchingSweep = {
      boxes: boxes.map(({ home, sshd }) => ({
        home,
        sshd: { user: sshd.user, privateKey: sshd.privateKey },
        port: sshd.port,
      })),
      command: 'echo {x} >>ran; echo {x} >{results}/out',
    };
    const ended = await runFixture(
      new URL('launching-sweep.fixture.ts', import.meta.url),
      [JSON.stringify(asked)],
      (_line, _count, child) => child.kill('SIGKILL'),
    );
    expect([ended.lines, ended.signal, ended.stderr]).toEqual([['one has it'], 'SIGKILL', '']);
    const [has, lacks] = boxes
      .map((box, at) => ({ box, at, runs: runsOn(box) }))
      .sort((one, other) => other.runs.length - one.runs.length);
    if (has === undefined || lacks === undefined) throw new Error('two boxes');
    expect([has.runs.length, lacks.runs.length]).toEqual([1, 0]);

    const next = (app = new SweepApp(...boxes));
    for (const { id } of [A, B]) value(await next.watch.look(id));
    const sweepId = await vi.waitFor(() => {
      const [found] = next.sweeps.book.sweeps;
      expect(found).toBeDefined();
      return found?.id ?? '';
    });
    const mine = (at: number): boolean => at % 2 === has.at;
    // Only what the box that was reached has of it is known.
    const kinds = [0, 1, 2, 3].map((at) => (mine(at) ? 'done' : 'unseen'));
    await vi.waitFor(async () => expect(await next.kinds(sweepId)).toEqual(kinds));
    const left = [0, 1, 2, 3].filter((at) => !mine(at));
    const asks = (cells: readonly number[]) => (lacks.at === 0 ? shares(cells) : shares([], cells));
    expect(await next.sweepLauncher.planAgain(sweepId, asks([0, 1, 2, 3]))).toMatchObject({
      ok: false,
    });
    const again = value(await next.sweepLauncher.planAgain(sweepId, asks(left)));
    const blocks = again.shares.flatMap(({ plan }) =>
      (plan?.checks ?? []).flatMap(({ id, answer }) => (answer === 'block' ? [id] : [])),
    );
    // This computer began none of it, and does not know whether the other box has.
    expect(blocks.sort()).toEqual(['origin', 'sweep-twin']);
    const twin = again.shares.flatMap(({ plan }) => plan?.checks.filter(isTwin) ?? []);
    expect(twin.map(({ says }) => says)).toEqual([
      `2 cells may have been launched on ${[A, B][lacks.at]?.name ?? ''}: no box of your list has shown their run.`,
    ]);
    await next.launch(again, { [lacks.at === 0 ? A.id : B.id]: blocks });
    await next.until(sweepId, ['done', 'done', 'done', 'done']);
    const ran = boxes.flatMap((box) =>
      readFileSync(work(box, 'ran'), 'utf8').trimEnd().split('\n'),
    );
    expect(ran.sort()).toEqual(['1', '2', '3', '4']);
  },
);

const isTwin = ({ id }: { readonly id: string }): boolean => id === 'sweep-twin';

function runsOn(box: RunBox): readonly string[] {
  try {
    return readdirSync(box.place(''));
  } catch {
    return [];
  }
}
