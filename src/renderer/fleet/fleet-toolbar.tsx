import {
  standingGroups,
  standingGroupWords,
  type StandingGroup,
} from '../../shared/boxes/standing.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { teardownsChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { formatNumber } from '../ui/format.ts';
import { Glyph, type Tone } from '../ui/glyph.tsx';
import { SearchField } from '../ui/search-field.tsx';
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

/** More columns nobody sees side by side. */
const MOST_TOGETHER = 24;

interface FleetToolbarProps {
  readonly known: FleetKnowledge;
  readonly shown: readonly FleetEntry[];
}

export function FleetToolbar({ known, shown }: FleetToolbarProps) {
  const { text, states } = useFleetView().filter;
  const isFiltered = text.trim() !== '' || states.length > 0;
  const groups = known.entries.map((entry) => groupOfEntry(entry, known));
  const counts = standingGroups
    .map((state) => ({ state, count: groups.filter((each) => each === state).length }))
    .filter(({ state, count }) => count > 0 || states.includes(state));
  return (
    <div className={styles['bar']} role="search" aria-label="Filter boxes">
      <SearchField
        label="Filter boxes"
        placeholder="Filter by name, tag, GPU, finding…"
        emptyLabel="Empty the filter"
        value={text}
        onValue={filterTyped}
      />
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
      {isFiltered && shown.length > 1 && shown.length <= MOST_TOGETHER && (
        <Button
          look="quiet"
          size="small"
          title="Compare the teardown of these boxes"
          onClick={() => teardownsChosen(shown.map(({ box }) => box.id))}
        >
          Tear down these…
        </Button>
      )}
      {isFiltered && (
        <Button look="quiet" size="small" onClick={filterCleared}>
          Clear
        </Button>
      )}
    </div>
  );
}
