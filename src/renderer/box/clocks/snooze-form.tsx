import { useState, type FormEvent } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import { fromLocalInput, toLocalInput } from '../../clocks/local-moment.ts';
import { Button } from '../../ui/button.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import styles from './clocks.module.css';
import { MomentField } from './moment-field.tsx';

interface SnoozeFormProps {
  readonly label: string;
  readonly quick: readonly { readonly label: string; readonly atMs: (nowMs: number) => number }[];
  /** It ends before this moment; `words` say why. */
  readonly latest: { readonly ms: number; readonly words: string };
  readonly put: (untilMs: number) => Promise<Result<null, Problem>>;
  readonly onDone: () => void;
}

/** Puts what would be told off, to an end that the person chooses. */
export function SnoozeForm({ label, quick, latest, put, onDone }: SnoozeFormProps) {
  const [openedAtMs] = useState(() => Date.now());
  const fitting = quick.filter(({ atMs }) => atMs(openedAtMs) < latest.ms);
  const [text, setText] = useState(() =>
    toLocalInput(fitting[0]?.atMs(openedAtMs) ?? (openedAtMs + latest.ms) / 2),
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
        {fitting.map((each) => (
          <Button
            key={each.label}
            size="small"
            onClick={() => setText(toLocalInput(each.atMs(Date.now())))}
          >
            {each.label}
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

function judge(
  untilMs: number | null,
  nowMs: number,
  latest: SnoozeFormProps['latest'],
): string | null {
  if (untilMs === null) return 'A snooze needs an end.';
  if (untilMs <= nowMs) return 'That has passed.';
  return untilMs >= latest.ms ? latest.words : null;
}
