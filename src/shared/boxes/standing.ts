import type { Problem } from '../problem.ts';
import { unreachable } from '../result.ts';
import type { FleetEntry } from '../streams/fleet-stream.ts';
import type { BoxLoad } from '../telemetry/box-load.ts';
import type { LinkQuestion } from './box.ts';
import { isNoCommands } from './flavour/no-commands.ts';
import { isSignInFailed } from './sign-in-failed.ts';

/** How a box stands right now. */
export type Standing =
  | { readonly kind: 'not-connected' }
  | { readonly kind: 'connecting' }
  /** A log-in waits for the person's answer. */
  | { readonly kind: 'asking' }
  /** The link is down and tries again by itself. */
  | { readonly kind: 'retrying'; readonly attempt: number; readonly retryAtMs: number }
  | { readonly kind: LinkQuestion['kind'] }
  /** The link is down until the person acts. */
  | { readonly kind: 'stopped' }
  /** The box does not let the person in. */
  | { readonly kind: 'sign-in-failed' }
  | { readonly kind: 'readings-failed'; readonly problem: Problem }
  /** The way in is for terminals: what its GPUs do cannot be known, and nobody has to act. */
  | { readonly kind: 'no-commands' }
  | { readonly kind: 'readings-off' }
  | { readonly kind: 'first-sample' }
  | BoxLoad;

/** What is counted together where there is no room for more. What needs a person comes first. */
export const standingGroups = [
  'needs-you',
  'in-trouble',
  'working',
  'idle',
  'connecting',
  'unknown',
  'not-connected',
] as const;
export type StandingGroup = (typeof standingGroups)[number];

/** `isAsking`: some question about this box is open. */
export function judgeStanding(entry: FleetEntry, isAsking = false): Standing {
  const { link } = entry;
  switch (link.kind) {
    case 'idle':
      return { kind: 'not-connected' };
    case 'connecting':
      return { kind: isAsking ? 'asking' : 'connecting' };
    case 'waiting':
      return { kind: 'retrying', attempt: link.attempt, retryAtMs: link.retryAtMs };
    case 'host-key-unknown':
    case 'host-key-changed':
    case 'host-key-revoked':
      return { kind: link.kind };
    case 'down':
      return { kind: isSignInFailed(link.problem) ? 'sign-in-failed' : 'stopped' };
    case 'up':
      return judgeGpus(entry);
    default:
      return unreachable(link);
  }
}

function judgeGpus({ telemetry, load }: FleetEntry): Standing {
  if (telemetry.kind === 'failed') {
    const { problem } = telemetry;
    return isNoCommands(problem) ? { kind: 'no-commands' } : { kind: 'readings-failed', problem };
  }
  if (telemetry.kind === 'off') return { kind: 'readings-off' };
  return load ?? { kind: 'first-sample' };
}

const GROUPS: Readonly<Record<Standing['kind'], StandingGroup>> = {
  'not-connected': 'not-connected',
  connecting: 'connecting',
  asking: 'needs-you',
  retrying: 'in-trouble',
  'host-key-unknown': 'needs-you',
  'host-key-changed': 'needs-you',
  'host-key-revoked': 'needs-you',
  stopped: 'needs-you',
  'sign-in-failed': 'needs-you',
  'readings-failed': 'needs-you',
  'no-commands': 'unknown',
  'readings-off': 'unknown',
  'first-sample': 'unknown',
  stale: 'in-trouble',
  unreported: 'unknown',
  working: 'working',
  idle: 'idle',
  'partly-reported': 'unknown',
};

export function groupOf({ kind }: Standing): StandingGroup {
  return GROUPS[kind];
}

export const standingGroupWords: Readonly<Record<StandingGroup, string>> = {
  'needs-you': 'need action',
  'in-trouble': 'in trouble',
  working: 'working',
  idle: 'idle',
  connecting: 'connecting',
  unknown: 'unknown',
  'not-connected': 'not connected',
};

/** `1 needs action, 5 working, 1 idle`; what is not there is left out. */
export function countStandings(entries: readonly FleetEntry[]): string {
  const groups = entries.map((entry) => groupOf(judgeStanding(entry)));
  return standingGroups
    .flatMap((group) => {
      const count = groups.filter((each) => each === group).length;
      if (count === 0) return [];
      const words =
        group === 'needs-you' && count === 1 ? 'needs action' : standingGroupWords[group];
      return [`${String(count)} ${words}`];
    })
    .join(', ');
}
