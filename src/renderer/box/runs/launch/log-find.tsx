import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent as ReactKeyboardEvent } from 'react';
import { isOverlayOpen } from '../../../state/view.ts';
import { Button } from '../../../ui/button.tsx';
import styles from './log-viewer.module.css';

interface LogFindProps {
  readonly query: string;
  /** How much is found. */
  readonly words: string;
  readonly onQuery: (query: string) => void;
  readonly onStep: (step: 'next' | 'previous') => void;
  /** Escape in an empty field. */
  readonly onLeave: () => void;
}

/** Finds in the log that is shown: Ctrl+F leads to it, Enter goes on, Escape empties it. */
export function LogFind({ query, words, onQuery, onStep, onLeave }: LogFindProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focusOnFind = (event: KeyboardEvent): void => {
      const isFind = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
      const isElsewhere =
        event.target instanceof HTMLElement &&
        event.target.closest('[role="dialog"], [role="alertdialog"]') !== null;
      if (!isFind || event.altKey || event.shiftKey || isElsewhere || isOverlayOpen()) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    window.addEventListener('keydown', focusOnFind);
    return () => window.removeEventListener('keydown', focusOnFind);
  }, []);

  function pressed(event: ReactKeyboardEvent): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      onStep(event.shiftKey ? 'previous' : 'next');
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (query === '') onLeave();
      else onQuery('');
    }
  }

  return (
    <div className={styles['find']} role="search">
      <span className={styles['matches']} role="status">
        {words}
      </span>
      <input
        ref={input}
        type="text"
        aria-label="Find in this log"
        aria-keyshortcuts="Control+F Meta+F"
        placeholder="Find"
        title="Enter: next. Shift+Enter: previous. Escape: empty the field."
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={query}
        onChange={({ target }) => onQuery(target.value)}
        onKeyDown={pressed}
      />
      <Button
        size="small"
        look="quiet"
        isIcon
        aria-label="Previous"
        title="Previous"
        onClick={() => onStep('previous')}
      >
        <ArrowUp size={15} aria-hidden />
      </Button>
      <Button
        size="small"
        look="quiet"
        isIcon
        aria-label="Next"
        title="Next"
        onClick={() => onStep('next')}
      >
        <ArrowDown size={15} aria-hidden />
      </Button>
    </div>
  );
}
