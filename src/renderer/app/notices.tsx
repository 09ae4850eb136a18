import { X } from 'lucide-react';
import type { Problem } from '../../shared/problem.ts';
import type { Notice } from '../../shared/streams/app-streams.ts';
import { logRequested, noticeDismissed } from '../state/actions.ts';
import { useNotices } from '../state/feeds.ts';
import type { Feed } from '../state/stream-client.ts';
import { failureDismissed, useView } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './notices.module.css';

const NONE: readonly Notice[] = [];
const selectNotices = (feed: Feed<readonly Notice[]>): readonly Notice[] =>
  feed.kind === 'live' ? feed.state : NONE;

/** What the person should know about this machine, and actions that were refused without a form to show it in. */
export function Notices() {
  const notices = useNotices(selectNotices);
  const failures = useView((view) => view.failures);
  const isEmpty = notices.length === 0 && failures.length === 0;
  return (
    <section aria-label="Notices" role="status">
      {!isEmpty && (
        <div className={styles['list']}>
          {notices.map(({ id, problem }) => (
            <Banner key={id} problem={problem} onDismiss={() => noticeDismissed(id)} />
          ))}
          {failures.map((problem, i) => (
            <Banner key={i} problem={problem} onDismiss={() => failureDismissed(problem)} />
          ))}
        </div>
      )}
    </section>
  );
}

function Banner({
  problem,
  onDismiss,
}: {
  readonly problem: Problem;
  readonly onDismiss: () => void;
}) {
  return (
    <ProblemNote
      problem={problem}
      actions={
        <>
          {problem.code === 'internal' && (
            <Button size="small" onClick={logRequested}>
              Show log
            </Button>
          )}
          <Button look="quiet" size="small" isIcon aria-label="Dismiss" onClick={onDismiss}>
            <X size={15} />
          </Button>
        </>
      }
    />
  );
}
