import type { PasteJudgement } from '../../../shared/terminal/paste.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import styles from './terminal.module.css';

/** More than anybody reads; the rest is counted. */
const MAX_LINES = 200;
const MAX_LINE_CHARS = 500;

interface PasteDialogProps {
  readonly paste: Extract<PasteJudgement, { kind: 'ask' }>;
  readonly onPaste: () => void;
  readonly onClose: () => void;
}

/** A shell may run every line of a paste at once, so the person sees them first. */
export function PasteDialog({ paste, onPaste, onClose }: PasteDialogProps) {
  const { lines, controls, text } = paste;
  const count = formatCount(lines.length, 'line');
  const rest = lines.length - MAX_LINES;
  return (
    <Dialog title={`Paste ${count}?`} description={descriptionOf(text, controls)} onClose={onClose}>
      <ol className={styles['lines']} aria-label="What would be pasted" tabIndex={0}>
        {lines.slice(0, MAX_LINES).map((line, i) => (
          <li key={i}>{shownLine(line)}</li>
        ))}
      </ol>
      {rest > 0 && (
        <p className={styles['rest']}>and {formatCount(rest, 'more line', 'more lines')}</p>
      )}
      <DialogFooter>
        <Button autoFocus onClick={onClose}>
          Cancel
        </Button>
        <Button look="primary" onClick={onPaste}>
          Paste {count}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function descriptionOf(text: string, controls: number): string {
  const lines = text.includes('\n')
    ? 'The shell on the box may run each line as soon as it arrives.'
    : 'It holds something that cannot be seen.';
  if (controls === 0) return lines;
  return `${lines} ${formatCount(controls, 'control character')} (shown as <…>) will be left out.`;
}

function shownLine(line: string): string {
  const shown = showHidden(line.slice(0, MAX_LINE_CHARS).replaceAll('\t', '    '));
  return line.length > MAX_LINE_CHARS ? `${shown}…` : shown;
}
