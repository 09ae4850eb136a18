import { useEffect, useState } from 'react';
import type { Problem } from '../../shared/problem.ts';
import type { Block } from '../../shared/recovery/page.ts';
import type { Result } from '../../shared/result.ts';
import { PageBlocks } from '../box/recovery/page-blocks.tsx';
import { useAsking } from '../box/teardown/use-teardown.ts';
import { call } from '../state/bridge.ts';
import { archiveChosen, tabChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState, FailedState, LoadingState } from '../ui/panel-state.tsx';
import { Refusal } from '../ui/problem-note.tsx';
import styles from './archive.module.css';
import { FileQuestion } from 'lucide-react';

interface ReceiptPageProps {
  /** Its entry of the evidence. */
  readonly seq: number;
  /** Whose page it was opened from; null: the archive. */
  readonly boxId: string | null;
}

/** The receipt of an end, as it is printed: the same text as its Markdown. */
export function ReceiptPage({ seq, boxId }: ReceiptPageProps) {
  const page = useReceipt(seq);
  const { refusal, isBusy, ask } = useAsking();
  const isThere = page?.ok === true && page.value !== null;
  return (
    <>
      <PageHeader
        title="Receipt"
        meta={`Evidence entry ${String(seq)}`}
        actions={
          <>
            <Button
              onClick={() => (boxId === null ? archiveChosen() : tabChosen(boxId, 'teardown'))}
            >
              Back
            </Button>
            <Button
              disabled={!isThere || isBusy}
              onClick={() => ask(call('app:save-pdf', { name: `receipt-${String(seq)}` }))}
            >
              Save as PDF…
            </Button>
            <Button
              look="primary"
              disabled={!isThere || isBusy}
              onClick={() => ask(call('app:print', {}))}
            >
              Print…
            </Button>
          </>
        }
      />
      {page === null && <LoadingState title="Reading the evidence…" />}
      {page?.ok === false && <FailedState problem={page.error} />}
      {page?.ok === true && page.value === null && (
        <EmptyState icon={<FileQuestion size={30} strokeWidth={1.4} />} title="No such receipt" />
      )}
      {page?.ok === true && page.value !== null && (
        <article className={styles['paper']} aria-label="Receipt" tabIndex={0}>
          <Refusal problem={refusal} />
          <PageBlocks blocks={page.value} />
        </article>
      )}
    </>
  );
}

/** Null: being read. */
function useReceipt(seq: number): Result<readonly Block[] | null, Problem> | null {
  const [page, setPage] = useState<Result<readonly Block[] | null, Problem> | null>(null);
  useEffect(() => {
    let isLeft = false;
    void call('evidence:receipt-page', { seq }).then((read) => {
      if (!isLeft) setPage(read);
    });
    return () => {
      isLeft = true;
    };
  }, [seq]);
  return page;
}
