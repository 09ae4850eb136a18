import { useEffect, useRef } from 'react';
import { resolvePage } from '../app/resolve-page.ts';
import { questionTitle, type Question } from '../../shared/questions/question.ts';
import { selectAllEntries, selectQuestions, useFleet, useQuestions } from '../state/feeds.ts';
import { overlayClosed, overlayOpened, useView } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { Glyph } from '../ui/glyph.tsx';
import styles from './questions.module.css';

/** More than a screenful helps nobody; the rest follow as these are answered. */
const MAX_ROWS = 4;

/** Which boxes wait for an answer, each named. The one that is being answered stands in the dialog instead. */
export function QuestionBar() {
  const questions = useQuestions(selectQuestions);
  const openId = useView(({ overlay }) =>
    overlay.kind === 'question' ? overlay.questionId : null,
  );
  useOpenForShownBox(questions);
  const waiting = questions.filter(({ id }) => id !== openId);
  const more = waiting.length - MAX_ROWS;
  return (
    <section aria-label="Questions" role="status">
      {waiting.length > 0 && (
        <ul className={styles['bar']}>
          {waiting.slice(0, MAX_ROWS).map((question) => (
            <li key={question.id} className={styles['row']}>
              <Glyph tone="warn" />
              <span>
                {questionTitle(question)}
                <span className={styles['account']}>{question.account}</span>
              </span>
              <Button size="small" onClick={() => opened(question)}>
                Answer…
              </Button>
            </li>
          ))}
          {more > 0 && <li className={styles['account']}>and {more} more</li>}
        </ul>
      )}
    </section>
  );
}

function opened({ id }: Question): void {
  overlayOpened({ kind: 'question', questionId: id });
}

/**
 * Opens a new question by itself only for the box that is looked at, and never under the hands of somebody who is typing:
 * what was meant for a terminal must not be sent as a password. And closes a dialog whose question is gone.
 */
function useOpenForShownBox(questions: readonly Question[]): void {
  const entries = useFleet(selectAllEntries);
  const page = resolvePage(
    useView((view) => view.page),
    entries,
  );
  const overlay = useView((view) => view.overlay);
  const seen = useRef(new Set<string>());
  /** Whoever has just answered one goes on with what follows from it: the next code, or a refusal. */
  const answeredBox = useRef<string | null>(null);
  const shownBox = page.kind === 'box' ? page.boxId : null;
  useEffect(() => {
    if (overlay.kind === 'question') {
      const open = questions.find(({ id }) => id === overlay.questionId);
      if (open === undefined) overlayClosed();
      else answeredBox.current = open.boxId;
      return;
    }
    if (overlay.kind !== 'none' || isTyping()) return;
    const isWanted = ({ id, boxId }: Question): boolean =>
      (boxId === shownBox || boxId === answeredBox.current) && !seen.current.has(id);
    const next = questions.find(isWanted);
    if (next === undefined) return;
    answeredBox.current = null;
    seen.current.add(next.id);
    opened(next);
  }, [questions, overlay, shownBox]);
}

function isTyping(): boolean {
  const { activeElement } = document;
  return (
    activeElement instanceof HTMLInputElement ||
    activeElement instanceof HTMLTextAreaElement ||
    (activeElement instanceof HTMLElement && activeElement.isContentEditable)
  );
}
