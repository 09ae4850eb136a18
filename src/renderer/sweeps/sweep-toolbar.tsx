import { SWEEP_GROUPS, type SweepTally } from '../../shared/runs/sweep/judge-sweep.ts';
import { GROUP_WORDS } from '../../shared/runs/sweep/sweep-words.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { formatCount, formatNumber } from '../ui/format.ts';
import { SearchField } from '../ui/search-field.tsx';
import select from '../ui/select.module.css';
import type { SweepOrder } from './sweep-rows.ts';
import styles from './sweeps.module.css';

interface SweepToolbarProps {
  readonly tally: SweepTally;
  readonly count: number;
  readonly order: SweepOrder;
  readonly onOrder: (order: SweepOrder) => void;
  /** What the logs that were read tell of. */
  readonly figures: readonly string[];
  readonly figure: string | null;
  readonly onFigure: (name: string) => void;
  readonly isCompared: boolean;
  readonly onCompared: (isCompared: boolean) => void;
  /** How many cells are chosen for their curves. */
  readonly picked: number;
  /** Why the cell that was chosen last is not drawn; null: it is. */
  readonly whyNot: string | null;
  readonly onUnpick: () => void;
}

/** Which cells are shown, which figure of them, and what is compared. */
export function SweepToolbar(props: SweepToolbarProps) {
  const { tally, count, order, onOrder, figures, figure, onFigure } = props;
  const { isCompared, onCompared, picked, whyNot, onUnpick } = props;
  const chips = [
    { group: 'all' as const, words: 'All', count },
    ...SWEEP_GROUPS.flatMap((group) =>
      tally[group] === 0 && order.group !== group
        ? []
        : [{ group, words: GROUP_WORDS[group], count: tally[group] }],
    ),
  ];
  return (
    <div className={styles['toolbar']}>
      <div className={styles['chips']} role="group" aria-label="Show cells">
        {chips.map(({ group, words, count: of }) => (
          <Button
            key={group}
            size="small"
            look={order.group === group ? 'primary' : 'plain'}
            aria-pressed={order.group === group}
            onClick={() => onOrder({ ...order, group })}
          >
            {words} {formatNumber(of)}
          </Button>
        ))}
      </div>
      {figures.length > 1 && (
        <label className={styles['choice']}>
          <span>Figure</span>
          <select
            className={classNames(select['select'], styles['short'])}
            value={figure ?? ''}
            onChange={({ target }) => onFigure(target.value)}
          >
            {figures.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      {picked > 0 && (
        <Button size="small" onClick={onUnpick}>
          Hide the curves of {formatCount(picked, 'cell')}
        </Button>
      )}
      <p className={styles['refused']} role="status">
        {whyNot}
      </p>
      <Button
        size="small"
        aria-expanded={isCompared}
        title="A figure over all cells, and which is best: reads every cell that has begun"
        onClick={() => onCompared(!isCompared)}
      >
        {isCompared ? 'Hide comparison' : 'Compare cells'}
      </Button>
      <SearchField
        label="Search cells"
        placeholder="Search cells"
        emptyLabel="Clear"
        value={order.search}
        onValue={(search) => onOrder({ ...order, search })}
      />
    </div>
  );
}
