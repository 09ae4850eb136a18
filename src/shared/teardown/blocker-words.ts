import type { BlockerKind } from './inspection.ts';

/** What a person can do about each, besides accepting the loss where that can be. */
export const WAY_FORWARD: Readonly<Record<BlockerKind, string>> = {
  'not-looked': 'Connect to the box, and check it again.',
  'run-alive': 'Wait for it, or end it on the page of its runs.',
  'queue-waiting': 'Let the queue go on until it is done, on the page of its runs.',
  'sweep-open': 'Run what is missing again, or wait for the other boxes of the sweep.',
  'process-alive': 'Wait for it, or end it in a terminal.',
  'processes-unknown': 'See on the page of its alerts what the box could not tell.',
  'tracker-log':
    'Send it in a terminal, as with “wandb sync”. What is home can be sent from this computer.',
  elsewhere: 'Look through the box, in its files or in a terminal.',
  'never-pulled': 'Bring the results home.',
  'not-home': 'Bring the results home again.',
  damaged: 'Accept each file on the page of its run, where it is damaged on the box, too.',
  'copies-unread': 'Have them read again here.',
  'copies-gone': 'Bring the results home again.',
  'other-machine':
    'Make sure that this is the box you mean. Then have the copies read again, against what it has now.',
  'evidence-broken': 'Put the data folder back from a copy of yours.',
  'tier-goes': 'Name their folder on the page of its runs, and bring it home.',
  'others-data': 'End what is on the shared storage by itself, or leave it.',
  'bills-on': 'End each by itself in the console of your provider, or pay for it.',
};
