import { writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { details } from '../../../shared/detectors/box.fixture.ts';
import { nothingKnown } from '../../../shared/runs/launch/known-box.fixture.ts';
import { knownFacts, NOW_MS } from '../../../shared/runs/launch/preflight.fixture.ts';
import type { LaunchPlan } from '../../../shared/runs/launch/launch-plan.ts';
import type { LaunchedRun } from '../../../shared/runs/launch/launched-run.ts';
import type { RunRequest } from '../../../shared/runs/launch/run-request.ts';
import type { QueueCell, QueueRequest } from '../../../shared/runs/queue/queue-cell.ts';
import { judgeCell } from '../../../shared/runs/queue/queue-view.ts';
import { marksOf } from '../../../shared/runs/queue/read-queue-look.ts';
import type { GpuProcess } from '../../../shared/telemetry/gpu-facts.ts';
import { onboxScripts } from '../../onbox/onbox-scripts.fixture.ts';
import { StreamHub } from '../../streams/stream-hub.ts';
import { BoxPushes } from '../../transfer/box-pushes.ts';
import { BOX, request, RunBox, value } from '../run-box.fixture.ts';
import { RunLauncher } from '../run-launcher.ts';
import { lookAtQueue } from './look-at-queue.ts';

export const cell = (name: string, command: string, isCommented = false): QueueCell => ({
  name,
  command,
  isCommented,
});
export const queue = (...cells: QueueCell[]): QueueRequest => ({
  cells,
  stopsAtFailure: false,
  startsAgain: false,
});

/** A real box with queues. */
export class QueueBox extends RunBox {
  /** So many cards as the app knows them, and who is on them. */
  hasCards(count: number, processes: readonly GpuProcess[] = []): void {
    const gpus = Array.from({ length: count }, (_none, index) =>
      details({ index, uuid: `GPU-${String(index)}`, memoryUsedMiB: 4, memoryTotalMiB: 81_559 }),
    );
    const told = knownFacts({ gpus, processes: { kind: 'known', processes } });
    this.known = nothingKnown({ nowMs: NOW_MS, ...told });
  }

  async queue(cells: QueueRequest, more: Partial<RunRequest> = {}): Promise<string> {
    const plan = value(await this.launcher.plan(BOX.id, request(more), cells));
    value(await this.launcher.launch(BOX.id, plan.plan));
    return plan.runId;
  }

  async resume(id: string): Promise<LaunchPlan> {
    const plan = value(await this.launcher.planResume(BOX.id, id));
    value(await this.launcher.launch(BOX.id, plan.plan));
    return plan;
  }

  journal(id: string): readonly string[] {
    return this.read(id, 'journal')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/\b\d{9,}\b/, 'T').replace(/r-\S+/, 'RUN'));
  }

  /** The index of each cell as often as it was begun, in order. */
  begins(id: string): readonly number[] {
    const found = [...this.read(id, 'journal').matchAll(/^begin (\d+) /gm)];
    return found.map(([, index]) => Number(index)).sort((one, other) => one - other);
  }

  log(id: string, index: number): string {
    return this.read(id, `logs/${String(index)}`);
  }

  async seen(id: string, queueId = id) {
    if (this.connection === null) throw new Error('no connection');
    const look = value(
      await lookAtQueue(this.connection, onboxScripts, { queue: queueId, run: id }),
    );
    return { ...look, marks: marksOf(look.entries, {}) };
  }

  async states(run: LaunchedRun): Promise<readonly string[]> {
    const { cells, marks } = await this.seen(run.id, run.queue?.id);
    const isAlive = run.status.kind === 'running';
    return (cells ?? []).map((each, at) => judgeCell(each, marks[at + 1], isAlive).kind);
  }

  /** The same box from another computer. */
  another(): RunLauncher {
    return new RunLauncher({
      roster: this.roster,
      knownBox: () => nothingKnown(),
      scripts: onboxScripts,
      watch: this.watch,
      pushes: new BoxPushes({
        ...{ hub: new StreamHub(), scripts: onboxScripts },
        onMeasured: () => undefined,
      }),
    });
  }

  /** What waits until somebody writes into it. */
  gate(name: string): string {
    execFileSync('mkfifo', [join(this.home, name)]);
    return `cat ../${name}`;
  }
  openGate(name: string): void {
    writeFileSync(join(this.home, name), 'go\n');
  }
}
