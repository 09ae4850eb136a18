import { showHidden } from '../../../shared/terminal/visible-text.ts';
import type { EndSignal, GpuHolder } from '../../../shared/telemetry/gpu-holders.ts';
import { Button } from '../../ui/button.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { holderNotes } from './process-words.ts';
import styles from './processes.module.css';

interface EndQuestionProps {
  readonly signal: EndSignal;
  readonly holders: readonly GpuHolder[];
  readonly onBack: () => void;
  readonly onEnd: () => void;
}

/** Names each process once more. The safe button comes first and has the focus. */
export function EndQuestion({ signal, holders, onBack, onEnd }: EndQuestionProps) {
  const count = formatCount(holders.length, 'process', 'processes');
  const pids = holders.map(({ pid }) => pid).join(', ');
  return (
    <>
      <div role="alert">
        <p className={styles['facts']}>
          {signal === 'TERM'
            ? `Asks ${count} to end (TERM), then waits up to 10 s. What they have not saved is lost. This cannot be undone.`
            : `Ends ${count} at once (KILL), without a chance to save anything. This cannot be undone.`}
        </p>
        <ul className={styles['outcomes']}>
          {holders.map((holder) => (
            <li key={holder.pid}>
              <Glyph tone={holderNotes(holder).length > 0 ? 'warn' : 'info'} />
              <span>
                <b className="mono">{holder.pid}</b>{' '}
                <span className="mono">{showHidden(holder.command ?? 'command unknown')}</span>
                {holderNotes(holder).map((note) => (
                  <span key={note} className={styles['warn']}>
                    {' '}
                    {note}
                  </span>
                ))}
              </span>
            </li>
          ))}
        </ul>
      </div>
      <DialogFooter>
        <Button autoFocus onClick={onBack}>
          Leave {holders.length === 1 ? 'it' : 'them'} alone
        </Button>
        <Button look="danger" onClick={onEnd}>
          {signal === 'TERM' ? 'End' : 'Kill'} {pids}
        </Button>
      </DialogFooter>
    </>
  );
}
