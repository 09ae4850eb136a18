import { isProviderFault } from '../../shared/demo/faults.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { makeReadableKeyPair } from '../ssh/readable-key-pair.ts';
import type { DemoBox } from './demo-box.ts';
import { DemoProvider } from './demo-provider.ts';
import type { DemoOrders, DemoRental } from './demo-rental.ts';

/** A demo box as the service holds it. */
export type HeldDemoBox = Omit<DemoBox, 'hostKey'>;

/** A demo box that went down together with a Leasehold that was ending it: of it there is only what its provider says. */
export function formerDemoBox(
  { instance, address, gpuCount, told, end }: DemoRental,
  keep: (orders: DemoOrders) => Promise<void>,
): HeldDemoBox {
  const before = { told, end };
  const provider = new DemoProvider({ instance, machine: null, gpuCount, before, keep });
  const listeners = new Set<() => void>();
  return {
    ...{ provider, address },
    // Nobody is there who would know it.
    clientKey: makeReadableKeyPair().private,
    setFault: (fault, isOn) => {
      if (!isProviderFault(fault)) {
        return Promise.resolve(
          err(problem('demo-unavailable', 'The demo box is not running. It is being ended.')),
        );
      }
      provider.setFault(fault, isOn);
      for (const listener of listeners) listener();
      return Promise.resolve(ok(null));
    },
    activeFaults: () => provider.faults,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => Promise.resolve(),
  };
}
