import type { StandingGroup } from '../boxes/standing.ts';

// Apart from the schema, so that the window does not load the schema library for two lists.

/** What the fleet page can be sorted by: every column, from the left. */
export const fleetColumns = [
  'state',
  'box',
  'left',
  'sm',
  'hour',
  'clock',
  'power',
  'vram',
  'temperature',
  'finding',
  'seen',
  'cost',
] as const;
export type FleetColumn = (typeof fleetColumns)[number];

export const fleetGroupings = ['none', 'platform', 'tag', 'state'] as const;
export type FleetGrouping = (typeof fleetGroupings)[number];

/** How the person looks at the fleet page. */
export interface FleetView {
  /** Null: in the order in which boxes were added. */
  readonly sortBy: FleetColumn | null;
  readonly isDescending: boolean;
  readonly groupBy: FleetGrouping;
  readonly filter: FleetFilter;
  /** Ids of groups. */
  readonly collapsed: readonly string[];
}

export interface FleetFilter {
  readonly text: string;
  /** None: all. */
  readonly states: readonly StandingGroup[];
}

export const DEFAULT_FLEET_VIEW: FleetView = {
  sortBy: null,
  isDescending: false,
  groupBy: 'none',
  filter: { text: '', states: [] },
  collapsed: [],
};
