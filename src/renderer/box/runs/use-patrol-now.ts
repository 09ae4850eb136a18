import { useState } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';

/** A patrol that the person asks for; why it brought nothing is part of the stream, and why it never began is here. */
export function usePatrolNow(boxId: string): {
  readonly refusal: Problem | null;
  readonly start: () => void;
} {
  const [refused, setRefused] = useState<{ boxId: string; problem: Problem } | null>(null);
  return {
    refusal:
      refused?.boxId === boxId && NEVER_BEGAN.has(refused.problem.code) ? refused.problem : null,
    start: () => {
      setRefused(null);
      void call('patrol:now', { boxId }).then((answer) => {
        if (!answer.ok) setRefused({ boxId, problem: answer.error });
      });
    },
  };
}

const NEVER_BEGAN: ReadonlySet<string> = new Set(['not-connected', 'no-such-box', 'internal']);
