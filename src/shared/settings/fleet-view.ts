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
