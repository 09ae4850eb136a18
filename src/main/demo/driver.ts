import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GpuModelName } from '../../shared/demo/gpu-models.ts';
import {
  renderDriverTable,
  renderHolders,
  renderProcesses,
  type GpuIdentity,
  type GpuProcess,
} from './gpu/driver-table.ts';
import { advanceGpu, createGpu, type GpuState, type Load } from './gpu/gpu-physics.ts';
import type { BoxFolders } from './home.ts';
import { createRandom } from './random.ts';
import { replaceFile } from './replace-file.ts';

/** Invented addresses in the order of an eight-GPU board. */
const BUSES = ['19', '3B', '4C', '5D', '9B', 'BB', 'CB', 'DB'];

export interface DriverInputs {
  readonly load: Load;
  readonly process: GpuProcess | null;
  /** Holds memory of GPU 0 without being listed. */
  readonly stray: { readonly pid: number } | null;
  readonly isThrottled: boolean;
  readonly isLastGpuLost: boolean;
}

interface DriverOptions {
  readonly seed: number;
  /** What its figures are drawn by. */
  readonly random?: () => number;
  /** What the last card may draw of its usual limit. */
  readonly lastLimitShare?: number;
}

/** The simulated driver: keeps the state of all cards and lets the tools on the box read it from files. */
export class Driver {
  readonly #sysFolder: string;
  readonly #identities: readonly GpuIdentity[];
  readonly #random: () => number;
  #gpus: readonly GpuState[];
  readonly #published = new Map<string, string>();

  constructor(
    sysFolder: string,
    model: GpuModelName,
    count: number,
    { seed, random = createRandom(seed), lastLimitShare = 1 }: DriverOptions,
  ) {
    this.#sysFolder = sysFolder;
    this.#random = random;
    this.#gpus = Array.from({ length: count }, (_, index) =>
      createGpu(index, model, index === count - 1 ? lastLimitShare : 1),
    );
    this.#identities = this.#gpus.map(({ index }) => identify(index, seed));
  }

  get gpus(): readonly GpuState[] {
    return this.#gpus;
  }

  identityOf(index: number): GpuIdentity | null {
    return this.#identities[index] ?? null;
  }

  /** What loading a driver brings: a device node for each card, and which card it leads to. */
  async makeNodes({ dev, proc }: Pick<BoxFolders, 'dev' | 'proc'>): Promise<void> {
    for (const [minor, { uuid, busId }] of this.#identities.entries()) {
      const folder = join(proc, 'driver/nvidia/gpus', busId.slice(4).toLowerCase());
      await mkdir(folder, { recursive: true });
      await writeFile(
        join(folder, 'information'),
        `GPU UUID: \t ${uuid}\nDevice Minor: \t ${minor}\n`,
      );
      await writeFile(join(dev, `nvidia${minor}`), '');
    }
  }

  async advance(elapsedS: number, inputs: DriverInputs, now: Date): Promise<void> {
    this.#gpus = this.#gpus.map((gpu) =>
      advanceGpu(gpu, {
        load: this.#isLost(gpu, inputs) ? 'idle' : inputs.load,
        isThrottled: inputs.isThrottled && gpu.index === 0,
        isHeldByStray: inputs.stray !== null && gpu.index === 0,
        elapsedS,
        random: this.#random,
      }),
    );
    const rows = this.#gpus.map((state, place) => ({
      state,
      identity: this.#identities[place] ?? identify(place, 0),
      isLost: this.#isLost(state, inputs),
    }));
    await replaceFile(join(this.#sysFolder, 'gpus.tsv'), renderDriverTable(rows, now));
    const held = this.#gpus.filter((gpu) => !this.#isLost(gpu, inputs));
    await this.#publishChange('gpu-processes.tsv', renderProcesses(held, inputs.process));
    await this.#publishChange('gpu-holders.tsv', renderHolders(held, inputs.process, inputs.stray));
  }

  async #publishChange(name: string, text: string): Promise<void> {
    if (this.#published.get(name) === text) return;
    this.#published.set(name, text);
    await replaceFile(join(this.#sysFolder, name), text);
  }

  #isLost({ index }: GpuState, { isLastGpuLost }: DriverInputs): boolean {
    return isLastGpuLost && index === this.#gpus.length - 1;
  }
}

function identify(index: number, seed: number): GpuIdentity {
  const hash = createHash('sha256').update(`${seed}/${index}`).digest('hex');
  const uuid = [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20)];
  return {
    uuid: `GPU-${uuid.join('-')}-${hash.slice(20, 32)}`,
    busId: `00000000:${BUSES[index] ?? '00'}:00.0`,
    serial: `16${String(parseInt(hash.slice(32, 42), 16))
      .padStart(13, '0')
      .slice(0, 11)}`,
  };
}
