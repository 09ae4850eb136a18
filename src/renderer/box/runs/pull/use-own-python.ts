import { useEffect, useRef, useState } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import type { PulledFile } from '../../../../shared/transfer/pull.ts';
import type { PythonAnswer } from '../../../../shared/verify/python-answer.ts';
import { call } from '../../../state/bridge.ts';

export interface OwnPython {
  /** Null: none was chosen; undefined: not known yet. */
  readonly python: string | null | undefined;
  readonly answers: ReadonlyMap<string, PythonAnswer>;
  /** Which file it loads at the moment. */
  readonly loading: string | null;
  readonly refusal: Problem | null;
  readonly choose: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: () => void;
}

const NONE: ReadonlyMap<string, PythonAnswer> = new Map();

/** One file after the other: each may take as much memory as it is large. What is closed is stopped. */
export function useOwnPython(
  boxId: string,
  runId: string,
  files: readonly PulledFile[],
): OwnPython {
  const [python, setPython] = useState<string | null>();
  const [answers, setAnswers] = useState(NONE);
  const [loading, setLoading] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const isStopped = useRef(true);
  const stop = (): void => {
    if (isStopped.current) return;
    isStopped.current = true;
    void call('evidence:stop-python', {});
  };
  useEffect(() => {
    void call('evidence:python', {}).then((chosen) => {
      if (chosen.ok) setPython(chosen.value);
      else setRefusal(chosen.error);
    });
    return stop;
  }, []);
  const choose = async (): Promise<void> => {
    const chosen = await call('evidence:choose-python', {});
    setRefusal(chosen.ok ? null : chosen.error);
    if (!chosen.ok || chosen.value === python) return;
    setPython(chosen.value);
    // Another one may say otherwise.
    setAnswers(NONE);
  };
  const start = async (): Promise<void> => {
    isStopped.current = false;
    setAnswers(NONE);
    setRefusal(null);
    for (const { path } of files) {
      setLoading(path);
      const answer = await call('evidence:ask-python', { boxId, runId, path });
      if (isStopped.current) break;
      if (!answer.ok) {
        setRefusal(answer.error);
        break;
      }
      const { value } = answer;
      setAnswers((before) => new Map(before).set(path, value));
      // It would say the same of each.
      if (value.kind === 'no-torch') break;
    }
    isStopped.current = true;
    setLoading(null);
  };
  return { python, answers, loading, refusal, choose, start, stop };
}
