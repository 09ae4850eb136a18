import { Search, X } from 'lucide-react';
import {
  useEffect,
  useRef,
  type ClipboardEvent,
  type KeyboardEvent as ReactKeyboardEvent,
} from 'react';
import { isOverlayOpen } from '../state/view.ts';
import styles from './search-field.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly emptyLabel: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly onPaste?: (event: ClipboardEvent<HTMLInputElement>) => void;
  readonly onKeyDown?: (event: ReactKeyboardEvent<HTMLInputElement>) => void;
}

/** One line to search or filter with: "/" leads to it, Escape empties it. One of them on a page. */
export function SearchField({
  label,
  placeholder,
  emptyLabel,
  value,
  onValue,
  onPaste,
  onKeyDown,
}: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      if (event.key !== '/' || isTyping || hasModifier || isOverlayOpen()) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', focusOnSlash);
    return () => window.removeEventListener('keydown', focusOnSlash);
  }, []);
  return (
    <div className={styles['field']}>
      <Search size={14} aria-hidden />
      <input
        ref={input}
        type="text"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        onPaste={onPaste}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') {
            event.preventDefault();
            onValue('');
          } else onKeyDown?.(event);
        }}
      />
      {value === '' ? (
        <kbd className={styles['key']} title="Press / to type here" aria-hidden="true">
          /
        </kbd>
      ) : (
        <button
          type="button"
          className={styles['empty']}
          aria-label={emptyLabel}
          onClick={() => {
            onValue('');
            input.current?.focus();
          }}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}
