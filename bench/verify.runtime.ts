// Files proven as a worker proves them, in the runtime that workers of the window have.
import { proveFile } from '../src/main/workers/prove-file.ts';

export interface VerifyOrder {
  readonly path: string;
  /** Null: the hash alone. */
  readonly name: string | null;
}

export interface VerifyAnswer {
  /** Of a core. */
  readonly ms: number;
  readonly sha256: string;
  /** What was found, for a benchmark that would else measure a refusal. */
  readonly found: string;
  /** The most memory that this process has ever had. */
  readonly peakMiB: number;
}

process.on('message', (message) => {
  if (message === 'end') process.exit(0);
  void prove(message as VerifyOrder).then((answer) => process.send?.(answer));
});

async function prove(order: VerifyOrder): Promise<VerifyAnswer> {
  const began = process.cpuUsage();
  const { sha256, loaded } = await proveFile(order, () => undefined);
  const { user, system } = process.cpuUsage(began);
  return {
    ms: (user + system) / 1000,
    sha256,
    found: loaded?.kind ?? 'not asked',
    peakMiB: process.resourceUsage().maxRSS / 1024,
  };
}
