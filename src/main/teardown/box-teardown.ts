import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { SHUT, type GateState } from '../../shared/teardown/gate.ts';
import type { ProviderLine } from '../../shared/teardown/provider-said.ts';
import type { TeardownDoing } from '../../shared/teardown/teardown-view.ts';
import type { BoxInspector } from './box-inspector.ts';

/** What Leasehold is doing of its own accord: it gives way to whatever a person asks for. */
export interface OwnTurn {
  /** A look at the box after something came home, or a question to the provider and the address. */
  readonly kind: 'look' | 'question';
  /** A person was first. */
  isStopped: boolean;
  done: Promise<Result<null, Problem>>;
}

/** What is kept of the end of one box while Leasehold runs. */
export interface BoxTeardown {
  gate: GateState;
  doing: TeardownDoing | null;
  readonly inspector: BoxInspector;
  /** Something came home that no look has seen yet. */
  isOld: boolean;
  byItself: OwnTurn | null;
  /** How many verbs are changing the box right now, and how many have. */
  changing: number;
  changed: number;
  stopper: AbortController | null;
  /** Ends a yes whose time is over, also where nobody does anything. */
  timer: NodeJS.Timeout | undefined;
  /** Ends in a look once nothing was changed for a while; null: there is nothing to look at anew. */
  quiet: NodeJS.Timeout | null;
  /** The newest entry of the evidence about its end that this Leasehold knows. */
  known: number;
  /** The entry of the evidence that says that it is gone. */
  receipt: number | null;
  /** What the provider said since the yes, each time that it said something else. */
  readonly told: ProviderLine[];
}

export const untouchedTeardown = (inspector: BoxInspector): BoxTeardown => ({
  ...{
    gate: SHUT,
    doing: null,
    inspector,
    isOld: false,
    byItself: null,
    ...{ changing: 0, changed: 0 },
    stopper: null,
    timer: undefined,
    quiet: null,
  },
  ...{ known: 0, receipt: null, told: [] },
});

/** Of a provider that changes its mind all the time, the answer to the order and the newest are kept. */
const MAX_TOLD = 50;

export function tellLine({ told }: BoxTeardown, line: ProviderLine): void {
  const last = told.at(-1);
  if (last?.kind === line.kind && last.says === line.says) return;
  if (told.length >= MAX_TOLD) told.splice(1, 1);
  told.push(line);
}
