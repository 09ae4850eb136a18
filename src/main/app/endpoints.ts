import type { z } from 'zod';
import type { Channel } from '../../shared/ipc/contract.ts';
import type { FoundationHandlers } from './foundation-handlers.ts';
import type { AnyHandler, Endpoint, FindEndpoint, Handlers } from './ipc-router.ts';

export type LateHandlers = Omit<Handlers, keyof FoundationHandlers>;

/** By channel. A map: what the window names must not find what every object has. */
export type Endpoints = ReadonlyMap<string, Endpoint>;

export function endpointsOf<C extends Channel>(
  inputs: NoInfer<Readonly<Record<C, z.ZodType>>>,
  handlers: Pick<Handlers, C>,
): Endpoints {
  const channels = Object.keys(handlers) as C[];
  return new Map(
    // Each schema goes with the handler of its own channel; TypeScript cannot follow that through a variable.
    channels.map((channel) => [
      channel,
      { input: inputs[channel], handle: handlers[channel] as AnyHandler },
    ]),
  );
}

/** Looks among those that are there; any other channel loads the rest with its first message. */
export function findIn(early: Endpoints, loadLate: () => Promise<Endpoints>): FindEndpoint {
  return async (channel) => early.get(channel) ?? (await loadLate()).get(channel) ?? null;
}
