import { useState } from 'react';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import styles from './overview.module.css';

interface UnreadableLinesProps {
  readonly count: number;
  /** Hostile: shown as text and nothing else, control characters as what they are. */
  readonly samples: readonly string[];
}

/** How many lines of the GPU stream could not be read; with a look at the newest. */
export function UnreadableLines({ count, samples }: UnreadableLinesProps) {
  const [isOpen, setIsOpen] = useState(false);
  const words = formatCount(count, 'unreadable line');
  if (count === 0) return <span>{words}</span>;
  return (
    <>
      <button
        type="button"
        className={styles['unreadable']}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {words}
      </button>
      {isOpen && (
        <Dialog
          title={words}
          description="Lines that the box printed between its GPU readings and that are neither a row nor a header. They are left out: no figure comes from them. A message of a shell, or another program that writes to the same output, does this; if figures are missing, the driver prints in a way that this version does not know."
          onClose={() => setIsOpen(false)}
        >
          <p>The newest since this stream began:</p>
          <ul className={styles['samples']}>
            {samples.map((line, i) => (
              <li key={`${String(i)} ${line}`}>
                <code className="selectable">{showHidden(line)}</code>
              </li>
            ))}
          </ul>
          <Button onClick={() => setIsOpen(false)}>Close</Button>
        </Dialog>
      )}
    </>
  );
}
