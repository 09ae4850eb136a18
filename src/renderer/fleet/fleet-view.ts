import { create } from 'zustand';
import type { StandingGroup } from '../../shared/boxes/standing.ts';
import type { FleetColumn, FleetGrouping } from '../../shared/settings/fleet-view.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import { settingsChanged } from '../state/actions.ts';
import { useSettings } from '../state/feeds.ts';
import type { Feed } from '../state/stream-client.ts';
import { COLUMNS } from './fleet-columns.ts';
import type { FleetFilter } from './fleet-rows.ts';

interface FleetViewState {
  readonly filter: FleetFilter;
  /** Ids of groups. */
  readonly collapsed: readonly string[];
  /** The row that was last in the focus, to come back to. */
  readonly activeKey: string | null;
}

const NO_FILTER: FleetFilter = { text: '', states: [] };

/** What the person looks at in the fleet, for as long as the window is open. The order outlives it: the settings keep it. */
export const useFleetView = create<FleetViewState>(() => ({
  filter: NO_FILTER,
  collapsed: [],
  activeKey: null,
}));

export function filterTyped(text: string): void {
  useFleetView.setState(({ filter }) => ({ filter: { ...filter, text } }));
}

export function stateToggled(state: StandingGroup): void {
  useFleetView.setState(({ filter }) => ({
    filter: {
      ...filter,
      states: filter.states.includes(state)
        ? filter.states.filter((each) => each !== state)
        : [...filter.states, state],
    },
  }));
}

export function filterCleared(): void {
  useFleetView.setState({ filter: NO_FILTER });
}

export function groupFolded(id: string, isCollapsed: boolean): void {
  useFleetView.setState(({ collapsed }) => ({
    collapsed: isCollapsed ? [...collapsed, id] : collapsed.filter((each) => each !== id),
  }));
}

export function rowActivated(activeKey: string): void {
  useFleetView.setState({ activeKey });
}

const NO_ORDER: Settings['fleet'] = { sortBy: null, isDescending: false, groupBy: 'none' };
const selectOrder = (feed: Feed<Settings>): Settings['fleet'] =>
  feed.kind === 'live' ? feed.state.fleet : NO_ORDER;

export function useFleetOrder(): Settings['fleet'] {
  return useSettings(selectOrder);
}

/** A first press sorts, a second one turns it round, a third one gives back the order in which boxes were added. */
export function headingPressed(column: FleetColumn, order: Settings['fleet']): void {
  const { isDescendingFirst } = COLUMNS[column];
  if (order.sortBy !== column) {
    settingsChanged({ fleet: { sortBy: column, isDescending: isDescendingFirst } });
  } else if (order.isDescending === isDescendingFirst) {
    settingsChanged({ fleet: { isDescending: !isDescendingFirst } });
  } else {
    settingsChanged({ fleet: { sortBy: null, isDescending: false } });
  }
}

export function groupingChosen(groupBy: FleetGrouping): void {
  settingsChanged({ fleet: { groupBy } });
}
