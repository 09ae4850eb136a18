import type { GateRefusal } from './gate.ts';
import type { ProviderLine } from './provider-said.ts';

/** Why the gate did not take a step, as a sentence. */
export const refusalWords: Readonly<Record<GateRefusal, string>> = {
  'not-inspected': 'Check the box first.',
  blocked: 'Something has to be settled before this box can be ended.',
  changed: 'The box has changed since it was checked. Check it again.',
  'wrong-name': 'That is not the name of this box.',
  expired: 'Your approval is more than ten minutes old.',
  'not-approved': 'Ending this box has not been approved.',
  'under-way': 'This box is already being ended.',
  'not-under-way': 'This box is not being ended.',
  gone: 'This box is gone.',
};

/** What a provider said, in a word or two. */
export const providerWords: Readonly<Record<ProviderLine['kind'], string>> = {
  accepted: 'accepted the request',
  refused: 'refused the request',
  lost: 'no answer to the request',
  running: 'running',
  stopping: 'shutting down',
  stopped: 'stopped',
  gone: 'gone',
  unheard: 'no such machine',
  silent: 'no answer',
};
