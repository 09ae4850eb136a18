import { useCallback, useEffect, useState } from 'react';
import type { RereadNow } from '../../../../../shared/evidence/reread.ts';
import type { Problem } from '../../../../../shared/problem.ts';
import type { Result } from '../../../../../shared/result.ts';
import type { RunProof } from '../../../../../shared/transfer/pull.ts';
import { call } from '../../../../state/bridge.ts';

export interface Reported {
  /** The numbers that were kept last, as they stand now; null: they are being read. */
  readonly answer: Result<RereadNow | null, Problem> | null;
  readonly again: () => void;
}

/** An answer to an earlier question says nothing about now. */
interface Answered {
  readonly question: string;
  readonly answer: NonNullable<Reported['answer']>;
}

/** The numbers of a run that a person reports: each look reads them again from the copy on this computer. */
export function useReported(boxId: string, proof: RunProof | null): Reported {
  const [answered, setAnswered] = useState<Answered | null>(null);
  const [asked, setAsked] = useState(0);
  const runId = proof?.report.runId ?? null;
  const question = [boxId, runId, proof?.seq, asked].join(' ');
  useEffect(() => {
    if (runId === null) return undefined;
    let isThere = true;
    void call('evidence:reported', { boxId, runId }).then((next) => {
      if (isThere) setAnswered({ question, answer: next });
    });
    return () => {
      isThere = false;
    };
  }, [boxId, runId, question]);
  const answer = answered?.question === question ? answered.answer : null;
  return { answer, again: useCallback(() => setAsked((before) => before + 1), []) };
}
