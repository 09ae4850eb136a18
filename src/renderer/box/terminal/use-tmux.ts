import { useCallback, useEffect, useState } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import type { TmuxSession } from '../../../shared/terminal/terminal.ts';
import { call } from '../../state/bridge.ts';

export type TmuxFeed =
  | { readonly kind: 'asking' }
  | { readonly kind: 'not-installed' }
  | {
      readonly kind: 'listed';
      readonly sessions: readonly TmuxSession[];
      readonly leftOut: number;
    }
  | { readonly kind: 'failed'; readonly problem: Problem };

const ASKING: TmuxFeed = { kind: 'asking' };

/** The box's tmux sessions, asked when the page is shown and when the person asks again; never on a timer. */
export function useTmux(boxId: string): { readonly feed: TmuxFeed; readonly refresh: () => void } {
  const [feed, setFeed] = useState<TmuxFeed>(ASKING);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    void fetchSessions(boxId).then((next) => isCurrent && setFeed(next));
    return () => {
      isCurrent = false;
    };
  }, [boxId, turn]);
  const refresh = useCallback(() => setTurn((last) => last + 1), []);
  return { feed, refresh };
}

async function fetchSessions(boxId: string): Promise<TmuxFeed> {
  const answer = await call('tmux:list', { boxId });
  if (!answer.ok) return { kind: 'failed', problem: answer.error };
  const listing = answer.value;
  if (listing.kind === 'not-installed') return { kind: 'not-installed' };
  const { sessions, leftOut } = listing;
  return { kind: 'listed', sessions, leftOut };
}
