import { z } from 'zod';
import { rememberedPatch } from '../settings/remembered.ts';
import { settingsPatchSchema } from '../settings/settings.ts';
import type { IpcOutputs } from './contract.ts';
import type { StreamName } from './streams.ts';

export const streamNames = [
  'fleet',
  'readings',
  'gpu-facts',
  'gpu-marks',
  'figures',
  'findings',
  'alerts',
  'alert-log',
  'patrol',
  'launched-runs',
  'run-events',
  'run-log',
  'pushes',
  'pulls',
  'behind',
  'continuous-pulls',
  'named-folders',
  'teardowns',
  'file-transfers',
  'rehearsals',
  'run-metrics',
  'run-queue',
  'sweeps',
  'sweep',
  'sentinels',
  'sparks',
  'meter',
  'clocks',
  'webhook',
  'settings',
  'remembered',
  'notices',
  'demo',
  'questions',
  'key-offers',
  'tunnels',
  'ssh-config',
  'profiles',
] as const satisfies readonly StreamName[];

/**
 * The part of the contract that is answered before anything acts. Apart from the rest, whose schemas the first picture would
 * otherwise wait for (docs/decisions/0007).
 */
export const foundationInputs = {
  /** Shows the log file in the system's file manager. */
  'app:show-log': z.strictObject({}),
  /** The window shows the fleet: what nobody waits for may start now. */
  'app:shown': z.strictObject({}),
  /** The window tells main what broke in it, so that it reaches the log. */
  'app:report-crash': z.strictObject({
    message: z.string().max(2000),
    stack: z.string().max(20_000),
  }),
  'app:quit': z.strictObject({}),
  /** Answers the snapshot and starts the deltas; the way to heal a gap is to open again. */
  'stream:open': z.strictObject({ stream: z.enum(streamNames), key: z.string().max(100) }),
  'stream:close': z.strictObject({ subscription: z.int().min(1) }),
  'settings:change': z.strictObject({ patch: settingsPatchSchema }),
  /** What the window remembers by itself; on the disk soon, and never refused. */
  'remembered:change': z.strictObject({ patch: rememberedPatch }),
  'notice:dismiss': z.strictObject({ id: z.string().max(100) }),
} satisfies Partial<Record<keyof IpcOutputs, z.ZodType>>;

export type FoundationChannel = keyof typeof foundationInputs;
