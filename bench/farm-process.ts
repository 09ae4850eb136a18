// The boxes of a benchmark, seen from the benchmark: fleet-farm.ts runs them in a process of their own.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { writeFarmFolder } from '../e2e/fixtures/farm-folder.ts';
import type { FarmOrder, FarmReport, FarmRequest, WireAddresses } from './fleet-farm.ts';

/** Real boxes are elsewhere: these must not take the processor from what is measured. */
const FARM_NICE = 10;

export interface Boxes {
  readonly process: ChildProcess;
  readonly addresses: WireAddresses;
}

export async function startBoxes(order: FarmOrder): Promise<Boxes> {
  const child = fork(fileURLToPath(new URL('./fleet-farm.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  });
  child.send(order);
  const [addresses] = (await once(child, 'message')) as [WireAddresses];
  setPriority(child.pid ?? 0, FARM_NICE);
  return { process: child, addresses };
}

/** A data folder that knows these boxes; answers their ids in the order of the boxes. */
export function writeBoxes(folder: string, { addresses }: Boxes): readonly string[] {
  const hostKey = Buffer.from(addresses.hostKey, 'base64');
  return writeFarmFolder(folder, { ...addresses, hostKey });
}

export const tell = ({ process: child }: Boxes, request: FarmRequest): void =>
  void child.send(request);

export async function askBoxes(boxes: Boxes): Promise<FarmReport> {
  const answer = once(boxes.process, 'message') as Promise<[FarmReport]>;
  tell(boxes, 'report');
  return (await answer)[0];
}

export async function endBoxes(boxes: Boxes): Promise<void> {
  const gone = once(boxes.process, 'exit');
  tell(boxes, 'end');
  await gone;
}
