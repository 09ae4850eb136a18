import { expect, vi } from 'vitest';
import type { Box } from '../../../shared/boxes/box.ts';
import { nothingKnown } from '../../../shared/runs/launch/known-box.fixture.ts';
import { RESULTS_PATTERN } from '../../../shared/runs/sweep/make-cells.ts';
import type { SweepLaunched, SweepPlan } from '../../../shared/runs/sweep/sweep-plan.ts';
import type { SweepCellKind, SweepView } from '../../../shared/runs/sweep/sweep-view.ts';
import { untouchedEntry } from '../../../shared/streams/fleet-stream.ts';
import { BoxRoster } from '../../boxes/box-roster.ts';
import { onboxScripts } from '../../onbox/onbox-scripts.fixture.ts';
import type { OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { StreamHub } from '../../streams/stream-hub.ts';
import { BoxPushes } from '../../transfer/box-pushes.ts';
import { BOX, memoryEntries, type RunBox, value } from '../run-box.fixture.ts';
import { RunLauncher } from '../run-launcher.ts';
import { RunWatch } from '../run-watch.ts';
import { checkSweepHere } from './read-sweep.ts';
import { SweepLauncher } from './sweep-launcher.ts';
import { SweepWatch } from './sweep-watch.ts';

export const A: Box = { ...BOX, name: 'box a' };
export const B: Box = { ...BOX, id: '0b6f2a34-13c0-4a6e-9d2b-6b9e0d3f7c11', name: 'box b' };

class TwoBoxRoster extends BoxRoster {
  readonly #reach: (boxId: string) => SshConnection | null;
  constructor(hub: StreamHub, reach: (boxId: string) => SshConnection | null) {
    super(hub);
    this.#reach = reach;
  }
  override connectionOf(boxId: string): SshConnection | null {
    return this.#reach(boxId);
  }
}

/** One app over two real boxes; another one over the same boxes knows nothing of it. */
export class SweepApp {
  readonly hub = new StreamHub();
  readonly roster: TwoBoxRoster;
  readonly watch: RunWatch;
  readonly sweeps: SweepWatch;
  readonly launcher: RunLauncher;
  readonly sweepLauncher: SweepLauncher;
  /** What it told beside the answers; nothing that a test does not ask for. */
  readonly told: string[] = [];
  /** What it knows of its boxes without asking them. */
  known = nothingKnown();

  /** What it keeps for its next life. */
  readonly entries: ReturnType<typeof memoryEntries>;

  constructor(
    a: RunBox,
    b: RunBox,
    scripts: OnboxScripts = onboxScripts,
    entries = memoryEntries(),
  ) {
    this.entries = entries;
    this.hub.addClient(1, () => undefined);
    const boxes = new Map([
      [A.id, a],
      [B.id, b],
    ]);
    this.roster = new TwoBoxRoster(this.hub, (id) => boxes.get(id)?.connection ?? null);
    const options = {
      ...{ hub: this.hub, roster: this.roster, scripts, entries },
      redact: (text: string) => text,
      onProblem: (found: { readonly message: string }) => void this.told.push(found.message),
    };
    this.watch = new RunWatch({
      ...options,
      onOver: () => undefined,
      cellResultsOf: (queue, index) => this.sweeps.resultsOf(queue, index),
      watchedMs: 100,
    });
    this.sweeps = new SweepWatch({
      ...options,
      ...{ watch: this.watch, check: checkSweepHere, everyMs: 100 },
    });
    const pushes = new BoxPushes({ ...options, onMeasured: () => undefined });
    this.launcher = new RunLauncher({
      ...options,
      checksOfCells: (queue, names) => this.sweeps.checksOfCells(queue, names),
      knownBox: () => this.known,
      watch: this.watch,
      pushes,
    });
    for (const box of [A, B]) {
      this.roster.put({ ...untouchedEntry(box), link: { kind: 'up', sinceMs: 0, latencyMs: 1 } });
    }
    this.sweepLauncher = new SweepLauncher({
      ...options,
      ...{ launcher: this.launcher, pushes },
      sweeps: this.sweeps,
      knownBox: () => this.known,
    });
  }

  async close(): Promise<void> {
    await this.sweeps.close();
    await this.watch.close();
    this.sweepLauncher.close();
    this.hub.dispose();
    expect(this.told).toEqual([]);
  }

  async view(id: string): Promise<SweepView> {
    const sweep = this.sweeps.of(id);
    if (sweep === null) throw new Error('the app does not know the sweep');
    await sweep.look();
    return sweep.view;
  }

  async kinds(id: string): Promise<readonly SweepCellKind[]> {
    return (await this.view(id)).cells.map(({ state }) => state.kind);
  }

  until(id: string, kinds: readonly SweepCellKind[]): Promise<void> {
    return vi.waitFor(async () => expect(await this.kinds(id)).toEqual(kinds));
  }

  async launch(
    plan: SweepPlan,
    overridden: Readonly<Record<string, readonly string[]>> = {},
  ): Promise<SweepLaunched> {
    return value(await this.sweepLauncher.launch(plan.sweepId, plan.plan, overridden));
  }
}

export const draft = (command: string, values: string) => ({
  name: 'a sweep',
  base: { folder: '~/work', activate: null, env: { A: 'b' } },
  source: { kind: 'grid' as const, command, parameters: `x: ${values}` },
  pattern: RESULTS_PATTERN,
});
export const shares = (...both: readonly (readonly number[])[]) =>
  [A, B].flatMap(({ id: boxId }, at) => {
    const cells = both[at] ?? [];
    return cells.length === 0 ? [] : [{ boxId, cells }];
  });
