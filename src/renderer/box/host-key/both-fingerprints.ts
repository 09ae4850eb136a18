import type { LinkQuestion } from '../../../shared/boxes/box.ts';

type Changed = Extract<LinkQuestion, { kind: 'host-key-changed' }>;

/** For whoever is asked what answers at this address. */
export const bothFingerprints = ({ expected, offered }: Changed): string =>
  `trusted ${expected.type} ${expected.fingerprint}\noffered ${offered.type} ${offered.fingerprint}`;
