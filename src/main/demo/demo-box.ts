import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SshAddress } from '../../shared/boxes/address.ts';
import {
  demoFaults,
  isProviderFault,
  type DemoBoxFault,
  type DemoFault,
} from '../../shared/demo/faults.ts';
import type { GpuModelName } from '../../shared/demo/gpu-models.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Log } from '../log/log.ts';
import { makeReadableKeyPair } from '../ssh/readable-key-pair.ts';
import { readHostKey, type OfferedHostKey } from '../ssh/host-key.ts';
import { BOX_USER, BoxProcesses, sweepLeftover, type BoxShells } from './box-processes.ts';
import { Cgroup } from './cgroup.ts';
import { DemoProvider } from './demo-provider.ts';
import type { DemoOrders } from './demo-rental.ts';
import { Driver } from './driver.ts';
import { FaultMenu } from './fault-menu.ts';
import { findProgram } from './find-program.ts';
import { writeFinishedRun } from './finished-run.ts';
import { Heartbeat } from './heartbeat.ts';
import { createHome, findLeftovers, type BoxFolders } from './home.ts';
import { KernelLog } from './kernel-log.ts';
import { ownedAt } from './port-owner.ts';
import { PortTable } from './port-table.ts';
import { RunFiles } from './run-files.ts';
import { BoxServer, type BoxServerOptions } from './server.ts';
import { serveSession } from './session.ts';
import { StrayWorker } from './stray-worker.ts';
import { createTensorboard, TENSORBOARD_PORT } from './tensorboard.ts';
import { createTerminalMaker, findTerminalTool } from './terminal-command.ts';
import { DEFAULT_PACE, Trainer, type TrainingPace } from './trainer.ts';

export interface DemoBoxOptions {
  readonly gpuModel: GpuModelName;
  readonly gpuCount: number;
  /** Where `resources/demo` lies. */
  readonly toolsFolder: string;
  /** Stops the box, also while it starts. */
  readonly signal?: AbortSignal;
  readonly log: Log;
  readonly tuning?: DemoTuning;
  /** Keeps what its provider is told. */
  readonly keepOrders?: (orders: DemoOrders) => Promise<void>;
}

/** For tests: how fast the simulated world goes. */
export interface DemoTuning {
  readonly pace?: TrainingPace;
  readonly tickMs?: number;
  readonly rebootMs?: number;
  /** How long its provider takes to end it. */
  readonly endMs?: number;
  /** What the figures of the cards are drawn by; absent: by chance. */
  readonly random?: () => number;
}

/** The box inside the app: an SSH server on the loopback with simulated cards and a toy run behind it. */
export interface DemoBox {
  readonly address: SshAddress;
  /** The server's key as it is at the start. */
  readonly hostKey: OfferedHostKey;
  /** SECURITY: the private key of the one client that may log in. It never touches a disk. */
  readonly clientKey: string;
  /** Who rents it out. */
  readonly provider: DemoProvider;
  setFault(fault: DemoFault, isOn: boolean): Promise<Result<null, Problem>>;
  activeFaults(): readonly DemoFault[];
  /** Called whenever the active faults changed; returns how to stop listening. */
  onChange(listener: () => void): () => void;
  /** Ends every process of the box and removes its folders. */
  stop(): Promise<void>;
}

const TICK_MS = 1000;
const REBOOT_MS = 3000; // long enough to be seen, short enough to wait for
const MAX_GPUS = 8;
/** What the last card may draw of its usual limit, as with a host that saves power: true, harmless, and found at once. */
const CAPPED_SHARE = 0.9;

const SFTP_SERVERS = [
  '/usr/lib/openssh/sftp-server',
  '/usr/libexec/openssh/sftp-server',
  '/usr/libexec/sftp-server',
  '/usr/lib/ssh/sftp-server',
  '/usr/lib/sftp-server',
];

/** Starts a demo box. It ends with `stop`, with the signal, or with the app, however the app ends. */
export async function startDemoBox(options: DemoBoxOptions): Promise<Result<DemoBox, Problem>> {
  const { signal, toolsFolder, log } = options;
  const shells = await findShells();
  if (shells === null) {
    return err(
      problem(
        'demo-unavailable',
        'The demo box needs a Unix shell (sh and awk), which this system does not have.',
      ),
    );
  }
  try {
    const { folders, marker } = await createHome(toolsFolder);
    const processes = new BoxProcesses(folders, marker, shells);
    const cleaning = cleanLeftovers(shells.posix, folders.sweeper, log);
    const box = await assemble(options, folders, processes).catch(async (cause: unknown) => {
      await cleaning;
      await processes.stop();
      throw cause;
    });
    const stop = once(async () => {
      await cleaning; // it runs this box's copy of the sweeper
      await box.stop();
    });
    if (signal?.aborted === true) {
      await stop();
      return err(problem('aborted', 'Starting the demo box was stopped.'));
    }
    signal?.addEventListener('abort', () => void stop());
    return ok({ ...box, stop });
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    return err(problem('demo-unavailable', 'The demo box could not be started.', { detail }));
  }
}

/** Windows' ports of these tools lack process groups and signals: nothing could be promised about what is left behind. */
async function findShells(): Promise<BoxShells | null> {
  if (process.platform === 'win32') return null;
  const [posix, awk, bash] = await Promise.all([
    findProgram('/bin/sh', 'sh'),
    findProgram('awk'),
    findProgram('bash'),
  ]);
  return posix === null || awk === null ? null : { posix, interactive: bash ?? posix };
}

/** Boxes whose app died together with its sweeper. The start does not wait for this, the stop does. */
async function cleanLeftovers(shell: string, script: string, log: Log): Promise<void> {
  try {
    for (const leftover of await findLeftovers()) {
      log.info('cleaning up a demo box that was left behind', { folder: leftover.root });
      await sweepLeftover(shell, script, leftover);
    }
  } catch (cause) {
    log.warn('could not look for demo boxes that were left behind', { cause: String(cause) });
  }
}

async function assemble(
  options: DemoBoxOptions,
  folders: BoxFolders,
  processes: BoxProcesses,
): Promise<DemoBox> {
  const { gpuModel, log, tuning = {}, keepOrders } = options;
  const gpuCount = Math.min(MAX_GPUS, Math.max(1, Math.trunc(options.gpuCount)));
  const seed = randomInt(2 ** 31);
  const [clientKey, hostKey, changedHostKey] = [
    makeReadableKeyPair(),
    makeReadableKeyPair(),
    makeReadableKeyPair(),
  ];
  const runsFolder = join(folders.home, 'train', 'runs');
  const files = new RunFiles(runsFolder, seed);
  const driver = new Driver(folders.sys, gpuModel, gpuCount, {
    ...{ seed, lastLimitShare: CAPPED_SHARE },
    ...(tuning.random !== undefined && { random: tuning.random }),
  });
  const cgroup = new Cgroup(folders.cgroup);
  const hasFault = (fault: DemoBoxFault): boolean => menu.has(fault);
  const pace = tuning.pace ?? DEFAULT_PACE;
  const trainer = new Trainer({ folders, processes, files, pace, seed, hasFault, log });
  const stray = new StrayWorker(folders, processes);
  const ports = new PortTable(folders.proc, (pid) => processes.owns(pid));
  const heartbeat = new Heartbeat({
    ...{ folders, trainer, stray, driver, cgroup, ports, hasFault, log },
  });
  const server = new BoxServer({
    user: BOX_USER,
    clientKey: clientKey.parsed,
    hostKey: hostKey.private,
    ...(await servicesOf(folders, processes, files, runsFolder)),
    log,
  });
  const menu = new FaultMenu({
    folders,
    processes,
    server,
    trainer,
    stray,
    driver,
    heartbeat,
    cgroup,
    kernelLog: new KernelLog(folders.sys),
    hostKeys: { usual: hostKey.private, changed: changedHostKey.private },
    rebootMs: tuning.rebootMs ?? REBOOT_MS,
  });

  await Promise.all([
    driver.makeNodes(folders),
    menu.boot(),
    writeFinishedRun(runsFolder, files, seed, Date.now()),
  ]);
  // First the cards, then the run: one that finds no cards takes it that the box is gone, and ends.
  await heartbeat.start(tuning.tickMs ?? TICK_MS);
  await trainer.start();
  const port = await server.start();

  const down = once(async () => {
    await menu.end();
    await server.goDown();
    await heartbeat.stop();
    await processes.stop();
  });
  const machine = { powerOff: () => menu.powerOff(), destroy: down };
  const provider = new DemoProvider({
    ...{ instance: `demo-${port}`, machine, gpuCount },
    ...(tuning.endMs !== undefined && { delayMs: tuning.endMs }),
    ...(keepOrders !== undefined && { keep: keepOrders }),
  });
  const listeners = new Set<() => void>();
  return {
    provider,
    address: { host: server.host, port, user: BOX_USER },
    hostKey: readHostKey(hostKey.parsed.getPublicSSH()),
    clientKey: clientKey.private,
    setFault: async (fault, isOn) => {
      if (!isProviderFault(fault)) return setFault(menu, fault, isOn);
      provider.setFault(fault, isOn);
      for (const listener of listeners) listener();
      return ok(null);
    },
    activeFaults: () => {
      const active: ReadonlySet<DemoFault> = new Set([...menu.active, ...provider.faults]);
      return demoFaults.filter((fault) => active.has(fault));
    },
    onChange: (listener) => {
      const unfollow = menu.onChange(listener);
      listeners.add(listener);
      return () => {
        unfollow();
        listeners.delete(listener);
      };
    },
    stop: () => {
      provider.end();
      return down();
    },
  };
}

/** What the SSH server offers of the box: sessions, TensorBoard, and tunnels to the box's own listeners. */
async function servicesOf(
  folders: BoxFolders,
  processes: BoxProcesses,
  files: RunFiles,
  runsFolder: string,
): Promise<Omit<BoxServerOptions, 'user' | 'clientKey' | 'hostKey' | 'log'>> {
  const [terminalTool, sftpServer] = await Promise.all([
    findTerminalTool(),
    findProgram(...SFTP_SERVERS),
  ]);
  const makeTerminal = createTerminalMaker(terminalTool, folders.lib, processes.shell);
  const hasFault = (fault: DemoFault): boolean => existsSync(join(folders.faults, fault));
  const sessionBox = { processes, makeTerminal, tmpFolder: folders.tmp, sftpServer, hasFault };
  const tensorboard = createTensorboard(runsFolder, () => files.scalars);
  return {
    serveSession: (session, gone) => serveSession(session, sessionBox, gone),
    serveTensorboard: (channel) => tensorboard.emit('connection', channel),
    tensorboardPort: TENSORBOARD_PORT,
    ownedAt: (port) => ownedAt(port, (pid) => processes.owns(pid)),
  };
}

async function setFault(
  menu: FaultMenu,
  fault: DemoBoxFault,
  isOn: boolean,
): Promise<Result<null, Problem>> {
  try {
    await menu.set(fault, isOn);
    return ok(null);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    return err(problem('demo-unavailable', 'The demo box could not do that.', { detail }));
  }
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => (running ??= run());
}
