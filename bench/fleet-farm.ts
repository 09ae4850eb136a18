// The boxes of fleet.bench.ts, in a process of their own: what they cost is not what is measured.
import { startFarm, type Farm, type PrintedCycle } from '../src/main/demo/box-farm.fixture.ts';
import type { FarmAddresses } from '../e2e/fixtures/farm-folder.ts';

export interface FarmOrder {
  readonly boxes: number;
  readonly gpuCount: number;
}

export type FarmRequest = 'hold' | 'go on' | 'report' | 'end';

export interface FarmReport {
  readonly printed: readonly (readonly PrintedCycle[])[];
  readonly unexpected: readonly string[];
}

/** Never twice the same within a minute, and nothing that another figure of the window shows. */
export const smPctOf = (sample: number): number => 50 + ((sample * 7) % 50);

const PLATFORMS = ['runpod', 'vastai', 'autodl', 'lambda', 'slurm', 'generic-ssh'];

if (process.send !== undefined) process.once('message', (order) => void run(order as FarmOrder));

async function run({ boxes, gpuCount }: FarmOrder): Promise<void> {
  const farm = await startFarm(
    Array.from({ length: boxes }, (_none, i) => ({
      name: `box-${String(i).padStart(3, '0')}`,
      platform: PLATFORMS[i % PLATFORMS.length] ?? '',
      model: 'H100-80GB-HBM3',
      gpuCount,
      load: 'training',
    })),
    { smPctOf },
  );
  const { user, clientKey } = farm;
  const hostKey = farm.hostKey.toString('base64');
  process.send?.({ boxes: farm.boxes, user, clientKey, hostKey });
  process.on('message', (request) => void obey(farm, request as FarmRequest));
}

async function obey(farm: Farm, request: FarmRequest): Promise<void> {
  switch (request) {
    case 'hold':
    case 'go on':
      farm.hold(request === 'hold');
      return;
    case 'report':
      process.send?.({
        printed: farm.boxes.map((_box, i) => farm.printed(i)),
        unexpected: farm.unexpected,
      } satisfies FarmReport);
      return;
    case 'end':
      await farm.stop();
      process.exit(0);
  }
}

export type WireAddresses = Omit<FarmAddresses, 'hostKey'> & { readonly hostKey: string };
