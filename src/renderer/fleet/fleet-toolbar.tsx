import { Search, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import {
  standingGroups,
  standingGroupWords,
  type StandingGroup,
} from '../../shared/boxes/standing.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { useView } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { formatNumber } from '../ui/format.ts';
import { Glyph, type Tone } from '../ui/glyph.tsx';
import { groupOfEntry, type FleetKnowledge } from './fleet-rows.ts';
import { filterCleared, filterTyped, stateToggled, useFleetView } from './fleet-view.ts';
import styles from './fleet-toolbar.module.css';

const TONES: Readonly<Record<StandingGroup, Tone>> = {
  'needs-you': 'danger',
  'in-trouble': 'warn',
  working: 'ok',
  idle: 'idle',
  connecting: 'wait',
  unknown: 'unknown',
  'not-connected': 'off',
};

interface FleetToolbarProps {
  readonly known: FleetKnowledge;
  readonly shown: readonly FleetEntry[];
}

export function FleetToolbar({ known, shown }: FleetToolbarProps) {
  const { text, states } = useFleetView((view) => view.filter);
  const isFiltered = text.trim() !== '' || states.length > 0;
  const groups = known.entries.map((entry) => groupOfEntry(entry, known));
  const counts = standingGroups
    .map((state) => ({ state, count: groups.filter((each) => each === state).length }))
    .filter(({ state, count }) => count > 0 || states.includes(state));
  return (
    <div className={styles['bar']} role="search" aria-label="Filter boxes">
      <FilterField text={text} />
      <div className={styles['chips']} role="group" aria-label="States">
        {counts.map(({ state, count }) => (
          <button
            key={state}
            type="button"
            className={styles['chip']}
            aria-pressed={states.includes(state)}
            onClick={() => stateToggled(state)}
          >
            <Glyph tone={TONES[state]} />
            {standingGroupWords[state]}
            <span className={classNames(styles['count'], 'figures')}>{formatNumber(count)}</span>
          </button>
        ))}
      </div>
      <p className={classNames(styles['shown'], 'figures')} role="status">
        {isFiltered && `${formatNumber(shown.length)} of ${formatNumber(known.entries.length)}`}
      </p>
      {isFiltered && (
        <Button look="quiet" size="small" onClick={filterCleared}>
          Clear
        </Button>
      )}
    </div>
  );
}

function FilterField({ text }: { readonly text: string }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      if (event.key !== '/' || isTyping || hasModifier) return;
      if (useView.getState().overlay.kind !== 'none') return;
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
        aria-label="Filter boxes"
        aria-keyshortcuts="/"
        placeholder="Filter by name, tag, GPU, finding…"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => filterTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') {
            event.preventDefault();
            filterTyped('');
          }
        }}
      />
      {text === '' ? (
        <kbd className={styles['key']} title="Press / to type here" aria-hidden="true">
          /
        </kbd>
      ) : (
        <button
          type="button"
          className={styles['empty']}
          aria-label="Empty the filter"
          onClick={() => {
            filterTyped('');
            input.current?.focus();
          }}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}
