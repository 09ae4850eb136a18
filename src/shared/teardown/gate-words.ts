import type { GateRefusal } from './gate.ts';
import type { ProviderLine } from './provider-said.ts';

/** Why the gate did not take a step, as a sentence. */
export const refusalWords: Readonly<Record<GateRefusal, string>> = {
  'not-inspected': 'The box has to be looked at first.',
  blocked: 'Something still stands between this box and its end.',
  changed: 'The box has changed since you saw it. Look at it again.',
  'wrong-name': 'That is not the name of this box.',
  expired: 'Your approval is more than ten minutes old.',
  'not-approved': 'Nobody has approved the end of this box.',
  'under-way': 'The end of this box is under way already.',
  'not-under-way': 'No end of this box is under way.',
  gone: 'This box is gone.',
};

/** What a provider said, in a word or two. */
export const providerWords: Readonly<Record<ProviderLine['kind'], string>> = {
  accepted: 'took the order',
  refused: 'refused the order',
  lost: 'no answer to the order',
  running: 'running',
  stopping: 'on its way down',
  stopped: 'stopped',
  gone: 'gone',
  unheard: 'no such machine',
  silent: 'no answer',
};
