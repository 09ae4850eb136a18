import { ChangePass, type Change } from './change-pass.ts';
import { ok } from '../result.ts';
import { SHUT, type GateState } from './gate.ts';

/** By what is known of a box, with its evidence read. */
export const judgedBy = (
  gate: GateState,
  isLeft = false,
): Parameters<typeof ChangePass.open>[0] => ({
  ground: () => ok({ gate, isLeft, unread: null }),
  onUnread: ({ message }) => {
    throw new Error(message);
  },
});

/** As the gate gives it out for a box whose end nobody has approved. */
export function passTo(does: Change['does'], about: string): ChangePass {
  const opened = ChangePass.open(judgedBy(SHUT), { does, about });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

export const endPass = (about: string): ChangePass => passTo('end-work', about);
export const deletePass = (about: string): ChangePass => passTo('delete', about);
