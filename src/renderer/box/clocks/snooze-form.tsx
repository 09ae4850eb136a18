import { useState, type FormEvent } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import { fromLocalInput, toLocalInput } from '../../clocks/local-moment.ts';
import { Button } from '../../ui/button.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import styles from './clocks.module.css';
import { MomentField } from './moment-field.tsx';

const HOUR_MS = 3_600_000;

interface SnoozeFormProps {
  readonly label: string;
  /** It ends before this moment; `words` say why. */
  readonly latest: { readonly ms: number; readonly words: string };
  readonly put: (untilMs: number) => Promise<Result<null, Problem>>;
  readonly onDone: () => void;
}

/** Puts what would be told off, to a moment that the person chooses. */
export function SnoozeForm({ label, latest, put, onDone }: SnoozeFormProps) {
  const [openedAtMs] = useState(() => Date.now());
  const [text, setText] = useState(() =>
    toLocalInput(Math.min(openedAtMs + HOUR_MS, (openedAtMs + latest.ms) / 2)),
  );
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const untilMs = fromLocalInput(text);
  const error = judge(untilMs, openedAtMs, latest);

  async function submitted(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (untilMs === null || error !== null) return;
    const done = await put(untilMs);
    if (done.ok) onDone();
    else setRefusal(done.error);
  }

  return (
    <form
      className={styles['form']}
      onSubmit={(event) => void submitted(event)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Of what lies around it, as a dialog, nothing closes.
        event.stopPropagation();
        onDone();
      }}
    >
      <MomentField label={label} text={text} error={error} autoFocus onText={setText} />
      <Refusal problem={refusal} />
      <div className={styles['buttons']}>
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

function judge(
  untilMs: number | null,
  nowMs: number,
  latest: SnoozeFormProps['latest'],
): string | null {
  if (untilMs === null) return 'A snooze needs an end.';
  if (untilMs <= nowMs) return 'That has passed.';
  return untilMs >= latest.ms ? latest.words : null;
}
