import { useEffect, useState } from 'react';
import type { EntryExport } from '../../shared/gotchas/entry-draft.ts';
import { belongsWhere } from '../../shared/gotchas/belongs.ts';
import type { LoadedGotcha } from '../../shared/gotchas/gotcha.ts';
import type { Problem } from '../../shared/problem.ts';
import { call } from '../state/bridge.ts';
import { handbookChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { ProblemNote, Refusal } from '../ui/problem-note.tsx';
import styles from './entry-editor.module.css';
import { gotchasChanged } from './gotchas.ts';
import { editBegun } from './writing.ts';

/** What the person can do with an entry of their own. */
export function OwnEntryBar({ loaded }: { readonly loaded: LoadedGotcha }) {
  const [open, setOpen] = useState<'delete' | 'export' | null>(null);
  const { gotcha, own, origin } = loaded;
  const isOurs = own?.digest !== null && own !== null;
  return (
    <div className={styles['bar']}>
      <p>
        {origin === 'replaced' ? 'Yours, in place of the shipped entry' : 'Yours'}
        {own !== null && (
          <>
            {' · '}
            <code className="mono selectable">
              {own.file}:{own.line}
            </code>
          </>
        )}
        {!isOurs && ' · written by hand: edit it in its file'}
      </p>
      <div className={styles['barActions']}>
        {isOurs && (
          <Button size="small" onClick={() => editBegun(loaded)}>
            Edit…
          </Button>
        )}
        <Button size="small" onClick={() => setOpen('export')}>
          Export…
        </Button>
        {isOurs && (
          <Button size="small" onClick={() => setOpen('delete')}>
            Delete…
          </Button>
        )}
      </div>
      {open === 'export' && <ExportDialog loaded={loaded} onClose={() => setOpen(null)} />}
      {open === 'delete' && own?.digest !== null && own !== null && (
        <DeleteDialog
          id={gotcha.id}
          title={gotcha.title}
          digest={own.digest}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}

interface DeleteDialogProps {
  readonly id: string;
  readonly title: string;
  readonly digest: string;
  readonly onClose: () => void;
}

function DeleteDialog({ id, title, digest, onClose }: DeleteDialogProps) {
  const [refusal, setRefusal] = useState<Problem | null>(null);
  async function confirmed(): Promise<void> {
    const removed = await call('gotchas:remove', { id, digest });
    if (!removed.ok) {
      setRefusal(removed.error);
      return;
    }
    onClose();
    handbookChosen(null);
    await gotchasChanged();
  }
  return (
    <ConfirmDialog
      title={`Delete ${id}?`}
      description={`“${title}” and its file are deleted. There is no copy elsewhere.`}
      cancel="Cancel"
      confirm="Delete entry"
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      <Refusal problem={refusal} tone="danger" />
    </ConfirmDialog>
  );
}

function ExportDialog({
  loaded: { gotcha },
  onClose,
}: {
  readonly loaded: LoadedGotcha;
  readonly onClose: () => void;
}) {
  const [exported, setExported] = useState<EntryExport | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { id, answers } = gotcha;
  useEffect(() => {
    let isShown = true;
    void call('gotchas:export', { id }).then((answer) => {
      if (!isShown) return;
      if (answer.ok) setExported(answer.value);
      else setProblem(answer.error);
    });
    return () => {
      isShown = false;
    };
  }, [id]);
  return (
    <Dialog
      isWide
      title={`Export ${id}`}
      description="For a pull request to the catalog. Nothing is sent: copy it, and read it before you pass it on, for names and paths of yours are in it."
      onClose={onClose}
    >
      <div className={styles['form']}>
        {answers !== null && <p>{belongsWhere(answers).because}</p>}
        {problem !== null && <ProblemNote problem={problem} />}
        {exported !== null && (
          <>
            <pre className={styles['yaml']} tabIndex={0} aria-label="As Markdown">
              {exported.markdown}
            </pre>
            <div className={styles['actions']}>
              <CopyButton text={exported.markdown} label="Copy as Markdown" />
              <CopyButton text={exported.yaml} label="Copy as YAML" />
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}
