import { plainLine } from '../../../../../shared/questions/hostile-text.ts';
import type { QueueCell } from '../../../../../shared/runs/queue/queue-cell.ts';
import type { CellState } from '../../../../../shared/runs/queue/queue-view.ts';
import { cardsByLine } from '../../../../../shared/runs/queue/workload.ts';
import type { GpuFacts } from '../../../../../shared/telemetry/gpu-facts.ts';
import { selectEntry, useFleet } from '../../../../state/feeds.ts';
import { Elapsed } from '../../../../ui/age.tsx';
import type { OpenedCell } from './cell-log.tsx';
import styles from './queue.module.css';

const NO_GPUS: readonly GpuFacts[] = [];

interface RunningCellsProps {
  readonly boxId: string;
  readonly cells: readonly QueueCell[];
  readonly states: readonly CellState[];
  readonly isSeenNow: boolean;
  readonly opened: number | null;
  readonly onOpen: (cell: OpenedCell) => void;
}

/** The cells that run side by side, each with its cards; nothing where cells run one after another. */
export function RunningCells({ boxId, cells, states, ...props }: RunningCellsProps) {
  const gpus = useFleet(selectEntry(boxId))?.gpus ?? NO_GPUS;
  const { isSeenNow, opened, onOpen } = props;
  const running = states.flatMap((state, at) =>
    state.kind === 'running' && state.cards !== undefined
      ? [{ index: at + 1, cards: state.cards, beganAtMs: state.beganAtMs }]
      : [],
  );
  if (running.length === 0) return null;
  return (
    <ul className={styles['running']} aria-label="Cells that run side by side">
      {running.map(({ index, cards, beganAtMs }) => {
        const name = plainLine(cells[index - 1]?.name ?? '', 200);
        return (
          <li key={index}>
            <button
              type="button"
              title={`${name}: its log`}
              aria-expanded={index === opened}
              onClick={() => onOpen({ index, name })}
            >
              <span className={styles['on']} title={cards}>
                {cardsByLine(cards, gpus)}
              </span>{' '}
              <span className={styles['who']}>{name}</span>{' '}
              {isSeenNow && <Elapsed sinceMs={beganAtMs} />}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
