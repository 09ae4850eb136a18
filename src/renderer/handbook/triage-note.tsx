import type { Gotcha } from '../../shared/gotchas/gotcha.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { failureWords } from '../../shared/triage/failures.ts';
import { triage } from '../../shared/triage/triage.ts';
import { Glyph } from '../ui/glyph.tsx';
import styles from './triage-note.module.css';

const MAX_LINE_CHARS = 160;

interface TriageNoteProps {
  readonly text: string;
  readonly byId: ReadonlyMap<string, Gotcha>;
}

/** What a pasted log says by itself, before any entry is read. */
export function TriageNote({ text, byId }: TriageNoteProps) {
  const answer = triage(text);
  if (answer.kind !== 'found') {
    const isClear = answer.kind === 'clear';
    return (
      <p className={styles['note']}>
        <Glyph tone={isClear ? 'ok' : 'unknown'} />
        <span>
          {isClear
            ? `It ended well: ${plainLine(answer.line, MAX_LINE_CHARS)}`
            : `What ended it cannot be told: ${answer.because}.`}
        </span>
      </p>
    );
  }
  const { failure, caveat, entry } = answer;
  const words = failureWords(byId, failure.id);
  return (
    <div className={styles['note']}>
      <Glyph tone="warn" />
      <div>
        <p>
          This looks like: <strong>{words.title}</strong>.
        </p>
        {words.answer !== null && <p>{words.answer}</p>}
        {caveat !== null && <p className={styles['caveat']}>{caveat}</p>}
        {entry !== null && byId.has(entry) && (
          <p>
            <a href={`#${entry}`}>More: {byId.get(entry)?.title}</a>
          </p>
        )}
      </div>
    </div>
  );
}
