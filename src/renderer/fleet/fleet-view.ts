import { useMemo } from 'react';
import { create } from 'zustand';
import type { StandingGroup } from '../../shared/boxes/standing.ts';
import {
  DEFAULT_FLEET_VIEW,
  type FleetColumn,
  type FleetGrouping,
  type FleetView,
} from '../../shared/settings/fleet-view.ts';
import type { RememberedView } from '../../shared/settings/remembered.ts';
import { remember } from '../state/actions.ts';
import { useRemembered } from '../state/feeds.ts';
import type { Feed } from '../state/stream-client.ts';
import { COLUMNS } from './fleet-columns.ts';

interface FleetViewState {
  /** What the person has changed since the window was opened. Main remembers it, and need not be waited for. */
  readonly changed: Partial<FleetView>;
  /** The row that was last in the focus, to come back to. */
  readonly activeKey: string | null;
}

export const useFleetViewState = create<FleetViewState>(() => ({ changed: {}, activeKey: null }));

const selectRemembered = (feed: Feed<RememberedView>): FleetView =>
  feed.kind === 'live' ? feed.state.fleet : DEFAULT_FLEET_VIEW;

/** How the person looks at the fleet, as it was left. */
export function useFleetView(): FleetView {
  const remembered = useRemembered(selectRemembered);
  const changed = useFleetViewState((state) => state.changed);
  return useMemo(() => ({ ...remembered, ...changed }), [remembered, changed]);
}

function viewChanged(change: (view: FleetView) => Partial<FleetView>): void {
  const before = useFleetViewState.getState().changed;
  const view = { ...selectRemembered(useRemembered.getState()), ...before };
  const part = change(view);
  useFleetViewState.setState({ changed: { ...before, ...part } });
  remember({ fleet: { ...view, ...part } });
}

/** As much as is remembered; no name is longer. */
const MAX_FILTER_CHARS = 500;

export function filterTyped(text: string): void {
  viewChanged(({ filter }) => ({ filter: { ...filter, text: text.slice(0, MAX_FILTER_CHARS) } }));
}

export function stateToggled(state: StandingGroup): void {
  viewChanged(({ filter: { text, states } }) => ({
    filter: {
      text,
      states: states.includes(state) ? states.filter((each) => each !== state) : [...states, state],
    },
  }));
}

export function filterCleared(): void {
  viewChanged(() => ({ filter: DEFAULT_FLEET_VIEW.filter }));
}

export function groupFolded(id: string, isCollapsed: boolean): void {
  viewChanged(({ collapsed }) => {
    const others = collapsed.filter((each) => each !== id);
    return { collapsed: isCollapsed ? [...others, id] : others };
  });
}

export function rowActivated(activeKey: string): void {
  useFleetViewState.setState({ activeKey });
}

/** A first press sorts, a second one turns it round, a third one gives back the order in which boxes were added. */
export function headingPressed(column: FleetColumn): void {
  const { isDescendingFirst } = COLUMNS[column];
  viewChanged(({ sortBy, isDescending }) => {
    if (sortBy !== column) return { sortBy: column, isDescending: isDescendingFirst };
    if (isDescending === isDescendingFirst) return { isDescending: !isDescendingFirst };
    return { sortBy: null, isDescending: false };
  });
}

export function groupingChosen(groupBy: FleetGrouping): void {
  viewChanged(() => ({ groupBy }));
}
