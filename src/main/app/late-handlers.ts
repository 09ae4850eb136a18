import { ipcInputs, type Channel } from '../../shared/ipc/contract.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { FoundationHandlers } from './foundation-handlers.ts';
import type { Handlers } from './ipc-router.ts';

export type LateHandlers = Omit<Handlers, keyof FoundationHandlers>;

type AnyHandler = (input: unknown, clientId: number) => Promise<Result<unknown, Problem>>;

/** All handlers: those that are there, and for each other channel one that loads the real one with its first message. */
export function withLateHandlers(
  early: FoundationHandlers,
  load: () => Promise<LateHandlers>,
): Handlers {
  const forward =
    (channel: keyof LateHandlers): AnyHandler =>
    async (input, clientId) => {
      // Each channel goes to the handler of its own name; TypeScript cannot follow that through a variable.
      const handle = (await load())[channel] as AnyHandler;
      return handle(input, clientId);
    };
  const isLate = (channel: Channel): channel is keyof LateHandlers =>
    !Object.hasOwn(early, channel);
  const late = (Object.keys(ipcInputs) as Channel[])
    .filter(isLate)
    .map((channel) => [channel, forward(channel)] as const);
  return { ...early, ...(Object.fromEntries(late) as unknown as LateHandlers) };
}
