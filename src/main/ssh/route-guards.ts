import type { LinkQuestion } from '../../shared/boxes/box.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Log } from '../log/log.ts';
import { HostKeyGuard } from './host-key-guard.ts';
import type { HostKeyStore } from './host-key-store.ts';
import type { Machine } from './open-route.ts';

export interface RouteGuardsOptions {
  readonly hostKeys: HostKeyStore;
  readonly log: Log;
}

/** One guard for the box and one for each jump host on the way to it, from one try to the next. */
export class RouteGuards {
  readonly #options: RouteGuardsOptions;
  readonly #guards = new Map<
    string,
    { readonly guard: HostKeyGuard; readonly jumpHost: Machine['jumpHost'] }
  >();

  constructor(options: RouteGuardsOptions) {
    this.#options = options;
  }

  of({ box, jumpHost }: Machine): HostKeyGuard {
    const known = this.#guards.get(box.id);
    if (known !== undefined) return known.guard;
    const { id, name, address, options } = box;
    const { hostKeyAlias, knownHostsFiles } = options;
    // A jump host has no name but its own: what a person types to confirm its new identity.
    const ownName = jumpHost === null ? name : address.host;
    const machine = { id, name: ownName, address, hostKeyAlias, knownHostsFiles };
    const guard = new HostKeyGuard({ machine, ...this.#options });
    this.#guards.set(id, { guard, jumpHost });
    return guard;
  }

  /** The person calls a box by another name: they confirm things by it. */
  rename({ box }: Machine): void {
    this.#guards.get(box.id)?.guard.rename(box.name);
  }

  /** A try begins: a machine that it does not reach is not in question. */
  begin(): void {
    for (const { guard } of this.#guards.values()) guard.forgetQuestion();
  }

  /** Which machine's key stopped the try; null: none. */
  get question(): LinkQuestion | null {
    for (const { guard, jumpHost } of this.#guards.values()) {
      const { question } = guard;
      if (question !== null) return { ...question, jumpHost };
    }
    return null;
  }

  /** The guard whose key is in question, else that of this machine. */
  asking(otherwise: Machine): HostKeyGuard {
    const found = [...this.#guards.values()].find(({ guard }) => guard.question !== null);
    return found?.guard ?? this.of(otherwise);
  }

  withdraw(reason: Problem): void {
    for (const { guard } of this.#guards.values()) guard.withdraw(reason);
  }

  drop(): void {
    for (const { guard } of this.#guards.values()) guard.drop();
  }

  /** The way has changed, and with it who is on it. */
  clear(): void {
    this.drop();
    this.#guards.clear();
  }
}
