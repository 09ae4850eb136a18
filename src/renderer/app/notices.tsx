import { X } from 'lucide-react';
import type { Problem } from '../../shared/problem.ts';
import type { Notice } from '../../shared/streams/app-streams.ts';
import { logRequested, noticeDismissed } from '../state/actions.ts';
import { selectConfigChanges, useNotices, useSshConfig } from '../state/feeds.ts';
import type { Feed } from '../state/stream-client.ts';
import { failureDismissed, overlayOpened, useView } from '../state/view.ts';
import { changedWords } from '../fleet/import/changed-words.ts';
import { Button } from '../ui/button.tsx';
import { Glyph } from '../ui/glyph.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './notices.module.css';

const NONE: readonly Notice[] = [];
const selectNotices = (feed: Feed<readonly Notice[]>): readonly Notice[] =>
  feed.kind === 'live' ? feed.state : NONE;

/** What the person should know about this machine, and actions that were refused without a form to show it in. */
export function Notices() {
  const notices = useNotices(selectNotices);
  const failures = useView((view) => view.failures);
  const changed = useSshConfig(selectConfigChanges).length;
  const isEmpty = notices.length === 0 && failures.length === 0 && changed === 0;
  return (
    <section aria-label="Notices" role="status">
      {!isEmpty && (
        <div className={styles['list']}>
          {changed > 0 && <ConfigOffer count={changed} />}
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

/** Nothing is taken over unless the person looks and says so. */
function ConfigOffer({ count }: { readonly count: number }) {
  return (
    <div className={styles['offer']}>
      <Glyph tone="warn" />
      <span>{changedWords(count)}. Nothing was taken over.</span>
      <Button size="small" onClick={() => overlayOpened({ kind: 'add-box', way: 'import' })}>
        See what changed
      </Button>
    </div>
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
