import type { Box, JumpHostPlace } from '../../../shared/boxes/box.ts';
import { USUAL_OPTIONS } from '../../../shared/boxes/usual-way.ts';

/** Whose key is in question, under the box's id: the box itself, or a jump host on the way to it. */
export function askingMachine(
  box: Box,
  { jumpHost }: { readonly jumpHost: JumpHostPlace | null },
): Box {
  if (jumpHost === null) return box;
  const { address, position, count } = jumpHost;
  const which = count === 1 ? '' : ` (${position} of ${count})`;
  return {
    ...box,
    name: `the jump host ${address.host}${which} on the way to ${box.name}`,
    address,
    options: USUAL_OPTIONS,
  };
}
