import type { Box, LinkQuestion } from '../../../shared/boxes/box.ts';
import { askingMachine } from './asking-machine.ts';
import { HostKeyChanged } from './host-key-changed.tsx';
import { HostKeyRevoked } from './host-key-revoked.tsx';
import { HostKeyUnknown } from './host-key-unknown.tsx';

interface HostKeyScreenProps {
  readonly box: Box;
  readonly link: LinkQuestion;
}

/** Asks or says what is to be said of a host key. Another key is another question, and begins anew. */
export function HostKeyScreen({ box, link }: HostKeyScreenProps) {
  const machine = askingMachine(box, link);
  const key = link.offered.fingerprint;
  switch (link.kind) {
    case 'host-key-unknown':
      return <HostKeyUnknown key={key} box={machine} link={link} />;
    case 'host-key-changed':
      return <HostKeyChanged key={key} box={machine} link={link} />;
    case 'host-key-revoked':
      return <HostKeyRevoked key={key} box={machine} link={link} />;
  }
}
