import { useEffect, useState } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import type { BoxCopy, RecoveryPage } from '../../../shared/recovery/recovery-page.ts';
import type { Result } from '../../../shared/result.ts';
import { call } from '../../state/bridge.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FailedState, LoadingState } from '../../ui/panel-state.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Switch } from '../../ui/switch.tsx';
import { PageBlocks } from './page-blocks.tsx';
import styles from './recovery-dialog.module.css';

interface RecoveryDialogProps {
  readonly boxId: string;
  /** The person asked for the text on the clipboard: it goes there as soon as it is known. */
  readonly isToCopy: boolean;
  readonly onClose: () => void;
}

/** How a person goes on with a box when this window is not there. */
export function RecoveryDialog({ boxId, isToCopy, onClose }: RecoveryDialogProps) {
  const [read, setRead] = useState<Result<RecoveryPage, Problem> | null>(null);
  const [asked, setAsked] = useState(0);
  const [isCopied, setIsCopied] = useState<boolean | null>(null);
  useEffect(() => {
    let isShown = true;
    void call('recovery:read', { boxId }).then((answer) => {
      if (!isShown) return;
      setRead(answer);
      if (isToCopy && asked === 0 && answer.ok) setIsCopied(copyText(answer.value.markdown));
    });
    return () => {
      isShown = false;
    };
  }, [boxId, asked, isToCopy]);
  return (
    <Dialog
      title="Recovery handbook"
      description="How to reach this box and go on with its runs, for a day on which Leasehold is not at hand. It is kept current as a file."
      isWide
      onClose={onClose}
    >
      {isCopied !== null && (
        <p className={styles['said']} role="status">
          {isCopied ? 'It is on the clipboard now, as Markdown.' : 'It could not be copied.'}
        </p>
      )}
      {read === null && <LoadingState title="Writing it down…" />}
      {read?.ok === false && <FailedState problem={read.error} />}
      {read?.ok === true && (
        <Page
          boxId={boxId}
          page={read.value}
          onChanged={setRead}
          onRefresh={() => setAsked(asked + 1)}
        />
      )}
    </Dialog>
  );
}

interface PageProps {
  readonly boxId: string;
  readonly page: RecoveryPage;
  readonly onChanged: (answer: Result<RecoveryPage, Problem>) => void;
  readonly onRefresh: () => void;
}

function Page({ boxId, page, onChanged, onRefresh }: PageProps) {
  return (
    <>
      <div className={styles['bar']}>
        <CopyButton text={page.markdown} label="Copy as Markdown" />
        <Button size="small" onClick={onRefresh}>
          Refresh
        </Button>
        <span className={styles['muted']}>
          From what was known <Age atMs={page.atMs} />
        </span>
      </div>
      <p className={styles['muted']}>
        On this machine: <span className="mono selectable">{page.file}</span>
      </p>
      {page.fileProblem !== null && <ProblemNote problem={page.fileProblem} />}
      <CopyOnBox boxId={boxId} copy={page.copy} onChanged={onChanged} />
      <article className={styles['page']} aria-label="The handbook" tabIndex={0}>
        <PageBlocks blocks={page.blocks} />
      </article>
    </>
  );
}

interface CopyOnBoxProps {
  readonly boxId: string;
  readonly copy: BoxCopy;
  readonly onChanged: (answer: Result<RecoveryPage, Problem>) => void;
}

/** The person's yes to a file on the box. */
function CopyOnBox({ boxId, copy, onChanged }: CopyOnBoxProps) {
  const [isBusy, setIsBusy] = useState(false);
  async function chosen(isWanted: boolean): Promise<void> {
    setIsBusy(true);
    onChanged(await call('recovery:set-copy', { boxId, isWanted }));
    setIsBusy(false);
  }
  const { problem = null } = copy.kind === 'none' ? {} : copy;
  return (
    <div className={styles['copy']}>
      <Switch
        label="Keep a copy on the box"
        hint={
          <span className={styles['muted']} role="status">
            {isBusy ? 'Asking the box…' : <CopyWords copy={copy} />}
          </span>
        }
        isOn={copy.kind === 'wanted'}
        onChange={(isOn) => {
          if (!isBusy) void chosen(isOn);
        }}
      />
      {!isBusy && problem !== null && <ProblemNote problem={problem} />}
    </div>
  );
}

function CopyWords({ copy }: { readonly copy: BoxCopy }) {
  switch (copy.kind) {
    case 'none':
      return (
        <>
          Off: nothing of this is on the box. Whoever administers the box could read a copy; it
          holds no secret.
        </>
      );
    case 'wanted':
      return (
        <>
          <span className="mono selectable">{copy.path}</span>, readable by its owner only.{' '}
          {copy.sentAtMs === null ? (
            'Not there.'
          ) : (
            <>
              Read back there <Age atMs={copy.sentAtMs} />.
            </>
          )}
        </>
      );
    case 'leaving':
      return (
        <>
          <span className="mono selectable">{copy.path}</span> is removed when the box is connected.
        </>
      );
  }
}
