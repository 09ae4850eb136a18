import { ok } from '../../shared/result.ts';
import { foundNothing, MACHINE } from '../../shared/teardown/found-on-box.fixture.ts';
import type { InspectorOptions } from './box-inspector.ts';

/** For tests of something else: a box that has no queue, no sweep and nothing besides results. */
export const findsNothing: Pick<
  InspectorOptions,
  'queues' | 'sweeps' | 'outside' | 'hostKeyOf' | 'factsOf' | 'proofHoldsMs'
> = {
  queues: () => Promise.resolve(ok([])),
  sweeps: () => Promise.resolve([]),
  outside: () => Promise.resolve(ok({ outside: foundNothing(0).outside, life: MACHINE.life })),
  hostKeyOf: () => MACHINE.hostKey,
  factsOf: () => null,
  proofHoldsMs: () => 3600_000,
};
