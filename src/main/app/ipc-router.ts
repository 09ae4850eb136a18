import {
  ipcInputs,
  MAX_PAYLOAD_BYTES,
  type Channel,
  type ChannelInput,
  type IpcOutputs,
} from '../../shared/ipc/contract.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Log } from '../log/log.ts';
import { exceedsBytes } from './payload-size.ts';

/** Who sent a message, as far as main's decisions need it. */
export interface Sender {
  readonly clientId: number;
  /** Our own page in the main frame of a window of ours, and nothing else. */
  readonly isTrusted: boolean;
  /** For the log only. */
  readonly url: string;
}

type Answer<C extends Channel> = Result<IpcOutputs[C], Problem>;
export type Handlers = {
  readonly [C in Channel]: (
    input: ChannelInput<C>,
    clientId: number,
  ) => Answer<C> | Promise<Answer<C>>;
};

export type Route = (
  sender: Sender,
  channel: unknown,
  input: unknown,
) => Promise<Result<unknown, Problem>>;

/** Every message from a window passes here: sender, size, channel, input, in this order; nothing throws across. */
export function createRouter(handlers: Handlers, log: Log): Route {
  return async (sender, channel, input) => {
    // SECURITY: asked first, so that a foreign frame learns nothing, not even which channels exist.
    if (!sender.isTrusted) {
      log.warn('refused a message from a foreign frame', { url: sender.url });
      return err(problem('untrusted-sender', 'Leasehold refused a message from a foreign page.'));
    }
    if (!isChannel(channel)) {
      log.warn('refused an unknown channel', { channel: String(channel).slice(0, 100) });
      return err(problem('unknown-channel', 'The window asked for something main does not know.'));
    }
    if (exceedsBytes(input, MAX_PAYLOAD_BYTES)) {
      log.warn('refused a message that is too large', { channel });
      return err(problem('payload-too-large', 'The message is larger than 1 MiB and was refused.'));
    }
    return answer(channel, input, sender.clientId);
  };

  async function answer(
    channel: Channel,
    input: unknown,
    clientId: number,
  ): Promise<Result<unknown, Problem>> {
    const parsed = ipcInputs[channel].safeParse(input);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const where = issue?.path.join('.') ?? '';
      log.warn('refused bad input', { channel, where, because: issue?.message ?? 'unknown' });
      const field = where === '' ? 'The request' : `“${where}”`;
      return err(problem('bad-input', `${field} is not valid: ${issue?.message ?? 'unknown'}`));
    }
    // The table pairs each channel's schema with its handler; TypeScript cannot follow that pairing through a variable.
    const handle = handlers[channel] as (
      input: unknown,
      clientId: number,
    ) => Promise<Result<unknown, Problem>>;
    try {
      return await handle(parsed.data, clientId);
    } catch (cause) {
      log.error('a handler threw', { channel, cause });
      return err(
        problem('internal', 'Leasehold made a mistake while answering; the log has the details.'),
      );
    }
  }
}

function isChannel(channel: unknown): channel is Channel {
  return typeof channel === 'string' && Object.hasOwn(ipcInputs, channel);
}

/** The answer of a channel that has nothing to tell. */
export function done(act: () => void): { readonly ok: true; readonly value: null } {
  act();
  return ok(null);
}
