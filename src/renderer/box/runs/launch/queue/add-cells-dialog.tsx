import { useMemo, useState } from 'react';
import type { Problem } from '../../../../../shared/problem.ts';
import { KEYS_ANYWAY } from '../../../../../shared/runs/launch/checks/key-checks.ts';
import { readCellList } from '../../../../../shared/runs/queue/cell-list.ts';
import type { QueueCell } from '../../../../../shared/runs/queue/queue-cell.ts';
import { call } from '../../../../state/bridge.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../../../ui/dialog.tsx';
import { Refusal } from '../../../../ui/problem-note.tsx';
import { runsAnswered } from '../launch-view.ts';
import { tooLong } from './queue-form.ts';
import launch from '../launch.module.css';
import styles from './queue.module.css';
import { CellListArea, countWords } from './queue-fields.tsx';

interface AddCellsDialogProps {
  readonly boxId: string;
  readonly id: string;
  /** What the queue has already. */
  readonly cells: readonly QueueCell[];
  /** Null: another machine launched it, and whether it is over is not known. */
  readonly isAlive: boolean | null;
  readonly onClose: () => void;
}

/** Further cells behind those that a queue has. */
export function AddCellsDialog({ boxId, id, cells, isAlive, onClose }: AddCellsDialogProps) {
  const [text, setText] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [isAdding, setIsAdding] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [overKeys, setOverKeys] = useState(false);
  // One for what stands here: adding it again after a lost answer does nothing.
  const addition = useMemo(() => makeAddition(text), [text]);
  const taken = useMemo(
    () => new Set(cells.flatMap(({ name, isCommented }) => (isCommented ? [] : [name]))),
    [cells],
  );

  /** What was said of other cells counts no more. */
  function typed(next: string): void {
    setText(next);
    setRefusal(null);
    setOverKeys(false);
  }

  async function add(): Promise<void> {
    const list = readCellList(text, taken);
    setIsTried(true);
    if (isAdding || list.faults.length > 0 || list.cells.length === 0) return;
    if (tooLong(list.cells) !== null) return;
    setIsAdding(true);
    const more = { addition, cells: [...list.cells], overKeys };
    const answer = await call('runs:add-cells', { boxId, id, ...more });
    setIsAdding(false);
    if (answer.ok) {
      runsAnswered(boxId, answer.value);
      onClose();
    } else setRefusal(answer.error);
  }

  const added = readCellList(text, taken);
  return (
    <Dialog
      title="Add cells to the queue"
      description={
        isAlive === null
          ? 'If the queue still runs, they run after those that it has; else they wait there until you resume it.'
          : isAlive
            ? 'They run after those that the queue has, in the same folder and environment.'
            : 'This queue is over: they wait there until you resume it.'
      }
      isWide
      onClose={onClose}
    >
      <form
        className={styles['panel']}
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <CellListArea text={text} taken={taken} isTried={isTried} onText={typed} />
        <Refusal problem={refusal} />
        {refusal?.code === 'cells-hold-keys' && (
          <label className={launch['anyway']}>
            <input
              type="checkbox"
              checked={overKeys}
              onChange={({ target }) => setOverKeys(target.checked)}
            />
            <span>
              <strong>Add anyway:</strong> {KEYS_ANYWAY}
            </span>
          </label>
        )}
        <DialogFooter>
          <Button disabled={isAdding} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" disabled={isAdding}>
            {isAdding
              ? 'Adding…'
              : added.cells.length === 0
                ? 'Add cells'
                : `Add ${countWords(added.cells)}`}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function makeAddition(_text: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `a-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
