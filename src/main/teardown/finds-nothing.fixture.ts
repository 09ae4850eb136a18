import { ok } from '../../shared/result.ts';
import { foundNothing, MACHINE } from '../../shared/teardown/found-on-box.fixture.ts';
import { keptSecrets, NO_SECRETS } from '../../shared/teardown/secrets-found.ts';
import type { TeardownsOptions } from './teardowns-options.ts';

/** For tests of something else: a box that has no queue, no sweep and nothing besides results. */
export const findsNothing: Pick<
  TeardownsOptions,
  | 'secrets'
  | 'queues'
  | 'everSeenOn'
  | 'orders'
  | 'noteOrder'
  | 'sweeps'
  | 'outside'
  | 'hostKeyOf'
  | 'instanceOf'
  | 'factsOf'
  | 'proofHoldsMs'
  | 'proofNeeds'
> = {
  everSeenOn: () => ok([]),
  queues: () => Promise.resolve(ok([])),
  orders: () => Promise.resolve(ok([])),
  noteOrder: () => Promise.resolve(ok({ others: [], unnoted: null })),
  sweeps: () => Promise.resolve([]),
  outside: () => Promise.resolve(ok({ outside: foundNothing(0).outside, life: MACHINE.life })),
  hostKeyOf: () => MACHINE.hostKey,
  instanceOf: () => MACHINE.instance,
  factsOf: () => null,
  secrets: {
    viewOf: () => NO_SECRETS,
    kept: () => keptSecrets(NO_SECRETS),
    clear: () => ok(null),
  },
  proofHoldsMs: () => 3600_000,
  proofNeeds: () => 'hashed',
};
