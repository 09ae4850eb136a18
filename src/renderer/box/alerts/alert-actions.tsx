import { useState } from 'react';
import { MAX_SNOOZE_MS, type Alert } from '../../../shared/alerts/alert.ts';
import type { Finding } from '../../../shared/detectors/finding.ts';
import { formatWhen } from '../../../shared/clocks/when.ts';
import { call } from '../../state/bridge.ts';
import { tabChosen } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { SnoozeForm } from '../clocks/snooze-form.tsx';
import { alertDismissed, alertWoken } from './alert-calls.ts';
import { tomorrowMs } from './alert-words.ts';
import styles from './alerts-tab.module.css';
import { fixPlaceOf } from './fix-actions.ts';
import { LOOK_YOURSELF } from './look-yourself.ts';

const HOUR_MS = 3_600_000;

interface AlertActionsProps {
  readonly boxId: string;
  readonly finding: Finding;
  /** Null: it is not followed yet. */
  readonly alert: Alert | null;
}

/** What can be done about an alert here. Nothing of it changes anything on the box. */
export function AlertActions({ boxId, finding, alert }: AlertActionsProps) {
  const [isPuttingOff, setPuttingOff] = useState(false);
  const place = fixPlaceOf(finding.detector);
  const commands = LOOK_YOURSELF[finding.detector] ?? [];
  if (alert !== null && isPuttingOff) {
    return <PutOff boxId={boxId} alert={alert} onDone={() => setPuttingOff(false)} />;
  }
  return (
    <div className={styles['actions']}>
      {place !== null && (
        <Button size="small" onClick={() => tabChosen(boxId, place.tab)}>
          {place.label}
        </Button>
      )}
      {commands.length > 0 && (
        <Button size="small" onClick={() => tabChosen(boxId, 'terminal')}>
          Open a terminal
        </Button>
      )}
      {alert !== null && alert.stage.kind === 'snoozed' && (
        <Button size="small" onClick={() => alertWoken(boxId, alert.id)}>
          End the snooze
        </Button>
      )}
      {alert !== null && (
        <Button size="small" onClick={() => setPuttingOff(true)}>
          {alert.stage.kind === 'snoozed' ? 'Snooze longer…' : 'Snooze…'}
        </Button>
      )}
      {alert !== null && finding.notSeenBecause !== null && (
        <Button
          size="small"
          title="No check can see it now. If you know that it is over, say so; a check that finds it again opens it anew."
          onClick={() => alertDismissed(boxId, alert.id)}
        >
          It is over
        </Button>
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
      label="Tell me nothing of this alert until"
      quick={[
        { label: 'In 1 h', atMs: (nowMs) => nowMs + HOUR_MS },
        { label: 'In 8 h', atMs: (nowMs) => nowMs + 8 * HOUR_MS },
        { label: 'Tomorrow', atMs: tomorrowMs },
      ]}
      latest={{ ms: openedAtMs + MAX_SNOOZE_MS, words: 'At most 31 days.' }}
      put={(untilMs) => call('alerts:snooze', { boxId, alertId: alert.id, untilMs })}
      onDone={onDone}
    />
  );
}

/** How the alert stands with the person; an alert that they have seen says nothing more. */
export function StageChip({ alert, isNew }: { readonly alert: Alert; readonly isNew: boolean }) {
  const { stage } = alert;
  if (stage.kind === 'snoozed') {
    return <span className={styles['chip']}>Snoozed until {formatWhen(stage.untilMs)}</span>;
  }
  return isNew ? <span className={styles['chip']}>New</span> : null;
}
