import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import ssh2, { type ServerChannel } from 'ssh2';
import type { GpuModelName } from '../../shared/demo/gpu-models.ts';
import { LOOK_COMMAND } from '../../shared/boxes/flavour/look.ts';
import { quoteForAnyShell } from '../../shared/boxes/any-shell.ts';
import { makeReadableKeyPair } from '../ssh/readable-key-pair.ts';
import { playFacts, recordFacts, type FarmLoad, type RecordedFacts } from './farm-facts.fixture.ts';
import { advanceGpu, createGpu, type GpuState } from './gpu/gpu-physics.ts';
import { createRandom } from './random.ts';

/** One of many boxes: a real SSH server whose cards are simulated in this process. */
export interface FarmBox {
  readonly name: string;
  /** The id of a platform's profile. */
  readonly platform: string;
  readonly model: GpuModelName;
  readonly gpuCount: number;
  readonly load: FarmLoad;
}

export interface FarmOptions {
  /**
   * What a benchmark recognises a sample by: its number stands where the memory clock would, and each card's SM load is
   * what this says.
   */
  readonly smPctOf?: (sample: number) => number;
}

/** One cycle of dmon as it left the server. */
export interface PrintedCycle {
  readonly sample: number;
  readonly atMs: number;
}

export interface Farm {
  readonly boxes: readonly (FarmBox & { readonly port: number })[];
  readonly user: string;
  /** The one key of all servers, as it comes over the wire. */
  readonly hostKey: Buffer;
  /** An OpenSSH private key; the servers let everybody in. */
  readonly clientKey: string;
  /** All cycles that a box has printed, oldest first. */
  printed(box: number): readonly PrintedCycle[];
  /** Commands that no box of the farm understands. */
  readonly unexpected: readonly string[];
  /** Prints no more, with every connection open; and goes on. */
  hold(isHeld: boolean): void;
  stop(): Promise<void>;
}

const NAMES =
  'pwr gtemp mtemp sm mem enc dec jpg ofa mclk pclk pviol tviol fb bar1 ccpm sbecc dbecc pci rxpci txpci';
const UNITS = 'W C C % % % % % % MHz MHz % bool MB MB MB errs errs errs MB/s MB/s';
const REPEAT_HEADER_EVERY = 30;
const CYCLE_MS = 1000;
/** Flavour looks, as a plain Ubuntu answers them. */
const LOOK_ANSWER = 'shell /bin/bash\nforced \nbash yes\ntools Usage: ls [OPTION]... [FILE]...\n';

/** Starts the servers, their cycles spread evenly over the second. */
export async function startFarm(
  specs: readonly FarmBox[],
  options: FarmOptions = {},
): Promise<Farm> {
  const hostKey = makeReadableKeyPair();
  const clientKey = makeReadableKeyPair();
  const recordings = new Map<string, RecordedFacts>();
  const unexpected: string[] = [];
  const boxes: RunningBox[] = [];
  for (const [index, spec] of specs.entries()) {
    const kind = `${spec.model} ${String(spec.gpuCount)} ${spec.load}`;
    const facts = recordings.get(kind) ?? (await recordFacts(spec.model, spec.gpuCount, spec.load));
    recordings.set(kind, facts);
    const box = new RunningBox({
      index,
      spec,
      facts,
      hostKey: hostKey.private,
      unexpected,
      options,
    });
    boxes.push(box);
    await box.start((index / specs.length) * CYCLE_MS);
  }
  return {
    boxes: boxes.map(({ spec, port }) => ({ ...spec, port })),
    user: 'root',
    hostKey: publicBlobOf(hostKey.public),
    clientKey: clientKey.private,
    printed: (box) => boxes[box]?.printed ?? [],
    unexpected,
    hold: (isHeld) => {
      for (const box of boxes) box.isHeld = isHeld;
    },
    stop: async () => {
      await Promise.all(boxes.map((box) => box.stop()));
    },
  };
}

interface RunningBoxOptions {
  readonly index: number;
  readonly spec: FarmBox;
  readonly facts: RecordedFacts;
  readonly hostKey: string;
  readonly unexpected: string[];
  readonly options: FarmOptions;
}

class RunningBox {
  readonly spec: FarmBox;
  readonly printed: PrintedCycle[] = [];
  readonly #options: RunningBoxOptions;
  readonly #server: ssh2.Server;
  readonly #sockets = new Set<Socket>();
  readonly #streams = new Set<DmonStream>();
  readonly #random: () => number;
  #gpus: readonly GpuState[];
  #sample = 0;
  isHeld = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RunningBoxOptions) {
    const { index, spec, hostKey } = options;
    this.#options = options;
    this.spec = spec;
    this.#random = createRandom(index + 1);
    this.#gpus = Array.from({ length: spec.gpuCount }, (_none, gpu) => createGpu(gpu, spec.model));
    this.#server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
      const streams = new Set<DmonStream>();
      client.on('error', () => undefined); // the client may well reset it
      // Channels do not always hear that their connection is gone.
      client.on('close', () => {
        for (const stream of streams) this.#streams.delete(stream);
      });
      client.on('authentication', (context) => context.accept());
      client.on('tcpip', (_accept, reject) => reject());
      client.on('session', (accept) => {
        const session = accept();
        session.on('sftp', (acceptSftp) => acceptSftp());
        session.on('exec', (acceptExec, _reject, { command }) =>
          this.#run(acceptExec(), command, streams),
        );
      });
    });
    // ssh2's own server keeps the sockets to itself; stopping cuts them as a killed sshd does.
    (
      this.#server as unknown as {
        _srv: { on(event: string, listen: (socket: Socket) => void): void };
      }
    )._srv.on('connection', (socket) => {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    for (let second = 0; second < 60; second += 1) this.#advance();
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async start(offsetMs: number): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => this.#cycle(), CYCLE_MS);
    }, offsetMs);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #run(channel: ServerChannel, command: string, streams: Set<DmonStream>): void {
    channel.on('error', () => undefined);
    const [, first, second] = /(\w+)""(\w+)/.exec(command) ?? [];
    if (first === undefined || second === undefined) {
      this.#refuse(channel, command);
      return;
    }
    const mark = first + second;
    channel.write(`${mark}\n`);
    channel.stderr.write(`${mark}\n`);
    if (command.includes('nvidia-smi dmon ')) {
      const stream = this.#stream(channel);
      streams.add(stream);
      channel.on('close', () => streams.delete(stream));
    } else if (command.includes(quoteForAnyShell(LOOK_COMMAND).slice(1, -1))) {
      answer(channel, mark, LOOK_ANSWER);
    } else if (command.includes('LEASEHOLD_MARK')) this.#look(channel, mark);
    else this.#refuse(channel, command);
  }

  #refuse(channel: ServerChannel, command: string): void {
    this.#options.unexpected.push(command);
    channel.exit(127);
    channel.end();
  }

  /** What it is given begins with its values, in the order of their names: the nonce for its sections, what is not to be asked for … */
  #look(channel: ServerChannel, mark: string): void {
    const { facts, index } = this.#options;
    let given = '';
    channel.setEncoding('utf8');
    const take = (text: string): void => {
      given += text;
      const [nonce = '', _refused, isStatic, ...rest] = given.split('\n');
      if (rest.length === 0) return;
      channel.off('data', take);
      channel.resume();
      const recorded = isStatic === '0' ? facts.later : facts.first;
      answer(channel, mark, playFacts(recorded, nonce, index));
    };
    channel.on('data', take);
  }

  #stream(channel: ServerChannel): DmonStream {
    const stream: DmonStream = { channel, rows: 0 };
    this.#streams.add(stream);
    channel.on('close', () => this.#streams.delete(stream));
    return stream;
  }

  #cycle(): void {
    this.#advance();
    if (this.#streams.size === 0 || this.isHeld) return;
    this.#sample += 1;
    const rows = this.#gpus.map((gpu) => this.#row(gpu)).join('');
    for (const stream of this.#streams) {
      const text = stream.rows % REPEAT_HEADER_EVERY === 0 ? HEADER + rows : rows;
      stream.rows += 1;
      stream.channel.write(text);
    }
    this.printed.push({ sample: this.#sample, atMs: Date.now() });
  }

  #advance(): void {
    const { load } = this.spec;
    this.#gpus = this.#gpus.map((gpu) =>
      advanceGpu(gpu, {
        load: load === 'idle' ? 'idle' : 'training',
        isThrottled: load === 'throttled' && gpu.index === 0,
        elapsedS: 1,
        random: this.#random,
      }),
    );
  }

  #row(gpu: GpuState): string {
    const { smPctOf } = this.#options.options;
    if (this.spec.load === 'lost-gpu' && gpu.index === this.#gpus.length - 1) return '';
    const smPct = smPctOf?.(this.#sample) ?? gpu.smPct;
    const memoryClock = smPctOf === undefined ? gpu.memoryClockMHz : this.#sample;
    const { memoryTemperatureC: memoryC, isThrottled } = gpu;
    // With MIG the driver tells no load (facts/nvidia.md §1.2).
    const load =
      this.spec.load === 'mig' ? Array<string>(6).fill('-') : [smPct, gpu.memPct, 0, 0, 0, 0];
    const cells = [
      Math.round(gpu.powerW),
      Math.round(gpu.temperatureC),
      memoryC === null ? '-' : Math.round(memoryC),
      ...load,
      memoryClock,
      gpu.smClockMHz,
      gpu.powerViolationPct,
      isThrottled ? 1 : 0,
      gpu.memoryUsedMiB,
      2,
      0,
      0,
      0,
      0,
      gpu.pcieRxMBps,
      gpu.pcieTxMBps,
    ];
    return `${line(String(gpu.index), cells.map(String))}\n`;
  }
}

interface DmonStream {
  readonly channel: ServerChannel;
  rows: number;
}

const HEADER = `${line('# gpu', NAMES.split(' '))}\n${line('# Idx', UNITS.split(' '))}\n`;

/** Right-aligned and ended with a blank, as dmon prints it. */
function line(first: string, cells: readonly string[]): string {
  return `${first.padStart(5)}${cells.map((cell) => cell.padStart(7)).join('')} `;
}

function answer(channel: ServerChannel, mark: string, stdout: string): void {
  channel.write(`${stdout}${mark} 0\n`);
  channel.exit(0);
  channel.end();
}

/** `ssh-ed25519 AAAA…` → the key itself. */
function publicBlobOf(line: string): Buffer {
  return Buffer.from(line.split(' ')[1] ?? '', 'base64');
}
