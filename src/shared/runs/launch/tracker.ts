export const TRACKERS = ['wandb', 'trackio', 'tensorboard', 'none'] as const;
/** Where a run reports its curves. */
export type Tracker = (typeof TRACKERS)[number];
