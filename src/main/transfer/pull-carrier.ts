import { constants } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PullWay } from '../../shared/transfer/pull-way.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { FastLane } from '../ssh/fast-lane.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { MOST_STREAMS } from './receive-in-pieces.ts';

const BOUNDS: CarrierBounds = {
  /** A second log-in takes as long as the link's own way takes for this. */
  worthBytes: 16 * 1024 * 1024,
  /** The same for a box that is far: a log-in is a dozen round trips. */
  worthFarBytes: 64 * 1024 * 1024,
  /** OpenSSH has 2 MiB of a stream on their way at a time: with a longer round trip that is less than it decrypts, and several go at once. */
  farMs: 30,
  /** One core of any box compresses text faster. */
  slowBytesPerS: 20 * 1024 * 1024,
};
/** Of the link's own way where the box is far: 160 MB/s over a round trip of 100 ms. */
const FAR_IN_FLIGHT_BYTES = 16 * 1024 * 1024;
/** At a time; sshd gives a connection ten sessions unless it is told otherwise. */
const STREAMS = 4;
/** A busy moment makes one answer late, not each. */
const ROUND_TRIPS = 3;
/** A box that prints something around its commands does not print more of it. */
const MAX_HELLO_BYTES = 64 * 1024;

/** A test has little to bring, and a machine that may be too busy to answer soon. */
export interface CarrierBounds {
  readonly worthBytes: number;
  readonly worthFarBytes: number;
  readonly farMs: number;
  readonly slowBytesPerS: number;
}

export interface CarrierOptions {
  readonly connection: SshConnection;
  /** Of what is to come. */
  readonly bytes: number;
  /** Its rate is: OpenSSH would write to the disk past whoever counts. */
  readonly isLimited: boolean;
  readonly signal: AbortSignal;
  readonly onWay: (way: PullWay) => void;
  readonly bounds?: CarrierBounds;
}

/** What the output of an on-box script is to do with a file here. */
export interface IntoFile {
  readonly path: string;
  readonly rest: string;
  readonly mostBytes: number;
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

type Script = Parameters<OnboxScripts['receive']>[1];
type Values = Parameters<OnboxScripts['receive']>[2];

/**
 * What carries the bytes of a pull: the system's OpenSSH, which writes them to the disk past main, where that is possible and faster; else
 * the link's own connection, which is always there. What OpenSSH did not bring to its end, the own connection goes on with.
 */
export class PullCarrier {
  readonly inFlightBytes: number | undefined;
  /** It answers late. */
  readonly isFar: boolean;
  /** A slower link is worth compressing for. */
  readonly slowBytesPerS: number;
  /** For one large file: with one of them too little is on its way where the box is far. */
  readonly streams: number;
  readonly #onWay: (way: PullWay) => void;
  readonly #lane: FastLane | null;
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #isOver: boolean;

  private constructor(
    lane: FastLane | null,
    isFar: boolean,
    { onWay, bounds = BOUNDS }: CarrierOptions,
  ) {
    this.#lane = lane;
    this.isFar = isFar;
    this.slowBytesPerS = bounds.slowBytesPerS;
    this.#isOver = lane === null;
    this.inFlightBytes = isFar ? FAR_IN_FLIGHT_BYTES : undefined;
    this.streams = isFar && lane !== null ? MOST_STREAMS : 1;
    this.#free = isFar ? MOST_STREAMS : STREAMS;
    this.#onWay = onWay;
  }

  static async open(options: CarrierOptions): Promise<PullCarrier> {
    const { connection, bytes, isLimited, signal, onWay, bounds = BOUNDS } = options;
    const own = (because: PullWay['because'], isFar: boolean): PullCarrier => {
      onWay({ over: 'own', because });
      return new PullCarrier(null, isFar, options);
    };
    if (bytes < bounds.worthBytes) return own('little', false);
    if (isLimited) return own('limited', false);
    const isFar = (await roundTripMs(connection)) > bounds.farMs;
    if (isFar && bytes < bounds.worthFarBytes) return own('little', true);
    const opened = await connection.openFastLane(signal);
    if (!opened.ok) return own('not-possible', isFar);
    const lane = opened.value;
    // What is found to be silent over the link is silent over this too, and would say so much later.
    void connection.closed.then(() => lane.close());
    if (!(await isClean(lane, signal))) {
      lane.close();
      await lane.gone;
      return own('not-possible', isFar);
    }
    onWay({ over: 'openssh', because: isFar ? 'far' : 'fast' });
    return new PullCarrier(lane, isFar, options);
  }

  /**
   * True: a script ran to its end over OpenSSH, and what it printed lies at the end of the file. False: this way is not, or no longer, to be
   * had, and some of it may lie there.
   */
  async receive(
    scripts: OnboxScripts,
    script: Script,
    values: Values,
    file: IntoFile,
  ): Promise<boolean> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#receive(scripts, script, values, file);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  /** When this settles nothing writes here any more: the ssh that holds the files is gone. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#lane?.close();
    await this.#lane?.gone;
  }

  async #receive(
    scripts: OnboxScripts,
    script: Script,
    values: Values,
    { path, rest, mostBytes, onBytes, signal }: IntoFile,
  ): Promise<boolean> {
    const lane = this.#lane;
    if (lane === null || this.#isOver) return false;
    // SECURITY: a link that somebody laid in its place is not written through.
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
    const into = await open(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW);
    try {
      const ofScript = { ...values, LEASEHOLD_BARE: 'yes' } as const;
      const received = await scripts.receive(lane, script, ofScript, rest, {
        ...{ into, mostBytes, onBytes, signal },
      });
      if (!received.ok) await this.#leave(signal);
      return received.ok;
    } finally {
      await into.close();
    }
  }

  async #leave(signal: AbortSignal): Promise<void> {
    const isFirst = !this.#isOver;
    await this.close();
    if (isFirst && !signal.aborted) this.#onWay({ over: 'own', because: 'ended' });
  }
}

/** The shortest of a few; of a link that does not answer any more, none: whoever uses it next is told. */
async function roundTripMs(connection: SshConnection): Promise<number> {
  let shortestMs = Infinity;
  for (let no = 0; no < ROUND_TRIPS; no += 1) {
    const beganMs = performance.now();
    if (!(await connection.prove())) return Infinity;
    shortestMs = Math.min(shortestMs, performance.now() - beganMs);
  }
  return shortestMs;
}

/** Whether a command's bytes arrive alone: no start-up file prints before them, and nothing changes them on the way. */
async function isClean(lane: FastLane, signal: AbortSignal): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'leasehold-hello-'));
  try {
    const path = join(folder, 'hello');
    const into = await open(path, 'a');
    try {
      const mark = newMark();
      const received = await lane.receive('cat', {
        ...{ input: `${mark}\n`, into, mostBytes: MAX_HELLO_BYTES, signal },
        onBytes: () => undefined,
      });
      return received.ok && (await readFile(path, 'utf8')) === `${mark}\n`;
    } finally {
      await into.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
