import type { Call, Channel, LeaseholdBridge } from '../../shared/ipc/contract.ts';
import type { Problem } from '../../shared/problem.ts';
import { err } from '../../shared/result.ts';

/** Answers a problem where the bridge itself throws: main is gone or restarting, which is no bug of the caller. */
export function callThrough(bridge: LeaseholdBridge): Call {
  return async (channel, input) => {
    try {
      return await bridge.call(channel, input);
    } catch (cause) {
      return err(noAnswer(channel, cause));
    }
  };
}

/** The window's way to main. Looked up on each call, so that a test can put its own in place. */
export const call: Call = (channel, input) => callThrough(window.leasehold)(channel, input);

/** Without `problem()`, whose table of next steps the first picture would otherwise wait for; so are the crash reports. */
function noAnswer(channel: Channel, cause: unknown): Problem {
  return {
    code: 'internal',
    message: 'Leasehold’s background process did not answer.',
    nextStep: 'Try again; if it stays, quit Leasehold and start it again.',
    detail: `${channel}: ${String(cause)}`,
  };
}
