import type { Plan } from '../plan/plan.ts';
import type { SecretKindId } from './secret-kinds.ts';

/** A file on a box by whose name people or programs keep secrets. Nothing of what is in it is known. */
export interface FoundSecret {
  /** By its disk and its number there. */
  readonly key: string;
  /** `sent`: Leasehold wrote it. */
  readonly kind: SecretKindId | 'sent';
  /** Whole, with no link on the way. Hostile; bytes that are no text are told as digits. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
  /** How many names it has on its disk: with another one left, what is in it stays. */
  readonly links: number;
  readonly isOwn: boolean;
  /** Its folder lets it be removed, as far as it tells. */
  readonly mayGo: boolean;
  /** It lies where a program keeps its secrets, and not only has such a name. */
  readonly isSure: boolean;
}

/** What one look for secrets brought. */
export interface SecretsLook {
  readonly atMs: number;
  readonly found: readonly FoundSecret[];
  /** The home folder of who looked; null: it did not tell. */
  readonly home: string | null;
  /** There are more than one look tells. */
  readonly isCut: boolean;
  /** Why not all was looked through, a sentence; null: it was. */
  readonly unread: string | null;
}

/** Whether it went through all that it should, and told all that it found. */
export const isWholeLook = ({ isCut, unread }: Pick<SecretsLook, 'isCut' | 'unread'>): boolean =>
  !isCut && unread === null;

/** A file that was removed from the box, read back. */
export interface RemovedSecret {
  readonly kind: FoundSecret['kind'];
  readonly path: string;
  readonly atMs: number;
}

/** How the secrets of a box stand. */
export interface SecretsView {
  /** Null: nobody has looked since Leasehold was started. */
  readonly look: SecretsLook | null;
  /** Since it was last gone. */
  readonly removed: readonly RemovedSecret[];
  /** What was not removed though it should have been, a sentence each. */
  readonly stayed: readonly string[];
  /** A person leaves on the box what is there. */
  readonly isLeft: boolean;
}

export const NO_SECRETS: SecretsView = { look: null, removed: [], stayed: [], isLeft: false };

/** What would be removed. Nothing but this is. */
export interface SecretsPlan {
  readonly plan: Plan;
  readonly doomed: readonly FoundSecret[];
}

/** What the evidence has of the secrets of a box, when its end was approved. */
export interface SecretsKept {
  readonly lookedAtMs: number | null;
  readonly isWhole: boolean;
  readonly removed: readonly RemovedSecret[];
  readonly left: readonly Pick<FoundSecret, 'kind' | 'path'>[];
}

export function keptSecrets({ look, removed }: SecretsView): SecretsKept {
  return {
    lookedAtMs: look?.atMs ?? null,
    isWhole: look !== null && isWholeLook(look),
    removed,
    left: (look?.found ?? []).map(({ kind, path }) => ({ kind, path })),
  };
}
