import { X } from 'lucide-react';
import type { DeletePlan, LeftFile } from '../../../shared/files/delete-plan.ts';
import type { FileTransfer } from '../../../shared/files/file-transfer.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { call } from '../../state/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TransferBar } from '../../ui/transfer-bar.tsx';
import styles from './acts-note.module.css';
import { useFileTransfer, type ActEnd, type FileActs } from './use-file-acts.ts';

interface ActsNoteProps {
  readonly boxId: string;
  readonly acts: FileActs;
}

/** What is under way with files of the box, what is asked of the person, and what came of the last act. */
export function ActsNote({ boxId, acts }: ActsNoteProps) {
  const transfer = useFileTransfer(boxId);
  // The stream is a moment late: a bar that went after the words came would move the list under the pointer once more.
  const isOver = acts.end !== null && !acts.isBusy;
  return (
    <>
      {transfer !== null && !isOver && (
        <div className={styles['act']}>
          <TransferBar
            {...WAY_WORDS[transfer.way]}
            isMoving
            progress={transfer}
            stop="Stop"
            onStop={() => void call('files:stop-transfer', { boxId })}
          />
        </div>
      )}
      {acts.end !== null && (
        <div className={styles['act']} role="status">
          <End end={acts.end} onDismiss={acts.leave} />
        </div>
      )}
      {acts.plan !== null && (
        <ConfirmDialog
          title={titleOf(acts.plan)}
          description={`${sumWords(acts.plan)} This cannot be undone.`}
          confirm="Delete"
          cancel="Cancel"
          onConfirm={acts.confirmDelete}
          onClose={acts.leave}
        >
          <ul className={styles['doomed']}>
            {acts.plan.chosen.slice(0, MAX_NAMED).map((path) => (
              <li key={path} className="mono">
                {showHidden(path)}
              </li>
            ))}
            {acts.plan.chosen.length > MAX_NAMED && (
              <li>and {formatCount(acts.plan.chosen.length - MAX_NAMED, 'more', 'more')}</li>
            )}
          </ul>
        </ConfirmDialog>
      )}
    </>
  );
}

const MAX_NAMED = 8;

const WAY_WORDS: Readonly<Record<FileTransfer['way'], { label: string; stage: string }>> = {
  download: { label: 'Files downloaded', stage: 'Downloading…' },
  upload: { label: 'Files uploaded', stage: 'Uploading…' },
  check: {
    label: 'Copies read on this computer',
    stage: 'Reading the copies on this computer before anything is deleted…',
  },
};

function End({ end, onDismiss }: { readonly end: ActEnd; readonly onDismiss: () => void }) {
  const dismiss = (
    <Button look="quiet" size="small" isIcon aria-label="Dismiss" onClick={onDismiss}>
      <X size={15} aria-hidden />
    </Button>
  );
  if (end.kind === 'failed') return <ProblemNote problem={end.problem} actions={dismiss} />;
  const { left } = end.report;
  const words = endWords(end);
  return (
    <>
      <div className={styles['end']}>
        <p>
          <Glyph tone={left.length === 0 ? 'ok' : 'warn'} /> {words}
        </p>
        {left.length > 0 && <Left left={left} />}
      </div>
      {dismiss}
    </>
  );
}

function endWords(end: Exclude<ActEnd, { readonly kind: 'failed' }>): string {
  if (end.kind === 'deleted')
    return `${formatCount(end.report.removed, 'entry', 'entries')} deleted.`;
  const { files, bytes, to } = end.report;
  const what = `${formatCount(files, 'file')}, ${formatBytes(bytes)}`;
  if (end.kind === 'copied') return `${what}, copied to ${showHidden(to)}.`;
  if (end.report.left.length > 0)
    return `${what}, downloaded. Only what was downloaded as a whole can be dragged.`;
  const here = files === 0 ? 'What you dragged is on this computer.' : `${what}, downloaded.`;
  return `${here} Drag again to drop them outside of Leasehold.`;
}

function Left({ left }: { readonly left: readonly LeftFile[] }) {
  return (
    <details open={left.length <= MAX_NAMED}>
      <summary>{formatCount(left.length, 'entry was', 'entries were')} left as they are</summary>
      <ul>
        {left.slice(0, MAX_LISTED_LEFT).map(({ path, problem }) => (
          <li key={path}>
            <span className="mono">{showHidden(path)}</span> {problem.message}
          </li>
        ))}
      </ul>
    </details>
  );
}

const MAX_LISTED_LEFT = 100;

const titleOf = ({ chosen }: DeletePlan): string =>
  chosen.length === 1
    ? 'Delete this from the box?'
    : `Delete ${formatCount(chosen.length, 'entry', 'entries')} from the box?`;

/** All that goes, counted before anything does. */
function sumWords({ files, folders, others, bytes }: DeletePlan): string {
  const size = bytes === null ? 'of a size that the box does not tell' : `of ${formatBytes(bytes)}`;
  const parts = [
    `${formatCount(files, 'file')} ${size}`,
    ...(folders > 0 ? [formatCount(folders, 'folder')] : []),
    ...(others > 0 ? [formatCount(others, 'link or special file', 'links or special files')] : []),
  ];
  return `${parts.join(', ')}.`;
}
