import { useEffect, useRef, useState } from 'react';
import { MAX_NOTE_CHARS, type FlaggedLine } from '../../../shared/notes/note.ts';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';
import { actionFailed, overlayOpened } from '../../state/view.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import styles from './notes-section.module.css';

/** A pause in typing after which the note is kept. */
const PAUSE_MS = 700;
/** From here on the room that is left is said. */
const NEARLY_FULL = MAX_NOTE_CHARS * 0.9;

/** The note is out of sight when this is found, so it is said as a notice. */
const NOT_KEPT: Problem = {
  code: 'bad-input',
  message: 'What you typed last into a note was not kept: it looks like a secret.',
  nextStep: 'Write its name and where it lies instead.',
};

type Kept =
  | { readonly kind: 'kept'; readonly atMs: number | null }
  | { readonly kind: 'typing' }
  | { readonly kind: 'flagged'; readonly lines: readonly FlaggedLine[] }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** What the person knows of this box and of their project, in their own words. */
export function NotesSection({ boxId }: { readonly boxId: string }) {
  return (
    <div className={styles['notes']}>
      <NoteEditor key={boxId} label="This box" about={boxId} boxId={boxId} />
      <NoteEditor label="Your project, whatever box it runs on" about={null} boxId={boxId} />
    </div>
  );
}

interface NoteEditorProps {
  readonly label: string;
  /** A box; null: the project. */
  readonly about: string | null;
  /** Where a secret that was found in it can be sent instead. */
  readonly boxId: string;
}

function NoteEditor({ label, about, boxId }: NoteEditorProps) {
  const [text, setText] = useState<string | null>(null);
  const [state, setState] = useState<Kept>({ kind: 'kept', atMs: null });
  const [earlier, setEarlier] = useState<readonly string[]>([]);
  const waiting = useRef<{ readonly text: string; readonly timer: number } | null>(null);
  const kept = useRef('');

  useEffect(() => {
    let isShown = true;
    void call('note:read', { boxId: about }).then((answer) => {
      if (!isShown) return;
      if (answer.ok) {
        kept.current = answer.value.text;
        setText(answer.value.text);
        setState({ kind: 'kept', atMs: answer.value.savedAtMs });
      } else setState({ kind: 'failed', problem: answer.error });
    });
    return () => {
      isShown = false;
      // What was typed last is kept although the page is left.
      const left = waiting.current;
      if (left === null) return;
      window.clearTimeout(left.timer);
      void call('note:keep', { boxId: about, text: left.text }).then((answer) => {
        if (!answer.ok) actionFailed(answer.error);
        else if (answer.value.kind === 'flagged') actionFailed(NOT_KEPT);
      });
    };
  }, [about]);

  async function keep(typed: string, isUndo: boolean): Promise<void> {
    waiting.current = null;
    const before = kept.current;
    const answer = await call('note:keep', { boxId: about, text: typed });
    if (answer.ok && answer.value.kind === 'kept') {
      kept.current = typed;
      if (!isUndo && before !== typed) setEarlier((all) => [...all, before]);
    }
    // While it was kept the person may have gone on.
    if (waiting.current !== null) return;
    if (!answer.ok) setState({ kind: 'failed', problem: answer.error });
    else if (answer.value.kind === 'kept') setState({ kind: 'kept', atMs: answer.value.savedAtMs });
    else setState({ kind: 'flagged', lines: answer.value.lines });
  }

  function typed(next: string): void {
    setText(next);
    setState({ kind: 'typing' });
    if (waiting.current !== null) window.clearTimeout(waiting.current.timer);
    const timer = window.setTimeout(() => void keep(next, false), PAUSE_MS);
    waiting.current = { text: next, timer };
  }

  function undo(): void {
    const before = earlier.at(-1);
    if (before === undefined) return;
    if (waiting.current !== null) window.clearTimeout(waiting.current.timer);
    setEarlier(earlier.slice(0, -1));
    setText(before);
    void keep(before, true);
  }

  if (text === null) {
    return state.kind === 'failed' ? <ProblemNote problem={state.problem} /> : <p>Reading…</p>;
  }
  return (
    <div className={styles['note']}>
      <TextArea
        label={label}
        value={text}
        maxLength={MAX_NOTE_CHARS}
        placeholder="Where data lies, which port, what to avoid. Of a secret only its name and where it lies."
        onValue={typed}
      />
      {state.kind === 'flagged' && <Flagged lines={state.lines} boxId={boxId} />}
      {state.kind === 'failed' && (
        <ProblemNote
          problem={state.problem}
          actions={<Button onClick={() => void keep(text, false)}>Keep it again</Button>}
        />
      )}
      <div className={styles['foot']}>
        <span role="status">
          {state.kind === 'typing' && 'Not saved…'}
          {state.kind === 'kept' && state.atMs !== null && (
            <>
              Kept <Age atMs={state.atMs} />
            </>
          )}
          {state.kind === 'flagged' && 'Not kept; what was there before still is'}
          {text.length > NEARLY_FULL &&
            ` · ${formatCount(MAX_NOTE_CHARS - text.length, 'character')} left`}
        </span>
        <Button size="small" disabled={earlier.length === 0} onClick={undo}>
          Undo
        </Button>
      </div>
    </div>
  );
}

function Flagged({
  lines,
  boxId,
}: {
  readonly lines: readonly FlaggedLine[];
  readonly boxId: string;
}) {
  return (
    <div className={styles['flagged']} role="alert">
      <Glyph tone="danger" />
      <div>
        <p>
          <strong>This looks like a secret.</strong> Anybody who sees the screen or the data folder
          could read it here. Send it into a file on the box, and write its name and path instead.
        </p>
        <ul>
          {lines.map(({ line, shown }) => (
            <li key={line}>
              Line {line}: <code className="mono">{shown}</code>
            </li>
          ))}
        </ul>
        <Button size="small" onClick={() => overlayOpened({ kind: 'send-secret', boxId })}>
          Send a secret…
        </Button>
      </div>
    </div>
  );
}
