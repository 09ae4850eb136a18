import type { ConfigState } from '../boxes/ssh-config/config-listing.ts';
import type { DemoState } from '../demo/faults.ts';
import type { Problem } from '../problem.ts';
import type { RememberedView } from '../settings/remembered.ts';
import type { Settings } from '../settings/settings.ts';
import type { WebhookState } from '../webhook/delivery.ts';
import type { StreamKind } from './stream.ts';

/** For small states a delta is simply the new state. */
function replaced<State>(): StreamKind<State, State> {
  return { apply: (_old, next) => next };
}

/** Something about this machine that the person should know and can dismiss: a moved settings file, no keyring … */
export interface Notice {
  readonly id: string;
  readonly atMs: number;
  readonly problem: Problem;
}

/** Grows with each change of the person's own profiles. */
export interface ProfilesState {
  readonly revision: number;
}

export const settingsStream = replaced<Settings>();
export const rememberedStream = replaced<RememberedView>();
export const noticesStream = replaced<readonly Notice[]>();
export const demoStream = replaced<DemoState>();
export const keyOffersStream = replaced<readonly string[]>();
export const profilesStream = replaced<ProfilesState>();
export const configStream = replaced<ConfigState>();
export const webhookStream = replaced<WebhookState>();
