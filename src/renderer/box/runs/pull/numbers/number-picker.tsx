import { X } from 'lucide-react';
import type { RereadNumber } from '../../../../../shared/evidence/reread.ts';
import type { RunProof } from '../../../../../shared/transfer/pull.ts';
import { textOf } from '../../../../../shared/runs/launch/run-words.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../../../ui/dialog.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Refusal } from '../../../../ui/problem-note.tsx';
import { ResultTable, type ResultColumn } from '../../launch/result-table.tsx';
import { filesWithNumbers, placeText } from './number-words.ts';
import {
  figureNote,
  useNumberChoice,
  type Choice,
  type Chosen,
  type Offered,
} from './use-number-choice.ts';
import styles from './numbers.module.css';

interface NumberPickerProps {
  readonly boxId: string;
  readonly proof: RunProof;
  /** What was chosen before. */
  readonly kept: readonly RereadNumber[];
  readonly onKept: () => void;
  readonly onClose: () => void;
}

/** Which numbers a person reports: picked from the files that came home, each with its figure as it is written elsewhere. */
export function NumberPicker({ boxId, proof, kept, onKept, onClose }: NumberPickerProps) {
  const files = filesWithNumbers(proof.report);
  const choice = useNumberChoice({ boxId, runId: proof.report.runId, files, kept, onKept });
  return (
    <Dialog
      isWide
      title="Numbers you report"
      description="Each is read again from the copy on this computer, whose hash has to be the one that was proven, and kept in the evidence with its file and key."
      onClose={onClose}
    >
      {files.length === 0 ? (
        <p className={styles['muted']}>
          None of the files that came home has numbers under keys: JSON, JSON Lines, YAML, CSV, TSV
          or TensorBoard events.
        </p>
      ) : (
        <Offer choice={choice} paths={files.map(({ path }) => path)} />
      )}
      <ChosenNumbers choice={choice} />
      <Refusal problem={choice.problem} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={choice.whyNot !== null}
          title={choice.whyNot ?? undefined}
          onClick={choice.keep}
        >
          {choice.isKeeping ? 'Reading again…' : 'Read again and keep'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

interface OfferProps {
  readonly choice: Choice;
  readonly paths: readonly string[];
}

function Offer({ choice, paths }: OfferProps) {
  const { path, setPath, filter, setFilter, step, setStep, offered, hasSteps, isCut, listing } =
    choice;
  return (
    <section className={styles['offer']} aria-label="Numbers of a file">
      <div className={styles['fields']}>
        <label className={styles['file']}>
          <span>File</span>
          <select value={path} onChange={({ target }) => setPath(target.value)}>
            {paths.map((each) => (
              <option key={each} value={each}>
                {textOf(each)}
              </option>
            ))}
          </select>
        </label>
        <Field label="Filter" value={filter} placeholder="part of a key" onValue={setFilter} />
        {hasSteps && (
          <Field
            label="At step"
            inputMode="numeric"
            value={step}
            placeholder="any"
            error={step === '' || /^\d{1,15}$/.test(step) ? null : 'Enter a whole number.'}
            onValue={setStep}
          />
        )}
      </div>
      {listing === 'reading' ? (
        <p className={styles['muted']} role="status">
          Reading the file…
        </p>
      ) : (
        <ResultTable
          label="Numbers in the file"
          rows={offered}
          keyOf={({ text }) => text}
          columns={columnsOf(choice)}
        />
      )}
      {listing === 'read' && offered.length === 0 && (
        <p className={styles['muted']}>
          {filter === '' ? 'This file has no numbers with keys.' : 'No key matches.'}
        </p>
      )}
      {isCut && (
        <p className={styles['muted']}>
          The file has more numbers than are listed. The command line takes any of them by its key.
        </p>
      )}
    </section>
  );
}

function columnsOf({ isChosen, choose }: Choice): readonly ResultColumn<Offered>[] {
  return [
    {
      name: 'Key',
      look: 'name',
      titleOf: ({ text }) => textOf(text),
      cell: (number) => (
        <label className={styles['key']}>
          <input
            type="checkbox"
            checked={isChosen(number)}
            onChange={({ target }) => choose(number, target.checked)}
          />
          <span>{textOf(number.text)}</span>
        </label>
      ),
    },
    {
      name: 'In the file',
      look: 'held',
      titleOf: ({ literal }) => literal ?? 'It is read when you keep it',
      cell: ({ literal }) => literal ?? 'read when kept',
    },
  ];
}

function ChosenNumbers({ choice: { chosen, change, remove } }: { readonly choice: Choice }) {
  if (chosen.length === 0) return null;
  return (
    <section className={styles['chosen']} aria-label="Chosen numbers">
      <h3>Chosen</h3>
      <ul>
        {chosen.map((number) => (
          <li key={placeText(number)}>
            <ChosenNumber
              number={number}
              onChange={(next) => change(number, next)}
              onRemove={() => remove(number)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ChosenNumberProps {
  readonly number: Chosen;
  readonly onChange: (next: Partial<Pick<Chosen, 'name' | 'figure'>>) => void;
  readonly onRemove: () => void;
}

function ChosenNumber({ number, onChange, onRemove }: ChosenNumberProps) {
  const place = placeText(number);
  const note = figureNote(number);
  return (
    <>
      <p className={styles['place']}>
        <span className="mono selectable" title={place}>
          {place}
        </span>
        <span className={styles['literal']}>{number.literal ?? ''}</span>
        <Button size="small" look="quiet" isIcon aria-label={`Remove ${place}`} onClick={onRemove}>
          <X size={14} />
        </Button>
      </p>
      <div className={styles['fields']}>
        <Field
          label="Name"
          value={number.name}
          maxLength={120}
          placeholder="final accuracy"
          onValue={(name) => onChange({ name })}
        />
        <Field
          label="As you report it"
          value={number.figure}
          maxLength={60}
          placeholder={number.literal ?? 'as in the file'}
          error={note?.isWrong === true ? note.says : null}
          hint={note?.says}
          onValue={(figure) => onChange({ figure })}
        />
      </div>
    </>
  );
}
