import type { RunPreflight } from './run-preflight.ts';

/** These start several processes and set the threads of each, but only where nobody has said a number. */
const LAUNCHER =
  /\b(torchrun|torch\.distributed\.(?:run|launch)|accelerate\s+launch|deepspeed|mpirun|mpiexec)\b/;

/** What of a command shares the CPUs among processes of its own; null: nothing that is known. */
export function launcherOf(command: string): string | null {
  return LAUNCHER.exec(command)?.[1]?.replace(/\s+/, ' ') ?? null;
}

/**
 * How many threads a run may use, of several at once each; null: as many as the host has CPUs, not known, or left to what starts its
 * processes.
 */
export function threadCap(
  commands: readonly string[],
  { cpu }: Pick<RunPreflight, 'cpu'>,
  atOnce = 1,
): number | null {
  const quota = cpu?.quotaCpus ?? null;
  const host = cpu?.hostCpus ?? null;
  const isWhole = quota === 'unlimited' || (quota !== null && host !== null && quota >= host);
  const cpus = isWhole ? host : quota;
  if (typeof cpus !== 'number' || (isWhole && atOnce === 1)) return null;
  if (commands.some((command) => launcherOf(command) !== null)) return null;
  return Math.max(1, Math.floor(cpus / atOnce));
}

/** For job.sh: what is set already stays, whoever has set it. */
export function threadLines(cap: number): readonly string[] {
  const others = ['MKL_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMEXPR_NUM_THREADS'];
  return [
    '# As many threads as the box grants CPUs, where nothing has said how many (U40).',
    `export OMP_NUM_THREADS="\${OMP_NUM_THREADS:-${String(cap)}}"`,
    ...others.map((name) => `export ${name}="\${${name}:-$OMP_NUM_THREADS}"`),
  ];
}
