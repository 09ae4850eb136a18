import { showHidden } from '../../../shared/terminal/visible-text.ts';
import type { GpuProcess } from '../../../shared/telemetry/gpu-facts.ts';
import type {
  EndedProcess,
  EndSignal,
  GpuHolder,
  HolderGuard,
} from '../../../shared/telemetry/gpu-holders.ts';
import { formatDuration, formatGiB, UNKNOWN } from '../../ui/format.ts';

/** What is known of what runs: the command line, or the name that nvidia-smi gives to a process it cannot look at. */
export function commandOf({ command, name }: GpuProcess): string {
  return showHidden(command ?? name);
}

/** SAFETY: a process that is not visible here may have a number that means another one in this container. */
export function isVisible({ command }: GpuProcess): boolean {
  return command !== null;
}

/** TERM, so that the program can still save what it has. */
export function killCommand({ pid }: Pick<GpuProcess, 'pid'>): string {
  return `kill ${pid}`;
}

/** The row as a line for a chat or a ticket, cells between tabs. */
export function rowText(index: number | null, process: GpuProcess): string {
  return [
    `GPU ${index ?? UNKNOWN}`,
    String(process.pid),
    showHidden(process.user ?? UNKNOWN),
    process.memoryMiB === null ? UNKNOWN : `${formatGiB(process.memoryMiB)} GiB`,
    ageWords(process.ageS),
    commandOf(process),
  ].join('\t');
}

export function ageWords(ageS: number | null): string {
  return ageS === null ? UNKNOWN : formatDuration(ageS * 1000);
}

/** The kernel's letters, for people. */
const STATES: Readonly<Record<string, string>> = {
  R: 'running',
  S: 'sleeping',
  D: 'waiting in the kernel',
  T: 'stopped',
  t: 'stopped by a debugger',
  Z: 'ended, not collected',
  I: 'idle',
};

export function stateWords(state: string | null): string {
  return state === null ? UNKNOWN : (STATES[state] ?? state);
}

const GUARD_WORDS: Readonly<Record<HolderGuard, string>> = {
  init: 'Process 1: ending it ends the container.',
  'own-session': 'Leasehold’s own session on this box.',
  'driver-service': 'A service of the driver. It holds the card without memory.',
  'no-identity': 'The box does not tell when it began, so it cannot be told from another one.',
  zombie: 'Has ended already. Only its parent can take it off the list.',
};

/** Whatever a person should know before ending this one. */
export function holderNotes(holder: GpuHolder): readonly string[] {
  if (holder.guard !== null) return [GUARD_WORDS[holder.guard]];
  return [
    ...(holder.isListed === true ? ['nvidia-smi lists it: probably a running job.'] : []),
    ...(holder.isListed === null ? ['Whether it is a running job is not known.'] : []),
    ...(holder.mayBeEnded === false ? ['Belongs to another user: the box will refuse.'] : []),
    ...(holder.state === 'D' ? ['Waits inside the driver, where no signal reaches it.'] : []),
  ];
}

/** Whether the parent lives; a leftover usually has none. */
export function parentWords({ parentPid, parentCommand }: GpuHolder): string {
  if (parentPid === null) return 'parent unknown';
  if (parentPid === 1) return 'parent gone: adopted by process 1';
  return parentCommand === null
    ? `parent ${parentPid} is not visible`
    : `parent ${parentPid}: ${showHidden(parentCommand)}`;
}

/** What became of one process, and what follows from it. */
export function outcomeWords({ outcome, state }: EndedProcess, signal: EndSignal): string {
  switch (outcome) {
    case 'ended':
      return 'Ended.';
    case 'gone':
      return 'Had ended by itself before.';
    case 'other':
      return 'Left alone: another process has this number by now.';
    case 'denied':
      return 'Refused by the box: it belongs to another user. Only that user or root can end it.';
    case 'protected':
      return 'Left alone: it belongs to Leasehold’s own session, or is process 1.';
    case 'left':
      if (state === 'D')
        return 'Still there: it waits inside the driver, where no signal reaches it. Restart the container or the box.';
      return signal === 'KILL'
        ? 'Still there, although it was told to end at once. Restart the container or the box.'
        : `Still there (${stateWords(state)}). It was asked to end and did not.`;
  }
}
