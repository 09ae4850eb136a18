import { useState, type FormEvent } from 'react';
import type { ClockEntries } from '../../../shared/clocks/clock.ts';
import type { Problem } from '../../../shared/problem.ts';
import { fromLocalInput, toLocalInput } from '../../clocks/local-moment.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import styles from './clocks.module.css';
import { MomentField } from './moment-field.tsx';
import type { OwnEntries } from './use-own-entries.ts';

const KINDS = [
  { value: 'deadline', label: 'A deadline' },
  { value: 'prepaid', label: 'Paid until' },
  { value: 'rental-end', label: 'End of the rental' },
] as const;
type Kind = (typeof KINDS)[number]['value'];

interface OwnClockFormProps {
  readonly told: OwnEntries;
  readonly onDone: () => void;
}

/** A date of the person's own, for what no platform counts. */
export function OwnClockForm({ told: { entries, save }, onDone }: OwnClockFormProps) {
  const [kind, setKind] = useState<Kind>('deadline');
  const [what, setWhat] = useState('');
  const [text, setText] = useState(() => toLocalInput(Date.now() + 86_400_000));
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const atMs = fromLocalInput(text);
  const isWhole = entries !== null && atMs !== null && (kind !== 'deadline' || what.trim() !== '');

  async function submitted(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (entries === null || atMs === null || !isWhole) return;
    const refused = await save(withOwn(entries, kind, what.trim(), atMs));
    setRefusal(refused);
    if (refused === null) onDone();
  }

  return (
    <form className={styles['form']} onSubmit={(event) => void submitted(event)}>
      <Segmented label="What it is" options={KINDS} value={kind} onChange={setKind} />
      {kind === 'deadline' && (
        <Field
          label="What happens then"
          placeholder="the paper is due"
          maxLength={200}
          value={what}
          autoFocus
          onValue={setWhat}
        />
      )}
      <MomentField label="When" text={text} onText={setText} />
      <Refusal problem={refusal} />
      <div className={styles['buttons']}>
        <Button type="submit" look="primary" size="small" disabled={!isWhole}>
          Set this clock
        </Button>
        <Button size="small" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function withOwn(entries: ClockEntries, kind: Kind, what: string, atMs: number): ClockEntries {
  switch (kind) {
    case 'deadline': {
      const deadline = { id: crypto.randomUUID(), what, atMs };
      return { ...entries, deadlines: [...entries.deadlines, deadline] };
    }
    case 'prepaid':
      return { ...entries, prepaidUntilMs: atMs };
    case 'rental-end':
      return { ...entries, times: { ...entries.times, 'rental-end': atMs } };
  }
}
