import { useState, type FormEvent } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import { fromLocalInput, toLocalInput } from '../../clocks/local-moment.ts';
import { call } from '../../state/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import styles from './clocks.module.css';
import { MomentField } from './moment-field.tsx';

const HOUR_MS = 3_600_000;
const QUICK = [
  { label: '1 h', ms: HOUR_MS },
  { label: '6 h', ms: 6 * HOUR_MS },
  { label: '24 h', ms: 24 * HOUR_MS },
];

interface SnoozeFormProps {
  readonly boxId: string;
  readonly clockId: string;
  /** When the clock itself runs out: it cannot be put off until then. */
  readonly endMs: number;
  readonly onDone: () => void;
}

/** Puts the notifications of one clock off. The clock itself goes on, and the end of the silence comes before its own. */
export function SnoozeForm({ boxId, clockId, endMs, onDone }: SnoozeFormProps) {
  const [openedAtMs] = useState(() => Date.now());
  const fitting = QUICK.filter(({ ms }) => openedAtMs + ms < endMs);
  const [text, setText] = useState(() =>
    toLocalInput(openedAtMs + (fitting[0]?.ms ?? (endMs - openedAtMs) / 2)),
  );
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const untilMs = fromLocalInput(text);
  const error = judge(untilMs, openedAtMs, endMs);

  async function submitted(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (untilMs === null || error !== null) return;
    const put = await call('clocks:snooze', { boxId, clockId, untilMs });
    if (put.ok) onDone();
    else setRefusal(put.error);
  }

  return (
    <form className={styles['form']} onSubmit={(event) => void submitted(event)}>
      <MomentField
        label="Tell me nothing of this clock until"
        text={text}
        error={error}
        autoFocus
        onText={setText}
      />
      <Refusal problem={refusal} />
      <div className={styles['buttons']}>
        {fitting.map(({ label, ms }) => (
          <Button key={label} size="small" onClick={() => setText(toLocalInput(Date.now() + ms))}>
            In {label}
          </Button>
        ))}
        <Button type="submit" look="primary" size="small" disabled={error !== null}>
          Snooze
        </Button>
        <Button size="small" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function judge(untilMs: number | null, nowMs: number, endMs: number): string | null {
  if (untilMs === null) return 'A snooze needs an end.';
  if (untilMs <= nowMs) return 'That has passed.';
  return untilMs >= endMs ? 'It must end before the clock runs out.' : null;
}
