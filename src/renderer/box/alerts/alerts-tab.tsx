import { Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import { isSnoozed, selectShown, type Shown } from '../../../shared/alerts/shown.ts';
import type { BoxFindings } from '../../../shared/detectors/box-findings.ts';
import { detectorIds, subjectKeyOf } from '../../../shared/detectors/finding.ts';
import { CheckButton } from '../cards/check-button.tsx';
import { countChecks } from '../../fleet/finding-words.ts';
import { useBoxFeed } from '../../state/box-feed.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import {
  selectAlerts,
  selectEntry,
  selectReport,
  useAlerts,
  useFindings,
  useFleet,
} from '../../state/feeds.ts';
import { Age } from '../../ui/age.tsx';
import { formatCount } from '../../ui/format.ts';
import { EmptyState, FailedState, LoadingState } from '../../ui/panel-state.tsx';
import { ALERT_LOG } from './alert-log.ts';
import styles from './alerts-tab.module.css';
import { BlindList } from './blind-list.tsx';
import { FindingCard } from './finding-card.tsx';
import { PastAlerts } from './past-alerts.tsx';
import { useSeen } from './use-seen.ts';

/** Of more than these only what they are is shown at first: the worst must not be a page away from the next. */
const MAX_WHOLE = 3;

/** What was found on the box, worst first, what the person put off, what is over, and what could not be looked at. */
export function AlertsTab({ entry }: { readonly entry: BoxEntry }) {
  const boxId = entry.box.id;
  const problem = useFindings((feed) => (feed.kind === 'failed' ? feed.problem : null));
  const report = useFindings(selectReport(boxId));
  const alerts = useAlerts(selectAlerts(boxId));
  const log = useBoxFeed(boxId, ALERT_LOG);
  const [openedAtMs] = useState(() => Date.now());
  useSeen(boxId, alerts?.some(({ stage }) => stage.kind === 'open') === true);
  if (problem !== null) return <FailedState problem={problem} />;
  if (report === null) return <LoadingState title="Waiting for the first check…" />;
  const shown = selectShown(report, alerts);
  const awake = shown.filter((each) => !isSnoozed(each));
  const snoozed = shown.filter(isSnoozed);
  const count = countChecks(report);
  return (
    <div className={styles['alerts']}>
      <p className={styles['bar']}>
        <span>
          {shown.length > 0 && `${formatCount(shown.length, 'alert')} · `}
          {snoozed.length > 0 && `${snoozed.length} snoozed · `}
          {count.looked} of {detectorIds.length} checks ran
        </span>
        <LastLook boxId={boxId} />
      </p>
      {shown.length === 0 && <NothingFound entry={entry} report={report} />}
      <AlertList label="Alerts, the worst first" {...{ entry, openedAtMs }} shown={awake} />
      <AlertList label="Snoozed alerts" {...{ entry, openedAtMs }} shown={snoozed} />
      <BlindList blind={report.unknown} count={count.blind} />
      <PastAlerts log={log} />
    </div>
  );
}

interface AlertListProps {
  readonly label: string;
  readonly entry: BoxEntry;
  readonly openedAtMs: number;
  readonly shown: readonly Shown[];
}

function AlertList({ label, entry, openedAtMs, shown }: AlertListProps) {
  if (shown.length === 0) return null;
  return (
    <ul className={styles['list']} aria-label={label}>
      {shown.map(({ finding, alert }, place) => (
        // The card itself where it is known, so that an opened fold stays with it when the numbers change.
        <li key={`${finding.detector} ${subjectKeyOf(finding.subject)}`}>
          <FindingCard {...{ entry, finding, alert, openedAtMs }} isFolded={place >= MAX_WHOLE} />
        </li>
      ))}
    </ul>
  );
}

/** Every reading is judged as it comes, so the last one's age is the age of the last look. */
function LastLook({ boxId }: { readonly boxId: string }) {
  const load = useFleet((feed) => selectEntry(boxId)(feed)?.load ?? null);
  if (load === null) return <span>No readings</span>;
  return (
    <span className="figures">
      Latest reading: {load.kind === 'stale' ? <Age atMs={load.seenAtMs} /> : 'just now'}
    </span>
  );
}

interface NothingFoundProps {
  readonly entry: BoxEntry;
  readonly report: BoxFindings;
}

function NothingFound({ entry, report }: NothingFoundProps) {
  const { looked, blind } = countChecks(report);
  if (looked === 0) {
    return (
      <EmptyState
        icon={<BellOff size={28} strokeWidth={1.4} />}
        title="No check could run"
        actions={<CheckButton {...entry} hasLooked />}
      >
        <p>None of the {blind} checks could run, so something may be wrong all the same.</p>
      </EmptyState>
    );
  }
  const title = `All clear · ${looked} of ${detectorIds.length} checks ran`;
  return (
    <EmptyState icon={<Bell size={28} strokeWidth={1.4} />} title={title}>
      {blind > 0 && <p>{formatCount(blind, 'check')} couldn’t run. See why below.</p>}
    </EmptyState>
  );
}
