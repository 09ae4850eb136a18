import { useMemo, useState } from 'react';
import { sumOf, type LeftFiles } from '../../../../shared/transfer/left-files.ts';
import type { PullFile, PullPlan } from '../../../../shared/transfer/pull.ts';
import { KEEPS } from './proof-words.ts';

export type LeftReason = 'scratch' | 'reproducible' | 'own';

/** As they stand in the evidence. */
const REASON_WORDS: Readonly<Record<Exclude<LeftReason, 'own'>, string>> = {
  scratch: 'scratch, nobody needs it',
  reproducible: 'it can be made again',
};

export interface Left {
  /** Those that can be brought home: by what they are for, and what takes longest first. */
  readonly wanted: readonly PullFile[];
  readonly isLeft: (path: string) => boolean;
  readonly leave: (paths: readonly string[], isLeft: boolean) => void;
  readonly left: readonly PullFile[];
  readonly coming: readonly PullFile[];
  /** Of what comes. */
  readonly sum: Pick<PullPlan, 'bytes' | 'missingBytes'>;
  /** Null: none was chosen. */
  readonly reason: LeftReason | null;
  readonly setReason: (reason: LeftReason) => void;
  readonly ownWords: string;
  readonly setOwnWords: (words: string) => void;
  /** What main is told; null: the reason is missing. */
  readonly told: readonly LeftFiles[] | null;
}

/** What of a plan a person leaves on the box. At first that is nothing. */
export function useLeft({ files }: PullPlan): Left {
  const [paths, setPaths] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState<LeftReason | null>(null);
  const [ownWords, setOwnWords] = useState('');
  const wanted = useMemo(() => byKindAndSize(files), [files]);
  const left = wanted.filter(({ path }) => paths.has(path));
  const coming = wanted.filter(({ path }) => !paths.has(path));
  const because = reason === null ? '' : reason === 'own' ? ownWords.trim() : REASON_WORDS[reason];
  return {
    ...{ wanted, left, coming, sum: sumOf(coming) },
    ...{ reason, setReason, ownWords, setOwnWords },
    isLeft: (path) => paths.has(path),
    leave: (changed, isLeft) =>
      setPaths((before) => {
        const next = new Set(before);
        for (const path of changed)
          if (isLeft) next.add(path);
          else next.delete(path);
        return next;
      }),
    told:
      left.length === 0
        ? []
        : because === ''
          ? null
          : [{ because, paths: left.map(({ path }) => path) }],
  };
}

function byKindAndSize(files: readonly PullFile[]): readonly PullFile[] {
  return KEEPS.flatMap(([kind]) =>
    files
      .filter(({ keep, refused }) => keep === kind && refused === null)
      .sort((one, other) => other.bytes - one.bytes),
  );
}
