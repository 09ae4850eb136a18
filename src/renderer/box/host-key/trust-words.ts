import type {
  IdentityKey,
  KnownPlace,
  ReplacedBecause,
  TrustWay,
} from '../../../shared/boxes/host-key.ts';

/** `~/.ssh/known_hosts, line 12` */
export function placeWords({ file, line }: KnownPlace): string {
  return `${file}, line ${line}`;
}

const WAYS: Readonly<Record<TrustWay, string>> = {
  confirmed: 'you said that the fingerprint matches',
  compared: 'the fingerprint you pasted was the same',
  'compared-md5': 'the MD5 fingerprint you pasted was the same (weak)',
  'known-hosts': 'you already trusted it on this machine',
  'new-machine-name': 'new machine, confirmed by the box’s name',
  'new-machine-fingerprint': 'new machine, the fingerprint you pasted was the same',
  'built-in': 'Leasehold made this machine itself',
  'not-recorded': 'not recorded',
};

const REASONS: Readonly<Record<ReplacedBecause, string>> = {
  'new-machine': 'this is a new machine',
  'trusted-anew': 'another key was trusted at first contact',
  'not-recorded': 'not recorded',
};

/** How a key of the history came to be trusted. */
export function trustWords({ trustedBy, trustedWhere }: IdentityKey): string {
  const way = WAYS[trustedBy];
  return trustedWhere === null ? way : `${way} (${trustedWhere})`;
}

export function replacedWords(because: ReplacedBecause): string {
  return REASONS[because];
}

/** Whether ssh itself would know the key that is trusted today. Null: there is nothing to say. */
export function elsewhereWords({ trustedBy, untilMs, foundIn }: IdentityKey): string | null {
  if (untilMs !== null || trustedBy === 'built-in') return null;
  if (foundIn !== null) return `also in your ${placeWords(foundIn)}`;
  return trustedBy === 'known-hosts'
    ? 'stored by Leasehold; that line is gone from your known_hosts, so ssh would ask. Removing the box, or an @revoked line, ends the trust here.'
    : 'stored by Leasehold, not in your known_hosts: ssh would ask';
}
