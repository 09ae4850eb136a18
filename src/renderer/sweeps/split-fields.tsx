import { useId } from 'react';
import { formatMoney } from '../../shared/money.ts';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { listWords } from '../../shared/runs/launch/checks/judged.ts';
import { Glyph } from '../ui/glyph.tsx';
import { lackingOf, type BoxSplit, type SplitRow } from './box-split.ts';
import styles from './sweep-form.module.css';

/** Which boxes take part, and how many cells each gets. */
export function SplitFields({
  split,
  isTried,
  wanted = [],
}: {
  readonly split: BoxSplit;
  readonly isTried: boolean;
  /** The boxes that a request file names. */
  readonly wanted?: readonly string[];
}) {
  const noteId = useId();
  const { rows, says, error, isChanged } = split;
  const lacking = lackingOf(rows, wanted);
  const isWrong = error !== null && (isTried || isChanged);
  return (
    <section className={styles['split']} aria-label="Boxes">
      <h3>Boxes</h3>
      <div className={styles['splitScroll']}>
        <table className={styles['splitTable']} aria-describedby={noteId}>
          <thead>
            <tr>
              <th scope="col">Box</th>
              <th scope="col">Price</th>
              <th scope="col">GPUs</th>
              <th scope="col">Cells</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.boxId} row={row} split={split} isWrong={isWrong} noteId={noteId} />
            ))}
          </tbody>
        </table>
      </div>
      {lacking.length > 0 && (
        <p className={styles['line']} role="status">
          <Glyph tone="warn" />
          <span>
            The file names {listWords(lacking)}, which {lacking.length === 1 ? 'is' : 'are'} not in
            the list under that name, or cannot take cells now.
          </span>
        </p>
      )}
      <p
        id={noteId}
        className={isWrong ? styles['error'] : styles['muted']}
        role={isWrong ? 'alert' : 'status'}
      >
        {isWrong ? error : (says ?? '')}{' '}
        {isChanged && (
          <Button size="small" look="quiet" onClick={split.onReset}>
            Propose again
          </Button>
        )}
      </p>
    </section>
  );
}

interface RowProps {
  readonly row: SplitRow;
  readonly split: BoxSplit;
  readonly isWrong: boolean;
  readonly noteId: string;
}

function Row({ row, split, isWrong, noteId }: RowProps) {
  const { boxId, name, pricePerHour, gpus, cannot, isChosen, text } = row;
  return (
    <tr>
      <th scope="row">
        <label className={styles['choice']}>
          <input
            type="checkbox"
            checked={isChosen}
            disabled={cannot !== null}
            onChange={({ target }) => split.onChosen(boxId, target.checked)}
          />
          <span title={name}>{name}</span>
          {cannot !== null && <small>{cannot}</small>}
        </label>
      </th>
      <td>{pricePerHour === null ? 'no full price' : `${formatMoney(pricePerHour)}/h`}</td>
      <td>{gpus === null ? 'not read' : formatCount(gpus, 'GPU')}</td>
      <td>
        {isChosen ? (
          <input
            className={styles['number']}
            inputMode="numeric"
            aria-label={`Cells for ${name}`}
            aria-invalid={isWrong}
            aria-describedby={noteId}
            value={text}
            onChange={({ target }) => split.onText(boxId, target.value)}
          />
        ) : (
          '–'
        )}
      </td>
    </tr>
  );
}
