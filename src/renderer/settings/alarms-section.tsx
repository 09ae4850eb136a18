import { useState, type FormEvent } from 'react';
import { DEFAULT_MARKS_MS } from '../../shared/clocks/escalation.ts';
import { parseMarks, writeMarks } from '../../shared/clocks/mark-words.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import { settingsChanged } from '../state/actions.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { SettingsGroup } from './settings-group.tsx';
import styles from './settings-page.module.css';
import { WebhookSection } from './webhook-section.tsx';

/** When danger clocks ring, and where else than on this machine. */
export function AlarmsSection({ settings }: { readonly settings: Settings }) {
  const stored = writeMarks(settings.alarmMarksMs);
  return (
    <SettingsGroup title="Danger clocks">
      <Marks key={stored} stored={stored} />
      <WebhookSection />
    </SettingsGroup>
  );
}

function Marks({ stored }: { readonly stored: string }) {
  const [text, setText] = useState(stored);
  const read = parseMarks(text);
  const isSame = typeof read !== 'string' && writeMarks(read) === stored;
  const usual = writeMarks(DEFAULT_MARKS_MS);

  function submitted(event: FormEvent): void {
    event.preventDefault();
    if (typeof read === 'string') return;
    // What is understood is what stands there then, sorted and each once.
    if (isSame) setText(stored);
    else settingsChanged({ alarmMarksMs: [...read] });
  }

  return (
    <form className={styles['marks']} onSubmit={submitted}>
      <Field
        label="Remind me before a deadline"
        placeholder="none: only when the time is over"
        value={text}
        error={typeof read === 'string' ? read : null}
        hint={
          typeof read !== 'string' && read.length === 0
            ? 'Without marks a clock rings only when its time is over, and then nothing can be done.'
            : 'By notification, and to the webhook if there is one. Once more when the time is over.'
        }
        onValue={setText}
      />
      <Button type="submit" disabled={typeof read === 'string' || text === stored}>
        Save
      </Button>
      {stored !== usual && (
        <Button
          look="quiet"
          onClick={() => settingsChanged({ alarmMarksMs: [...DEFAULT_MARKS_MS] })}
        >
          Reset to default
        </Button>
      )}
    </form>
  );
}
