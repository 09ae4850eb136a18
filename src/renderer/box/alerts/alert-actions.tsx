import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { alertReport } from '../../../shared/alerts/alert-report.ts';
import { MAX_SNOOZE_MS, type Alert } from '../../../shared/alerts/alert.ts';
import type { Finding } from '../../../shared/detectors/finding.ts';
import { formatWhen } from '../../../shared/clocks/when.ts';
import { incidentOfFinding } from '../../../shared/gotchas/incident.ts';
import { NewEntryButton } from '../../handbook/new-entry-button.tsx';
import { platformName } from '../../../shared/profiles/platform-names.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { call } from '../../state/bridge.ts';
import { overlayOpened, tabChosen } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { SnoozeForm } from '../clocks/snooze-form.tsx';
import { SnoozeMenu } from '../clocks/snooze-menu.tsx';
import { alertDismissed, alertWoken } from './alert-calls.ts';
import styles from './alerts-tab.module.css';
import { CONCERNS_HOLDERS, CONCERNS_MACHINE, CONCERNS_SECRETS } from './card-actions.ts';
import { fixPlacesOf } from './fix-actions.ts';

const HoldersDialog = lazy(async () => ({
  default: (await import('../processes/holders-dialog.tsx')).HoldersDialog,
}));

interface AlertActionsProps {
  readonly entry: BoxEntry;
  readonly finding: Finding;
  /** Null: it is not followed yet. */
  readonly alert: Alert | null;
}

/** What can be done about an alert here. Nothing on the box changes before a person has seen what would, and said so. */
export function AlertActions({ entry: { box, link }, finding, alert }: AlertActionsProps) {
  const boxId = box.id;
  const [isPuttingOff, setPuttingOff] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const snoozeButton = useRef<HTMLButtonElement>(null);
  const wasPuttingOff = useRef(false);
  // The form takes the place of the button, and gives it back with the focus.
  useEffect(() => {
    if (wasPuttingOff.current && !isPuttingOff) snoozeButton.current?.focus();
    wasPuttingOff.current = isPuttingOff;
  }, [isPuttingOff]);
  if (alert !== null && isPuttingOff) {
    return <PutOff boxId={boxId} alert={alert} onDone={() => setPuttingOff(false)} />;
  }
  return (
    <div className={styles['actions']}>
      {fixPlacesOf(finding.detector).map(({ tab, label }) => (
        <Button key={tab} size="small" onClick={() => tabChosen(boxId, tab)}>
          {label}
        </Button>
      ))}
      {CONCERNS_HOLDERS.has(finding.detector) && (
        <Button
          size="small"
          disabled={link.kind !== 'up'}
          title="Lists every process that has a GPU open, also those that nvidia-smi leaves out. Changes nothing."
          onClick={() => setIsAsking(true)}
        >
          Find what holds VRAM…
        </Button>
      )}
      {CONCERNS_SECRETS.has(finding.detector) && (
        <Button size="small" onClick={() => overlayOpened({ kind: 'send-secret', boxId })}>
          Send a secret…
        </Button>
      )}
      {CONCERNS_MACHINE.has(finding.detector) && (
        <CopyButton
          text={alertReport({ name: box.name, platform: platformName(box.platform) }, finding)}
          label="Copy a report"
        />
      )}
      {alert !== null && alert.stage.kind === 'snoozed' && (
        <Button size="small" onClick={() => alertWoken(boxId, alert.id)}>
          End snooze
        </Button>
      )}
      {alert !== null && (
        <SnoozeMenu
          ref={snoozeButton}
          label={alert.stage.kind === 'snoozed' ? 'Snooze longer…' : 'Snooze…'}
          latestMs={Infinity}
          put={putOff(boxId, alert)}
          onUntil={() => setPuttingOff(true)}
        />
      )}
      {alert !== null && finding.notSeenBecause !== null && (
        <Button
          size="small"
          title="No check can see it now. A check that finds it again reopens it."
          onClick={() => alertDismissed(boxId, alert.id)}
        >
          Mark as resolved
        </Button>
      )}
      <NewEntryButton seen={incidentOfFinding(finding, box.platform)} boxId={boxId} />
      {isAsking && (
        <Suspense fallback={null}>
          <HoldersDialog boxId={boxId} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </div>
  );
}

interface PutOffProps {
  readonly boxId: string;
  readonly alert: Alert;
  readonly onDone: () => void;
}

function PutOff({ boxId, alert, onDone }: PutOffProps) {
  const [openedAtMs] = useState(() => Date.now());
  return (
    <SnoozeForm
      label="Snooze until"
      latest={{ ms: openedAtMs + MAX_SNOOZE_MS, words: 'At most 31 days.' }}
      put={putOff(boxId, alert)}
      onDone={onDone}
    />
  );
}

const putOff = (boxId: string, alert: Alert) => (untilMs: number) =>
  call('alerts:snooze', { boxId, alertId: alert.id, untilMs });

/** How the alert stands with the person; an alert that they have seen says nothing more. */
export function StageChip({ alert, isNew }: { readonly alert: Alert; readonly isNew: boolean }) {
  const { stage } = alert;
  if (stage.kind === 'snoozed') {
    return <span className={styles['chip']}>Snoozed until {formatWhen(stage.untilMs)}</span>;
  }
  return isNew ? <span className={styles['chip']}>New</span> : null;
}
