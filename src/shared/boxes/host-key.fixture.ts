import { planRefOf, type PlanRef } from '../plan/plan.ts';
import type { LinkQuestion, LinkState } from './box.ts';
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
    plan: { id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01', digest: 'd1', expiresAtMs: 1 },
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

/** What a person answers to "this is a new machine". */
export function planShownBy(link: LinkState): PlanRef {
  if (link.kind !== 'host-key-changed') throw new Error(`the link is ${link.kind}`);
  return planRefOf(link.plan);
}
