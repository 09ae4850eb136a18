import type { LinkQuestion } from './box.ts';
import type { OfferedKey } from './host-key.ts';

// Made-up keys and questions about them, for tests of what is shown.

export const SAMPLE_KEY: OfferedKey = {
  type: 'ssh-ed25519',
  fingerprint: 'SHA256:RXm/ruZ0eTzRXKwi1AQEDynB0VgHQ2ac9KPSFdf/YnA',
  md5: 'MD5:fd:48:2a:63:0e:0b:6e:86:71:b5:0c:a9:e7:d7:50:9c',
  publicKey: 'AAAAC3NzaC1lZDI1NTE5AAAAIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB',
};

type Question<K extends LinkQuestion['kind']> = Extract<LinkQuestion, { kind: K }>;

export function unknownKey(
  part: Partial<Question<'host-key-unknown'>> = {},
): Question<'host-key-unknown'> {
  return {
    kind: 'host-key-unknown',
    offered: SAMPLE_KEY,
    notes: [],
    mustCompare: false,
    jumpHost: null,
    ...part,
  };
}

export function changedKey(
  part: Partial<Question<'host-key-changed'>> = {},
): Question<'host-key-changed'> {
  return {
    kind: 'host-key-changed',
    offered: SAMPLE_KEY,
    expected: {
      type: 'ssh-ed25519',
      fingerprint: 'SHA256:baqJQcVDEweKmw1OiZxGooCG2MGxYtwsQQzzOstxmiA',
      storedAtMs: 0,
      lastSeenMs: null,
      place: null,
    },
    offeredPlace: null,
    jumpHost: null,
    ...part,
  };
}

export const REVOKED_KEY: Question<'host-key-revoked'> = {
  kind: 'host-key-revoked',
  offered: SAMPLE_KEY,
  place: { file: '~/.ssh/known_hosts', line: 4 },
  jumpHost: null,
};
