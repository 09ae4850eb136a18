import { useState } from 'react';
import type { RunProof } from '../../../../../shared/transfer/pull.ts';
import { textOf } from '../../../../../shared/runs/launch/run-words.ts';
import { Age } from '../../../../ui/age.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Glyph } from '../../../../ui/glyph.tsx';
import { Refusal } from '../../../../ui/problem-note.tsx';
import { ResultTable, type ResultColumn } from '../../launch/result-table.tsx';
import { NumberPicker } from './number-picker.tsx';
import {
  keptNumbers,
  numberWords,
  placeText,
  reportedSum,
  type KeptNumber,
} from './number-words.ts';
import styles from './numbers.module.css';
import type { Reported } from './use-reported.ts';

interface ReportedNumbersProps {
  readonly boxId: string;
  readonly proof: RunProof;
  readonly reported: Reported;
}

/** The numbers that a person reports, each as it stands in the copy on this computer. */
export function ReportedNumbers({
  boxId,
  proof,
  reported: { answer, again },
}: ReportedNumbersProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  const now = answer?.ok === true ? answer.value : null;
  const numbers = now === null ? [] : keptNumbers(now);
  return (
    <section className={styles['reported']} aria-label="Reported numbers">
      <div className={styles['head']}>
        <h3 title="The numbers that you put into a paper or a message: read again from the files that came home, and kept with file and key">
          Reported numbers
        </h3>
        <span className={styles['muted']} role="status">
          {answer === null ? (
            'Reading them again…'
          ) : now === null ? (
            answer.ok && 'None chosen: nothing is re-read'
          ) : (
            <>
              {reportedSum(numbers)} <Age atMs={now.lookedAtMs} />, kept as evidence no.{' '}
              {String(now.kept.seq)}
            </>
          )}
        </span>
        <div className={styles['ways']}>
          {now !== null && (
            <Button size="small" look="quiet" onClick={again}>
              Read again
            </Button>
          )}
          <Button
            size="small"
            aria-haspopup="dialog"
            disabled={answer === null}
            onClick={() => setIsChoosing(true)}
          >
            Choose numbers…
          </Button>
        </div>
      </div>
      <Refusal problem={answer?.ok === false ? answer.error : null} />
      {numbers.length > 0 && (
        <ResultTable
          label="Reported numbers and what stands in the files"
          rows={numbers}
          keyOf={({ kept }) => placeText(kept)}
          columns={COLUMNS}
        />
      )}
      {isChoosing && (
        <NumberPicker
          boxId={boxId}
          proof={proof}
          kept={now?.kept.report.numbers ?? []}
          onKept={() => {
            setIsChoosing(false);
            again();
          }}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </section>
  );
}

const COLUMNS: readonly ResultColumn<KeptNumber>[] = [
  {
    name: 'Number',
    look: 'name',
    titleOf: ({ kept }) => placeText(kept),
    cell: ({ kept }) =>
      kept.name === null ? placeText(kept) : `${textOf(kept.name)} · ${placeText(kept)}`,
  },
  {
    name: 'In the file',
    look: 'figure',
    titleOf: ({ now }) => now.literal ?? 'It was not read',
    cell: ({ now }) => now.literal ?? 'not read',
  },
  {
    name: 'As you report it',
    look: 'figure',
    cell: ({ kept }) => kept.figure ?? 'as in the file',
  },
  {
    name: 'Proof',
    look: 'held',
    titleOf: (number) => numberWords(number).title,
    cell: (number) => {
      const { tone, words } = numberWords(number);
      return (
        <>
          <Glyph tone={tone} /> {words}
        </>
      );
    },
  },
];
