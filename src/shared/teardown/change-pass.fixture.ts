import { ChangePass, type Change } from './change-pass.ts';
import { ok } from '../result.ts';
import { SHUT } from './gate.ts';

/** As the gate gives it out for a box whose end nobody has approved. */
export function passTo(does: Change['does'], about: string): ChangePass {
  const opened = ChangePass.open(() => ok({ gate: SHUT, isLeft: false }), { does, about });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

export const endPass = (about: string): ChangePass => passTo('end-work', about);
export const deletePass = (about: string): ChangePass => passTo('delete', about);
