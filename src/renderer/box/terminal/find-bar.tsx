import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './terminal.module.css';
import { viewOf } from './terminals.ts';

export interface Matches {
  /** -1: none is chosen, because there are too many to number. */
  readonly index: number;
  readonly count: number;
}

interface FindBarProps {
  readonly tabId: string;
  readonly matches: Matches | null;
  readonly onClose: () => void;
}

export function FindBar({ tabId, matches, onClose }: FindBarProps) {
  const [text, setText] = useState('');
  const find = (direction: 'next' | 'previous'): void => viewOf(tabId)?.find(text, direction);

  function pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape') onClose();
    if (event.key === 'Enter') find(event.shiftKey ? 'next' : 'previous');
  }

  return (
    <div className={styles['find']} role="search" onKeyDown={pressed}>
      <input
        aria-label="Find in this terminal"
        placeholder="Find, upwards with Enter"
        value={text}
        autoFocus
        spellCheck={false}
        onChange={({ target }) => {
          setText(target.value);
          viewOf(tabId)?.find(target.value, 'previous', true);
        }}
      />
      <span className={styles['matches']} role="status">
        {text === '' || matches === null ? '' : matchWords(matches)}
      </span>
      <Button
        size="small"
        look="quiet"
        isIcon
        aria-label="Previous"
        onClick={() => find('previous')}
      >
        <ArrowUp size={15} aria-hidden />
      </Button>
      <Button size="small" look="quiet" isIcon aria-label="Next" onClick={() => find('next')}>
        <ArrowDown size={15} aria-hidden />
      </Button>
      <Button size="small" look="quiet" isIcon aria-label="Close find" onClick={onClose}>
        <X size={15} aria-hidden />
      </Button>
    </div>
  );
}

function matchWords({ index, count }: Matches): string {
  if (count === 0) return 'Not found';
  return index === -1 ? `${count} or more` : `${index + 1} of ${count}`;
}
