import * as Tabs from 'radix-ui/tabs';
import { Suspense, type ReactNode } from 'react';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { platformName } from '../../shared/profiles/platform-names.ts';
import type { ArchivedBox as Archived } from '../../shared/teardown/archived-box.ts';
import { textOf } from '../../shared/runs/launch/run-words.ts';
import tabStyles from '../box/box-page.module.css';
import { PastAlerts } from '../box/alerts/past-alerts.tsx';
import { ALERT_LOG } from '../box/alerts/alert-log.ts';
import { Overview } from '../box/overview/overview.tsx';
import { ReceiptStep } from '../box/teardown/receipt-step.tsx';
import { useTeardown } from '../box/teardown/use-teardown.ts';
import { Verdict } from '../box/teardown/verdict.tsx';
import { useBoxFeed } from '../state/box-feed.ts';
import type { BoxEntry } from '../state/box-entry.ts';
import { selectAlerts, selectMeter, useAlerts, useMeter } from '../state/feeds.ts';
import { useProfile } from '../state/profiles.ts';
import { archiveChosen, costsChosen, tabChosen, type BoxTab } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { formatBytes, formatCount, formatDate } from '../ui/format.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState, FailedState, LoadingState } from '../ui/panel-state.tsx';
import styles from './archive.module.css';
import { afterEndWords, NO_APPROVAL, wholeCostWords } from './archive-words.ts';
import { useArchive } from './use-archive.ts';

/** Of a box that is gone there is less to see: nothing that would need it. */
const TABS = ['teardown', 'runs', 'overview', 'alerts'] as const;
type ArchivedTab = (typeof TABS)[number];

const TAB_WORDS: Readonly<Record<ArchivedTab, string>> = {
  teardown: 'Receipt',
  runs: 'Results',
  overview: 'Charts',
  alerts: 'Alerts',
};

/** Null: being read. */
type ReadArchived = Result<Archived, Problem> | null;

function archivedIn(
  archive: Result<readonly Archived[], Problem>,
  boxId: string,
): Result<Archived, Problem> {
  if (!archive.ok) return archive;
  const found = archive.value.find((each) => each.boxId === boxId);
  return found === undefined
    ? err(problem('internal', 'The evidence does not have the end of this box.'))
    : ok(found);
}

interface ArchivedBoxProps {
  readonly entry: BoxEntry;
  readonly tab: BoxTab;
}

/** What is kept of a box that is gone. All of it is read here, and nothing is asked of any machine. */
export function ArchivedBox({ entry, tab }: ArchivedBoxProps) {
  const { box } = entry;
  const archive = useArchive();
  const shown = TABS.find((each) => each === tab) ?? 'teardown';
  const archived = archive === null ? null : archivedIn(archive, box.id);
  return (
    <>
      <PageHeader
        title={box.name}
        meta={`${platformName(box.platform)} · gone since ${formatDate(box.archivedAtMs ?? 0)}`}
        actions={
          <>
            <Button onClick={archiveChosen}>All archived boxes</Button>
            <Button onClick={() => costsChosen(box.id)}>Costs</Button>
          </>
        }
      >
        <span className={styles['chip']}>Archived</span>
      </PageHeader>
      <div className={tabStyles['body']}>
        <Sums boxId={box.id} archived={archived?.ok === true ? archived.value : null} />
        <Tabs.Root
          className={tabStyles['tabs']}
          value={shown}
          onValueChange={(value) => tabChosen(box.id, value as ArchivedTab)}
        >
          <Tabs.List className={tabStyles['tabList']} aria-label={`What is kept of ${box.name}`}>
            {TABS.map((each) => (
              <Tabs.Trigger key={each} value={each} className={tabStyles['tab']}>
                {TAB_WORDS[each]}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <Tabs.Content className={tabStyles['panel']} value={shown}>
            <Suspense fallback={<LoadingState title="Opening…" />}>
              {panelOf(shown, entry, archived)}
            </Suspense>
          </Tabs.Content>
        </Tabs.Root>
      </div>
    </>
  );
}

function panelOf(tab: ArchivedTab, entry: BoxEntry, archived: ReadArchived): ReactNode {
  switch (tab) {
    case 'teardown':
      return <Receipt entry={entry} />;
    case 'runs':
      return <Results read={archived} />;
    case 'overview':
      return <Overview entry={entry} />;
    case 'alerts':
      return <Alerts boxId={entry.box.id} />;
  }
}

function Sums({ boxId, archived }: { readonly boxId: string; readonly archived: Archived | null }) {
  const meter = useMeter(selectMeter(boxId));
  const files = archived?.runs?.reduce(
    (sum, { homeFiles, away }) => sum + (away?.files ?? homeFiles),
    0,
  );
  return (
    <dl className={styles['sums']}>
      <div>
        <dt>Total cost</dt>
        <dd>{archived === null ? '…' : wholeCostWords(archived.cost)}</dd>
      </div>
      <div>
        <dt>Storage after the end</dt>
        <dd>{afterEndWords(meter?.perDay.destroyed ?? null)}</dd>
      </div>
      <div>
        <dt>Proven when its end was approved</dt>
        <dd>
          {archived === null ? '…' : files === undefined ? NO_APPROVAL : formatCount(files, 'file')}
        </dd>
      </div>
    </dl>
  );
}

function Receipt({ entry }: { readonly entry: BoxEntry }) {
  const { id, platform } = entry.box;
  const view = useTeardown(id);
  const profile = useProfile(platform);
  if (view === null) return <LoadingState title="Reading the evidence…" />;
  const { gate, receipt } = view;
  return (
    <section className={styles['panel']} aria-label="Receipt">
      <Verdict view={view} profile={profile} />
      {gate.kind === 'gone' && <ReceiptStep box={entry.box} {...{ gate, receipt }} />}
    </section>
  );
}

function Results({ read }: { readonly read: ReadArchived }) {
  if (read === null) return <LoadingState title="Reading the evidence…" />;
  if (!read.ok) return <FailedState problem={read.error} />;
  const { runs } = read.value;
  if (runs === null) {
    return (
      <EmptyState title="Results cannot be read">
        <p>The approval of its end cannot be read, and what its runs had left stands only there.</p>
      </EmptyState>
    );
  }
  if (runs.length === 0) {
    return (
      <EmptyState title="No results">
        <p>Its runs had left nothing when its end was approved.</p>
      </EmptyState>
    );
  }
  return (
    <div className={styles['panel']}>
      <table className={styles['table']}>
        <caption>What its runs had left when its end was approved</caption>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Proven</th>
            <th scope="col">Size</th>
            <th scope="col">Brought home to</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.path}>
              <th scope="row">
                {textOf(run.runName)}
                <small className="mono">{textOf(run.path)}</small>
              </th>
              <td>
                {run.away === undefined
                  ? `${String(run.homeFiles)} of ${formatCount(run.files, 'file')}`
                  : `${formatCount(run.away.files, 'file')}, not on the box any more`}
              </td>
              <td>{formatBytes(run.away?.bytes ?? run.homeBytes)}</td>
              <td className={styles['folders']}>
                {run.to === null ? 'none' : <span className="mono selectable">{run.to}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Alerts({ boxId }: { readonly boxId: string }) {
  const open = useAlerts(selectAlerts(boxId)) ?? [];
  const log = useBoxFeed(boxId, ALERT_LOG);
  return (
    <div className={styles['panel']}>
      {open.length > 0 && (
        <section aria-label="Open when the box ended">
          <h2>Open when the box ended</h2>
          <ul>
            {open.map(({ id, finding }) => (
              <li key={id}>{finding.headline}</li>
            ))}
          </ul>
        </section>
      )}
      <PastAlerts log={log} />
    </div>
  );
}
