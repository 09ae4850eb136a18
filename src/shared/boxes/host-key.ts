import type { Plan } from '../plan/plan.ts';
import type { Problem } from '../problem.ts';
import type { SshAddress } from './address.ts';
import type { LinkQuestion, LinkState } from './box.ts';

/** A server's public key, as the user compares it. */
export interface HostKey {
  /** For example `ssh-ed25519`. */
  readonly type: string;
  /** `SHA256:` and base64 without padding, as OpenSSH prints it. */
  readonly fingerprint: string;
}

/** A key that a server offers, in every notation that a person may have to compare it with. */
export interface OfferedKey extends HostKey {
  /** `MD5:` and 16 pairs of hex digits; some consoles still print that. MD5 is weak, and the screen says so. */
  readonly md5: string;
  /** The key itself, base64, as known_hosts files hold it. */
  readonly publicKey: string;
}

/** A line of a file on this machine. */
export interface KnownPlace {
  /** As a person would write it: `~/.ssh/known_hosts`. */
  readonly file: string;
  readonly line: number;
}

/** The key that was expected instead of the one that is offered. */
export interface ExpectedKey extends HostKey {
  /** Null: it stands in a known_hosts file, which does not say. */
  readonly storedAtMs: number | null;
  /** When the box last proved that it has it; null: never since this is noted. */
  readonly lastSeenMs: number | null;
  /** The known_hosts line it comes from; null: it was trusted in Leasehold. */
  readonly place: KnownPlace | null;
}

/** A host key that only a person can judge. Nothing is sent to the box, and nothing is tried again, until they have. */
export type HostKeyQuestion =
  | {
      readonly kind: 'host-key-unknown';
      readonly offered: OfferedKey;
      /** What limits the judgement: a known_hosts file that cannot be read, a certificate that cannot be checked. */
      readonly notes: readonly Problem[];
      /** SECURITY: true where "I compared it" is not enough: the compared value itself must be entered. */
      readonly mustCompare: boolean;
    }
  | {
      readonly kind: 'host-key-changed';
      readonly offered: OfferedKey;
      readonly expected: ExpectedKey;
      /** The offered key stands in the person's own known_hosts for this address: a hint, not a reason to connect. */
      readonly offeredPlace: KnownPlace | null;
      /** Of giving the machine this key as its new identity. */
      readonly plan: Plan;
    }
  | {
      readonly kind: 'host-key-revoked';
      readonly offered: OfferedKey;
      readonly place: KnownPlace;
    };

/** A person must judge a host key before anything goes on. */
export function isKeyQuestion(link: LinkState): link is LinkQuestion {
  return 'offered' in link;
}

/** How a key came to be trusted. `built-in`: Leasehold made it itself. `not-recorded`: before Leasehold noted it. */
export const trustWays = [
  'confirmed',
  'compared',
  'compared-md5',
  'known-hosts',
  'new-machine-name',
  'new-machine-fingerprint',
  'built-in',
  'not-recorded',
] as const;
export type TrustWay = (typeof trustWays)[number];

/** One key of a box's history. */
export interface IdentityKey extends HostKey {
  readonly trustedBy: TrustWay;
  /** `~/.ssh/known_hosts, line 12` for a key that came from there. */
  readonly trustedWhere: string | null;
  readonly fromMs: number;
  readonly lastSeenMs: number | null;
  /** Null: this is the key of the box today. */
  readonly untilMs: number | null;
  readonly replacedBecause: ReplacedBecause | null;
  /** Where the person's own known_hosts say the same today; null: nowhere, so ssh itself would ask. */
  readonly foundIn: KnownPlace | null;
}

export const replacedReasons = ['new-machine', 'trusted-anew', 'not-recorded'] as const;
export type ReplacedBecause = (typeof replacedReasons)[number];

/** Every key a machine was ever known by. */
export interface MachineIdentity {
  /** Newest first. */
  readonly keys: readonly IdentityKey[];
  /** What of the history, and of the person's known_hosts, could not be read. */
  readonly unreadable: readonly Problem[];
}

/** The box's own keys, and those of each jump host on the way to it. */
export interface BoxIdentity extends MachineIdentity {
  readonly jumpHosts: readonly (MachineIdentity & { readonly address: SshAddress })[];
}
