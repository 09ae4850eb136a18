import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoFaultInfos, type DemoBoxFault } from '../../shared/demo/faults.ts';
import { unreachable } from '../../shared/result.ts';
import { describeOomKill, type Cgroup } from './cgroup.ts';
import type { BoxProcesses } from './box-processes.ts';
import type { Driver } from './driver.ts';
import type { GpuIdentity } from './gpu/driver-table.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { BoxFolders } from './home.ts';
import type { KernelLog } from './kernel-log.ts';
import { replaceFile } from './replace-file.ts';
import type { BoxServer } from './server.ts';
import type { StrayWorker } from './stray-worker.ts';
import type { Trainer } from './trainer.ts';

/** The parts of the box that faults reach into. */
export interface FaultTargets {
  readonly folders: BoxFolders;
  readonly processes: BoxProcesses;
  readonly server: BoxServer;
  readonly trainer: Trainer;
  readonly stray: StrayWorker;
  readonly driver: Driver;
  readonly kernelLog: KernelLog;
  readonly cgroup: Cgroup;
  readonly heartbeat: Heartbeat;
  readonly hostKeys: { readonly usual: string; readonly changed: string };
  /** How long a rebooting box refuses connections. */
  readonly rebootMs: number;
}

// Another program may have been given the port while the box was down.
const PORT_RETRY_MS = 250;

/** Makes the box suffer and recover. Faults that tools and the run look at are files under `sys/faults`. */
export class FaultMenu {
  readonly #targets: FaultTargets;
  readonly #active = new Set<DemoBoxFault>();
  readonly #listeners = new Set<() => void>();
  readonly #ending = new AbortController();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(targets: FaultTargets) {
    this.#targets = targets;
  }

  get active(): readonly DemoBoxFault[] {
    return [...this.#active];
  }

  has(fault: DemoBoxFault): boolean {
    return this.#active.has(fault);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** One fault at a time. Switching off one that happens once repairs what it broke: the run starts again. */
  set(fault: DemoBoxFault, isOn: boolean): Promise<void> {
    const done = this.#queue.then(() => this.#set(fault, isOn));
    this.#queue = done.catch(() => undefined); // whoever asked for that one hears of it through `done`
    return done;
  }

  /** Takes no more faults and returns when the one at work is done; a reboot does not come up again. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#queue;
  }

  async #set(fault: DemoBoxFault, isOn: boolean): Promise<void> {
    if (this.#ending.signal.aborted) throw new Error('the demo box is stopping');
    const { isLasting } = demoFaultInfos[fault];
    if (isLasting && this.#active.has(fault) === isOn) return;
    // Shown while it lasts; a reboot takes a while too.
    if (isOn) await this.#mark(fault);
    try {
      if (isOn) await this.#inflict(fault);
      else await this.#repair(fault);
    } finally {
      if (!isOn || !isLasting) await this.#unmark(fault);
    }
  }

  async #mark(fault: DemoBoxFault): Promise<void> {
    this.#active.add(fault);
    await writeFile(join(this.#targets.folders.faults, fault), '');
    this.#tell();
  }

  async #unmark(fault: DemoBoxFault): Promise<void> {
    this.#active.delete(fault);
    await rm(join(this.#targets.folders.faults, fault), { force: true });
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  async #inflict(fault: DemoBoxFault): Promise<void> {
    const { server, trainer, stray, heartbeat, kernelLog, cgroup, hostKeys } = this.#targets;
    switch (fault) {
      case 'throttle':
      case 'disk-full':
      case 'inodes-full':
      case 'frozen-log':
      case 'noisy-login':
      case 'no-sftp':
        return; // the mark is all that the driver, df, the run and new sessions look at
      case 'xid-79':
        await kernelLog.write('err', this.#describeLostGpu());
        // Whoever reads of it sees one card less, and that the run did not survive it.
        await heartbeat.runEnded(trainer.process?.pid ?? null);
        return;
      case 'cgroup-oom': {
        const pid = await trainer.kill('SIGKILL');
        await cgroup.recordOomKill();
        if (pid !== null) await kernelLog.write('err', await describeOomKill(pid));
        await heartbeat.runEnded(pid);
        return;
      }
      case 'run-killed':
        await heartbeat.runEnded(await trainer.kill('SIGTERM'));
        return;
      case 'vram-zombie':
        await trainer.kill('SIGKILL');
        // Whoever ends the worker has cured the box.
        stray.start(() => void this.#unmark(fault));
        return;
      case 'link-drop':
        server.drop();
        return;
      case 'half-open-link':
        server.setHalfOpen(true);
        return;
      case 'reboot':
        await this.#reboot();
        return;
      case 'host-key-change':
        server.useHostKey(hostKeys.changed);
        server.drop();
        return;
      default:
        unreachable(fault);
    }
  }

  async #repair(fault: DemoBoxFault): Promise<void> {
    const { server, trainer, stray, hostKeys } = this.#targets;
    switch (fault) {
      case 'throttle':
      case 'frozen-log':
      case 'link-drop':
      case 'noisy-login':
      case 'no-sftp':
        return;
      case 'xid-79':
        await this.#targets.kernelLog.write('info', this.#describeRecovery());
        await this.#unmark(fault);
        await trainer.ensureRunning();
        return;
      case 'disk-full':
      case 'inodes-full':
        // The mark must be gone before the new run looks.
        await this.#unmark(fault);
        await trainer.ensureRunning();
        return;
      case 'cgroup-oom':
      case 'run-killed':
      case 'reboot':
        await trainer.ensureRunning();
        return;
      case 'vram-zombie':
        await stray.end();
        await trainer.ensureRunning();
        return;
      case 'half-open-link':
        server.setHalfOpen(false);
        return;
      case 'host-key-change':
        server.useHostKey(hostKeys.usual);
        server.drop();
        return;
      default:
        unreachable(fault);
    }
  }

  async #reboot(): Promise<void> {
    const { server, processes, trainer, heartbeat, rebootMs } = this.#targets;
    await server.goDown();
    await processes.sweep();
    await this.boot();
    await heartbeat.rebooted();
    // Whoever finds it up again must not be shown what ran before.
    await heartbeat.shown();
    await this.#wait(rebootMs);
    while (!this.#ending.signal.aborted && !(await server.comeUp()))
      await this.#wait(PORT_RETRY_MS);
    if (!this.#ending.signal.aborted) await trainer.rebooted();
  }

  /** As whoever rents it out stops it: everything on it ends and nothing answers any more. Its disk stays. */
  powerOff(): Promise<void> {
    const done = this.#queue.then(async () => {
      const { server, processes, trainer } = this.#targets;
      trainer.wentDown();
      await server.goDown();
      await processes.sweep();
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => undefined); // cut short by `end`
  }

  /** What every start of the box brings: a new boot id, an empty kernel log, counters at 0. */
  async boot(): Promise<void> {
    const { folders, kernelLog, cgroup } = this.#targets;
    await replaceFile(join(folders.proc, 'sys/kernel/random/boot_id'), `${randomUUID()}\n`);
    await Promise.all([kernelLog.restart(Date.now()), cgroup.restart()]);
  }

  /** Words and order recorded with a real loss (facts/nvidia.md 3.1). */
  #describeLostGpu(): string[] {
    const { driver } = this.#targets;
    const identity = driver.identityOf(driver.gpus.length - 1);
    if (identity === null) return [];
    const address = addressOf(identity);
    const slot = slotOf(identity);
    return [
      `NVRM: GPU at PCI:${slot}: ${identity.uuid}`,
      `NVRM: Xid (PCI:${slot}): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.`,
      `NVRM: GPU ${address}: GPU has fallen off the bus.`,
      `NVRM: GPU ${address}: GPU serial number is ${identity.serial}.`,
      `NVRM: Xid (PCI:${slot}): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)`,
    ];
  }
  /** What the driver says once the card answers again: the end of what the lines before told (facts/nvidia.md 3.1). */
  #describeRecovery(): string[] {
    const { driver } = this.#targets;
    const identity = driver.identityOf(driver.gpus.length - 1);
    if (identity === null) return [];
    return [
      `NVRM: Xid (PCI:${slotOf(identity)}): 154, GPU recovery action changed from 0x2 (Node Reboot Required) to 0x0 (None)`,
    ];
  }
}

function addressOf({ busId }: GpuIdentity): string {
  return busId.slice(4).toLowerCase();
}

function slotOf(identity: GpuIdentity): string {
  return addressOf(identity).replace(/\.\d$/, '');
}
