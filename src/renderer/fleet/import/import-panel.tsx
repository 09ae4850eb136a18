import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type {
  ConfigListing,
  ImportOutcome,
} from '../../../shared/boxes/ssh-config/config-listing.ts';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';
import { selectEntries, useFleet, useSshConfig } from '../../state/feeds.ts';
import { boxChosen } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { EmptyState, FailedState, LoadingState } from '../../ui/panel-state.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { ConfigChanges } from './config-changes.tsx';
import { ConfigNotes } from './config-notes.tsx';
import { HostList } from './host-list.tsx';
import { selectMatching, splitNotes, toRows } from './import-model.ts';
import styles from './import.module.css';

// As in shared/ipc/box-inputs.ts, whose schemas the window does not load.
const MAX_IMPORT = 200;

type Reading =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'read'; readonly listing: ConfigListing };

/** The hosts of ~/.ssh/config: look for some, choose several, add them. */
export function ImportPanel({ onClose }: { readonly onClose: () => void }) {
  const reading = useListing();
  return (
    <div className={styles['panel']}>
      <ConfigChanges />
      {reading.kind === 'reading' && <LoadingState title="Reading your SSH config…" />}
      {reading.kind === 'failed' && <FailedState problem={reading.problem} />}
      {reading.kind === 'read' && <Listing listing={reading.listing} onClose={onClose} />}
    </div>
  );
}

/** Read when the panel opens, and again when the files change on disk. What was read stays while it is read again. */
function useListing(): Reading {
  const revision = useSshConfig((feed) => (feed.kind === 'live' ? feed.state.revision : 0));
  const [reading, setReading] = useState<Reading>({ kind: 'reading' });
  useEffect(() => {
    let isCurrent = true;
    void call('ssh-config:read', {}).then((answer) => {
      if (!isCurrent) return;
      setReading(
        answer.ok
          ? { kind: 'read', listing: answer.value }
          : { kind: 'failed', problem: answer.error },
      );
    });
    return () => {
      isCurrent = false;
    };
  }, [revision]);
  return reading;
}

interface ListingProps {
  readonly listing: ConfigListing;
  readonly onClose: () => void;
}

function Listing({ listing, onClose }: ListingProps) {
  const entries = useFleet(selectEntries);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [outcome, setOutcome] = useState<ImportOutcome | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [isSending, setIsSending] = useState(false);
  const boxes = useMemo(() => entries.map(({ box }) => box), [entries]);
  const { hosts, notes, shared } = useMemo(() => splitNotes(listing), [listing]);
  const rows = useMemo(() => toRows(hosts, boxes), [hosts, boxes]);
  // Typing stays quick while a list of thousands is narrowed down behind it.
  const wanted = useDeferredValue(query);
  const shown = useMemo(() => selectMatching(rows, wanted), [rows, wanted]);
  const selected = rows.filter(({ host, state }) => state === 'new' && chosen.has(host.name));

  if (listing.hosts.length === 0) return <NoHosts listing={listing} onClose={onClose} />;

  async function add(): Promise<void> {
    setIsSending(true);
    const hosts = selected.map(({ host }) => ({ host: host.name, digest: host.digest ?? '' }));
    const answer = await call('ssh-config:import', { hosts });
    setIsSending(false);
    setRefusal(answer.ok ? null : answer.error);
    if (!answer.ok) return;
    const { added, refused } = answer.value;
    setOutcome(answer.value);
    setChosen(new Set());
    const [only] = added;
    if (refused.length > 0) return;
    if (added.length === 1 && only !== undefined) boxChosen(only);
    else onClose();
  }

  return (
    <>
      <Field
        label={`Search ${listing.hosts.length.toLocaleString('en')} hosts`}
        autoFocus
        value={query}
        onValue={setQuery}
      />
      <HostList rows={shown} chosen={chosen} onChosen={setChosen} />
      <ConfigNotes notes={shared} what="not used for any host" />
      <ConfigNotes notes={notes} what="not understood" />
      {outcome !== null && outcome.refused.length > 0 && <Refused outcome={outcome} />}
      <Refusal problem={refusal} />
      <p className={styles['promise']}>
        Nothing is sent to a box until you connect, and nothing in the config is run to read it.
        {selected.length > MAX_IMPORT && ` At most ${MAX_IMPORT} are added at once.`}
      </p>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        <Button
          look="primary"
          disabled={isSending || selected.length === 0 || selected.length > MAX_IMPORT}
          onClick={() => void add()}
        >
          {addWords(selected.length)}
        </Button>
      </DialogFooter>
    </>
  );
}

function addWords(count: number): string {
  if (count === 0) return 'Add boxes';
  return count === 1 ? 'Add 1 box' : `Add ${count} boxes`;
}

function NoHosts({ listing, onClose }: ListingProps) {
  const [first] = listing.files;
  return (
    <>
      <EmptyState title={first === undefined ? 'There is no SSH config' : 'It names no host'}>
        {first === undefined
          ? 'Leasehold looked for .ssh/config in your home folder.'
          : `${listing.files.join(', ')}: only Host lines without wildcards become boxes.`}
      </EmptyState>
      <ConfigNotes notes={listing.notes} what="not understood" />
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </>
  );
}

function Refused({ outcome: { added, refused } }: { readonly outcome: ImportOutcome }) {
  return (
    <div role="alert" className={styles['refused']}>
      <p>
        {added.length} added, {refused.length} not:
      </p>
      <ul>
        {refused.map(({ host, because }) => (
          <li key={host}>
            <b>{host}</b>: {because}
          </li>
        ))}
      </ul>
    </div>
  );
}
