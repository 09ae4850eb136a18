// Runs in Electron's own runtime: how long a box takes to answer a call, first when all is quiet, then while one of two boxes floods main.
import type { LookBeside } from '../src/shared/patrol/look-detector.ts';
import { OnboxScripts } from '../src/main/onbox/onbox-scripts.ts';
import { openTo } from '../src/main/ssh/hostile-meeting.fixture.ts';
import {
  HOSTILE_READERS,
  STILL_HERE,
  type HostileReaderName,
} from '../src/main/ssh/hostile-readers.fixture.ts';
import type { SshConnection } from '../src/main/ssh/ssh-connection.ts';

export interface FloodOrder {
  readonly reader: HostileReaderName;
  readonly floodingPort: number;
  readonly otherPort: number;
  readonly scriptsFolder: string;
  readonly beside: LookBeside;
  readonly calls: number;
}

/** In milliseconds, of each call. */
export interface CallTimes {
  readonly flooding: readonly number[];
  readonly other: readonly number[];
}

export interface FloodFigures {
  readonly quiet: CallTimes;
  readonly flooded: CallTimes;
}

export async function timeCalls(order: FloodOrder): Promise<FloodFigures> {
  const { reader, scriptsFolder, beside, calls } = order;
  const [flooding, other] = await Promise.all([
    linkTo(order.floodingPort),
    linkTo(order.otherPort),
  ]);
  const timeAll = async (): Promise<CallTimes> => {
    const times = { flooding: [] as number[], other: [] as number[] };
    for (let call = 0; call < calls; call += 1) {
      times.flooding.push(await timeOf(flooding));
      times.other.push(await timeOf(other));
    }
    return times;
  };
  // What is loaded and compiled with the first calls is no part of any of them.
  await timeAll();
  const quiet = await timeAll();
  // With its link it is over, and tells nobody.
  void HOSTILE_READERS[reader].read({
    ...{ connection: flooding, beside },
    scripts: new OnboxScripts(scriptsFolder),
  });
  await timeAll();
  const flooded = await timeAll();
  for (const link of [flooding, other]) link.close();
  await Promise.all([flooding.closed, other.closed]);
  return { quiet, flooded };
}

async function linkTo(port: number): Promise<SshConnection> {
  const opened = await openTo(port);
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

async function timeOf(link: SshConnection): Promise<number> {
  const beganMs = performance.now();
  const answer = await link.run('true');
  if (!answer.ok || answer.value.stdout.trim() !== STILL_HERE) throw new Error('no answer');
  return performance.now() - beganMs;
}
