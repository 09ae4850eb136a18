import { useEffect, useState } from 'react';
import type { FileNumbers, RereadNumber } from '../../../../../shared/evidence/reread.ts';
import type { Problem } from '../../../../../shared/problem.ts';
import type { Result } from '../../../../../shared/result.ts';
import type { PulledFile } from '../../../../../shared/transfer/pull.ts';
import { compareFigures, isFigure } from '../../../../../shared/verify/numbers/compare-figures.ts';
import {
  keyText,
  type ListedNumber,
  type NumberKey,
} from '../../../../../shared/verify/numbers/number-key.ts';
import { call } from '../../../../state/bridge.ts';

/** A number that can be chosen. */
export interface Offered {
  readonly path: string;
  readonly key: NumberKey;
  /** The key in words. */
  readonly text: string;
  /** Null: it is known only when it is read again. */
  readonly literal: string | null;
}

/** One that was, with what the person writes beside it. */
export interface Chosen extends Omit<Offered, 'text'> {
  readonly name: string;
  readonly figure: string;
}

export interface Choice {
  readonly path: string;
  readonly setPath: (path: string) => void;
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  readonly step: string;
  readonly setStep: (step: string) => void;
  readonly listing: 'reading' | 'read' | 'failed';
  readonly offered: readonly Offered[];
  readonly hasSteps: boolean;
  readonly isCut: boolean;
  readonly chosen: readonly Chosen[];
  readonly isChosen: (number: Offered) => boolean;
  readonly choose: (number: Offered, isChosen: boolean) => void;
  readonly change: (number: Chosen, next: Partial<Pick<Chosen, 'name' | 'figure'>>) => void;
  readonly remove: (number: Chosen) => void;
  readonly problem: Problem | null;
  /** Why nothing can be kept now; null: it can. */
  readonly whyNot: string | null;
  readonly isKeeping: boolean;
  readonly keep: () => void;
}

interface Wanted {
  readonly boxId: string;
  readonly runId: string;
  readonly files: readonly PulledFile[];
  readonly kept: readonly RereadNumber[];
  readonly onKept: () => void;
}

/** Which file it is about. */
interface Answered {
  readonly path: string;
  readonly answer: Result<FileNumbers, Problem>;
}

type Place = Pick<Chosen, 'path' | 'key'>;
const idOf = ({ path, key }: Place): string => JSON.stringify([path, key]);

export function useNumberChoice({ boxId, runId, files, kept, onKept }: Wanted): Choice {
  const [path, setPath] = useState(files[0]?.path ?? '');
  const [filter, setFilter] = useState('');
  const [step, setStep] = useState('');
  const [answered, setAnswered] = useState<Answered | null>(null);
  const [chosen, setChosen] = useState<readonly Chosen[]>(() => kept.map(chosenBefore));
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [isKeeping, setIsKeeping] = useState(false);
  useEffect(() => {
    if (path === '') return undefined;
    let isThere = true;
    void call('evidence:numbers', { boxId, runId, path }).then((answer) => {
      if (isThere) setAnswered({ path, answer });
    });
    return () => {
      isThere = false;
    };
  }, [boxId, runId, path]);
  const listed = answered?.path === path ? answered.answer : null;
  const found = listed?.ok === true ? listed.value : null;
  const offered = (found?.numbers ?? []).flatMap((number) => offeredOf(path, number, step));
  const isWrong = chosen.some((number) => figureNote(number)?.isWrong === true);
  const keep = async (): Promise<void> => {
    setIsKeeping(true);
    setRefusal(null);
    const numbers = chosen.map(({ path: of, key, name, figure }) => ({
      ...{ path: of, key: { parts: [...key.parts], row: key.row } },
      ...{ name: orNull(name), figure: orNull(figure) },
    }));
    const answer = await call('evidence:reread', { boxId, runId, numbers });
    setIsKeeping(false);
    if (answer.ok) onKept();
    else setRefusal(answer.error);
  };
  const isOf = (number: Place) => (each: Place) => idOf(each) === idOf(number);
  return {
    ...{ path, setPath, filter, setFilter, step, setStep, chosen, isKeeping },
    listing: listed === null ? 'reading' : listed.ok ? 'read' : 'failed',
    offered: offered.filter(({ text }) => text.toLowerCase().includes(filter.trim().toLowerCase())),
    hasSteps: found?.numbers.some(({ hasSteps }) => hasSteps) ?? false,
    isCut: found?.isCut ?? false,
    isChosen: (number) => chosen.some(isOf(number)),
    choose: ({ text: _text, ...number }, isChosen) =>
      setChosen((before) =>
        isChosen
          ? [...before, { ...number, name: '', figure: '' }]
          : before.filter((each) => !isOf(number)(each)),
      ),
    change: (number, next) =>
      setChosen((before) =>
        before.map((each) => (isOf(number)(each) ? { ...each, ...next } : each)),
      ),
    remove: (number) => setChosen((before) => before.filter((each) => !isOf(number)(each))),
    problem: refusal ?? (listed?.ok === false ? listed.error : null),
    whyNot: isKeeping
      ? 'They are being read'
      : chosen.length === 0
        ? 'Choose a number first'
        : isWrong
          ? 'A reported figure is not a number'
          : null,
    keep: () => void keep(),
  };
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

const chosenBefore = ({ path, key, name, figure, literal }: RereadNumber): Chosen => ({
  ...{ path, key, literal, name: name ?? '', figure: figure ?? '' },
});

function offeredOf(
  path: string,
  { parts, values, hasSteps }: ListedNumber,
  step: string,
): readonly Offered[] {
  if (step !== '') {
    if (!hasSteps || !/^\d{1,15}$/.test(step)) return [];
    const key: NumberKey = { parts, row: { kind: 'step', step: Number(step) } };
    return [{ path, key, text: keyText(key), literal: null }];
  }
  return values.map(({ row, literal }) => {
    const key: NumberKey = { parts, row };
    return { path, key, text: keyText(key), literal };
  });
}

/** What is to be said of a figure while it is typed; null: nothing. */
export function figureNote({ figure, literal }: Pick<Chosen, 'figure' | 'literal'>): {
  readonly isWrong: boolean;
  readonly says: string;
} | null {
  if (figure.trim() === '') return null;
  if (!isFigure(figure)) return { isWrong: true, says: 'Enter a number, such as 0.913 or 91.3 %.' };
  if (literal === null) return { isWrong: false, says: 'Compared when it is read again.' };
  const verdict = compareFigures(figure, literal);
  if (verdict === 'equal') return { isWrong: false, says: 'Equal to the file.' };
  return verdict === 'rounded'
    ? { isWrong: false, says: `Equal to ${literal}, rounded.` }
    : { isWrong: false, says: `Differs from ${literal} in the file.` };
}
