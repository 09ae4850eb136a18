import { useId } from 'react';
import { readCellList, type CellFault } from '../../../../../shared/runs/queue/cell-list.ts';
import { activeCells, type QueueCell } from '../../../../../shared/runs/queue/queue-cell.ts';
import { formatCount } from '../../../../ui/format.ts';
import { Field } from '../../../../ui/field.tsx';
import { Switch } from '../../../../ui/switch.tsx';
import { TextArea } from '../../../../ui/text-area.tsx';
import { startErrorIn, tooLong, type QueueForm } from './queue-form.ts';
import styles from './queue.module.css';

interface QueueFieldsProps {
  readonly form: QueueForm;
  /** Whether the person has tried with what stands here. */
  readonly isTried: boolean;
  readonly onForm: (form: QueueForm) => void;
}

export function QueueFields({ form, isTried, onForm }: QueueFieldsProps) {
  return (
    <>
      <CellListArea
        text={form.text}
        isTried={isTried}
        onText={(text) => onForm({ ...form, text })}
      />
      <Field
        label="Begin at cell"
        hint="Optional. Its number: the cells before it are left out and keep theirs."
        placeholder="1"
        inputMode="numeric"
        value={form.startIndex}
        error={isTried || form.startIndex !== '' ? startErrorIn(form) : null}
        onValue={(startIndex) => onForm({ ...form, startIndex })}
      />
      <Switch
        label="Stop at the first cell that fails"
        hint="Otherwise the next cell begins, whatever the exit code."
        isOn={form.stopsAtFailure}
        onChange={(stopsAtFailure) => onForm({ ...form, stopsAtFailure })}
      />
      <Switch
        label="Start again after a restart of the box"
        hint="Adds a line to your crontab on the box, which the plan shows, until the queue is over. Otherwise Leasehold offers to resume it."
        isOn={form.startsAgain}
        onChange={(startsAgain) => onForm({ ...form, startsAgain })}
      />
    </>
  );
}

interface CellListAreaProps {
  readonly text: string;
  /** Names that the queue has already. */
  readonly taken?: ReadonlySet<string>;
  readonly isTried: boolean;
  readonly onText: (text: string) => void;
}

/** One cell on each line; what is wrong is told with its line. */
export function CellListArea({ text, taken, isTried, onText }: CellListAreaProps) {
  const countId = useId();
  const { cells, faults } = readCellList(text, taken);
  const error = errorOf(text, cells, faults, isTried);
  return (
    <div className={styles['list']}>
      <TextArea
        label="Cells"
        hint="One “name: command” per line, run one after another, or side by side where you enter below how many GPUs each needs. Indent a line to go on with the command above; put # in front to leave a cell out."
        placeholder={'lr-1e-3: python train.py --lr 1e-3\nlr-1e-4: python train.py --lr 1e-4'}
        isMono
        spellCheck={false}
        value={text}
        error={error}
        onValue={onText}
      />
      <p id={countId} className={styles['count']} role="status">
        {text.trim() === '' || error !== null ? '' : countWords(cells)}
      </p>
    </div>
  );
}

const MAX_FAULTS = 4;

function errorOf(
  text: string,
  cells: readonly QueueCell[],
  faults: readonly CellFault[],
  isTried: boolean,
): string | null {
  if (faults.length > 0) {
    const told = faults
      .slice(0, MAX_FAULTS)
      .map(({ line, says }) => `Line ${String(line)}: ${says}`);
    const more = faults.length - told.length;
    return [
      ...told,
      ...(more > 0 ? [`And ${formatCount(more, 'more line')} like these.`] : []),
    ].join(' ');
  }
  if (activeCells(cells).length > 0) return tooLong(cells);
  if (!isTried) return null;
  return text.trim() === '' ? 'Enter at least one cell.' : 'Every cell is left out.';
}

export function countWords(cells: readonly QueueCell[]): string {
  const active = activeCells(cells).length;
  const out = cells.length - active;
  const left = out === 0 ? '' : `, ${formatCount(out, 'line')} left out`;
  return `${formatCount(active, 'cell')}${left}`;
}
