import { Bell, BellOff } from 'lucide-react';
import type { BoxFindings } from '../../../shared/detectors/box-findings.ts';
import { detectorIds } from '../../../shared/detectors/finding.ts';
import { countChecks } from '../../fleet/finding-words.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { selectEntry, selectReport, useFindings, useFleet } from '../../state/feeds.ts';
import { Age } from '../../ui/age.tsx';
import { formatCount } from '../../ui/format.ts';
import { EmptyState, FailedState, LoadingState } from '../../ui/panel-state.tsx';
import styles from './alerts-tab.module.css';
import { BlindList } from './blind-list.tsx';
import { FindingCard } from './finding-card.tsx';

/** What the checks say about the box: what was found, worst first, and what could not be looked at. */
export function AlertsTab({ entry }: { readonly entry: BoxEntry }) {
  const problem = useFindings((feed) => (feed.kind === 'failed' ? feed.problem : null));
  const report = useFindings(selectReport(entry.box.id));
  if (problem !== null) return <FailedState problem={problem} />;
  if (report === null) return <LoadingState title="Waiting for the first look…" />;
  const { findings, unknown } = report;
  const count = countChecks(report);
  return (
    <div className={styles['alerts']}>
      <p className={styles['bar']}>
        <span>
          {findings.length > 0 && `${formatCount(findings.length, 'finding')} · `}
          {count.looked} of {detectorIds.length} checks could look
        </span>
        <LastLook boxId={entry.box.id} />
      </p>
      {findings.length === 0 && <NothingFound report={report} />}
      {findings.length > 0 && (
        <ul className={styles['list']} aria-label="Findings, the worst first">
          {findings.map((finding) => (
            <li key={`${finding.detector} ${subjectKey(finding.subject)}`}>
              <FindingCard finding={finding} />
            </li>
          ))}
        </ul>
      )}
      <BlindList blind={unknown} count={count.blind} />
    </div>
  );
}

/** The card itself where it is known, so that an opened fold stays with it when the numbers change. */
function subjectKey(subject: BoxFindings['findings'][number]['subject']): string {
  return subject.kind === 'box' ? 'box' : (subject.uuid ?? `#${subject.index}`);
}

/** Every reading is judged as it comes, so the last one's age is the age of the last look. */
function LastLook({ boxId }: { readonly boxId: string }) {
  const atMs = useFleet((feed) => selectEntry(boxId)(feed)?.latest?.atMs ?? null);
  if (atMs === null) return <span>No reading has come yet</span>;
  return (
    <span className="figures">
      Last look at a reading <Age atMs={atMs} />
    </span>
  );
}

function NothingFound({ report }: { readonly report: BoxFindings }) {
  const { looked, blind } = countChecks(report);
  if (looked === 0) {
    return (
      <EmptyState icon={<BellOff size={28} strokeWidth={1.4} />} title="Nothing is known">
        <p>
          None of the {blind} checks could look. That no finding is shown here does not mean that
          nothing is wrong.
        </p>
      </EmptyState>
    );
  }
  const title = `Nothing found by the ${formatCount(looked, 'check')} that could look`;
  return (
    <EmptyState icon={<Bell size={28} strokeWidth={1.4} />} title={title}>
      {blind > 0 && (
        <p>
          {blind} could not, and what {blind === 1 ? 'it looks' : 'they look'} for is unknown, not
          fine: the list below says why.
        </p>
      )}
    </EmptyState>
  );
}
