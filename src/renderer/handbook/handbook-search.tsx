import { ClipboardPaste } from 'lucide-react';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { incidentOfLog } from '../../shared/gotchas/entry-draft.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { SearchField } from '../ui/search-field.tsx';
import styles from './handbook-search.module.css';
import {
  isLogText,
  logPasted,
  searchCleared,
  searchTyped,
  useHandbookView,
  type Pasted,
} from './handbook-view.ts';
import { NewEntryButton } from './new-entry-button.tsx';

const MAX_EXCERPT_CHARS = 200;

interface HandbookSearchProps {
  /** Enter opens what fits best. */
  readonly onEnter: () => void;
  /** The arrow down leads into the list. */
  readonly onDown: () => void;
}

/** One line to type in; what is pasted and too long for it stands below as what it is. */
export function HandbookSearch({ onEnter, onDown }: HandbookSearchProps) {
  const typed = useHandbookView((view) => view.typed);
  const pasted = useHandbookView((view) => view.pasted);

  function takePaste(event: ClipboardEvent): void {
    const text = event.clipboardData.getData('text/plain');
    if (!isLogText(text)) return;
    event.preventDefault();
    logPasted(text);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const actions: Partial<Record<string, () => void>> = {
      Enter: onEnter,
      ArrowDown: onDown,
      ...(pasted !== null && { Escape: searchCleared }),
    };
    const act = actions[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  return (
    <div className={styles['search']} role="search" aria-label="Search the handbook">
      <SearchField
        label="Search, or paste an error or a log"
        placeholder="Search, or paste an error or a log…"
        emptyLabel="Empty the search"
        value={typed}
        onValue={searchTyped}
        onPaste={takePaste}
        onKeyDown={onKeyDown}
      />
      {pasted !== null && <PastedText pasted={pasted} />}
    </div>
  );
}

function PastedText({ pasted: { text, lineCount } }: { readonly pasted: Pasted }) {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  return (
    <div className={styles['pasted']}>
      <ClipboardPaste size={14} aria-hidden />
      <div>
        <p>Pasted text, {formatCount(lineCount, 'line')}, ends with</p>
        <p className={styles['excerpt']}>{plainLine(last, MAX_EXCERPT_CHARS)}</p>
      </div>
      <Button look="quiet" size="small" onClick={searchCleared}>
        Clear
      </Button>
      <div className={styles['new']}>
        <NewEntryButton seen={incidentOfLog(text)} boxId={null} />
      </div>
    </div>
  );
}
