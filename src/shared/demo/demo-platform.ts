import type { Box } from '../boxes/box.ts';

/** Id of the platform that rents out the box inside the app; its facts are invented, and ship with the demo box. */
export const DEMO_PLATFORM = 'demo';

/** Where its facts come from: nowhere, so none of them has a month. */
export const DEMO_SOURCE = 'demo';

/** What the demo box burns, has and runs out of is nobody's: a sum over several boxes is of these only. */
export function isInSums({ platform }: Pick<Box, 'platform'>): boolean {
  return platform !== DEMO_PLATFORM;
}
