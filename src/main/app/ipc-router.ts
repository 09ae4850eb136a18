import type { z } from 'zod';
import type { Channel, ChannelInput, IpcOutputs } from '../../shared/ipc/contract.ts';
import { MAX_PAYLOAD_BYTES, payloadBytes } from '../../shared/ipc/payload-size.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Log } from '../log/log.ts';

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

export type AnyHandler = (input: unknown, clientId: number) => Promise<Result<unknown, Problem>>;

/** What a channel accepts, and who answers it. */
export interface Endpoint {
  readonly input: z.ZodType;
  readonly handle: AnyHandler;
}

/** Null: there is no such channel. */
export type FindEndpoint = (channel: string) => Promise<Endpoint | null>;

export type Route = (
  sender: Sender,
  channel: unknown,
  input: unknown,
) => Promise<Result<unknown, Problem>>;

/** Every message from a window passes here: sender, size, channel, input, in this order; nothing throws across. */
export function createRouter(find: FindEndpoint, log: Log): Route {
  return async (sender, channel, input) => {
    // SECURITY: asked first, so that a foreign frame learns nothing, not even which channels exist.
    if (!sender.isTrusted) {
      log.warn('refused a message from a foreign frame', { url: sender.url });
      return err(problem('untrusted-sender', 'Leasehold refused a message from a foreign page.'));
    }
    try {
      return await answer(channel, input, sender.clientId);
    } catch (cause) {
      log.error('a handler threw', { channel, cause });
      return err(
        problem('internal', 'Leasehold made a mistake while answering; the log has the details.'),
      );
    }
  };

  async function answer(
    channel: unknown,
    input: unknown,
    clientId: number,
  ): Promise<Result<unknown, Problem>> {
    const endpoint = typeof channel === 'string' ? await find(channel) : null;
    if (endpoint === null) {
      log.warn('refused an unknown channel', { channel: String(channel).slice(0, 100) });
      return err(problem('unknown-channel', 'The window asked for something main does not know.'));
    }
    if (payloadBytes(input, MAX_PAYLOAD_BYTES) > MAX_PAYLOAD_BYTES) {
      log.warn('refused a message that is too large', { channel });
      return err(problem('payload-too-large', 'The message is larger than 1 MiB and was refused.'));
    }
    const parsed = endpoint.input.safeParse(input);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const where = issue?.path.join('.') ?? '';
      log.warn('refused bad input', { channel, where, because: issue?.message ?? 'unknown' });
      const field = where === '' ? 'The request' : `“${where}”`;
      return err(problem('bad-input', `${field} is not valid: ${issue?.message ?? 'unknown'}`));
    }
    return endpoint.handle(parsed.data, clientId);
  }
}

/** The answer of a channel that has nothing to tell. */
export function done(act: () => void): { readonly ok: true; readonly value: null } {
  act();
  return ok(null);
}
