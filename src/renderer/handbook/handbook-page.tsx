import { Plus, Printer } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { printRequested } from '../state/actions.ts';
import { handbookChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { FailedState, LoadingState } from '../ui/panel-state.tsx';
import { EntryEditor } from './entry-editor.tsx';
import { GotchaEntry } from './gotcha-entry.tsx';
import { GotchaList } from './gotcha-list.tsx';
import { gotchasNeeded, useGotchas, type GotchasState } from './gotchas.ts';
import { HandbookFilters } from './handbook-filters.tsx';
import styles from './handbook-page.module.css';
import { HandbookSearch } from './handbook-search.tsx';
import { useHandbookView } from './handbook-view.ts';
import { selectResults } from './results.ts';
import { TriageNote } from './triage-note.tsx';
import { UnusedFiles } from './unused-files.tsx';
import { emptyEntryBegun, useWriting } from './writing.ts';

/** Every known way in which a run on a rented GPU dies, lies or burns money: to be searched, read and printed. */
export function HandbookPage({ entry }: { readonly entry: string | null }) {
  const state = useGotchas();
  useEffect(gotchasNeeded, []);
  const count = state.kind === 'known' ? state.gotchas.all.length : null;
  return (
    <>
      <PageHeader
        title="Handbook"
        {...(count !== null && { meta: `${formatCount(count, 'known trap')} on rented GPUs` })}
        actions={
          <>
            <Button disabled={count === null} onClick={() => void emptyEntryBegun()}>
              <Plus size={15} aria-hidden /> New entry
            </Button>
            <Button
              disabled={entry === null}
              title={entry === null ? 'Open an entry to print it' : `Print ${entry}`}
              onClick={printRequested}
            >
              <Printer size={15} aria-hidden /> Print
            </Button>
          </>
        }
      />
      {(state.kind === 'unasked' || state.kind === 'loading') && (
        <LoadingState title="Reading the handbook…" />
      )}
      {state.kind === 'failed' && (
        <FailedState
          problem={state.problem}
          actions={<Button onClick={gotchasNeeded}>Try again</Button>}
        />
      )}
      {state.kind === 'known' && <Reader state={state} entry={entry} />}
    </>
  );
}

interface ReaderProps {
  readonly state: Extract<GotchasState, { kind: 'known' }>;
  readonly entry: string | null;
}

function Reader({ state: { gotchas, byId, ownIds, index }, entry }: ReaderProps) {
  const writing = useWriting((state) => state.writing);
  // Not deferred: Enter right behind a paste opens what fits the paste.
  const asked = useHandbookView();
  const results = useMemo(
    () => selectResults(index, byId, ownIds, asked),
    [index, byId, ownIds, asked],
  );
  const first = results.groups[0]?.rows[0]?.gotcha.id ?? null;
  const finder = useRef<HTMLElement>(null);
  return (
    <div className={styles['reader']}>
      <section ref={finder} className={styles['finder']} aria-label="Find an entry">
        <HandbookSearch
          onEnter={() => first !== null && handbookChosen(first)}
          onDown={() => finder.current?.querySelector<HTMLElement>('[data-roving]')?.focus()}
        />
        {asked.pasted !== null && <TriageNote text={asked.pasted.text} byId={byId} />}
        {writing !== null && entry !== null && (
          <p className={styles['writing']}>
            <span>You are writing an entry.</span>
            <Button size="small" onClick={() => handbookChosen(null)}>
              Continue
            </Button>
          </p>
        )}
        <HandbookFilters hasOwn={ownIds.size > 0} />
        <GotchaList results={results} current={entry} total={byId.size} ownIds={ownIds} />
        <UnusedFiles faults={gotchas.faults} />
      </section>
      {writing !== null && entry === null ? (
        <EntryEditor writing={writing} />
      ) : (
        <GotchaEntry id={entry} byId={byId} gotchas={gotchas} />
      )}
    </div>
  );
}
