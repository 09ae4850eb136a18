import { postWords } from '../../../../shared/push/post-outcome.ts';
import type { PushState } from '../../../../shared/push/push-waiter.ts';
import type { WebhookTarget } from '../../../../shared/webhook/delivery.ts';
import { WEBHOOK_KIND_WORDS } from '../../../settings/webhook-fields.tsx';
import type { Tone } from '../../../ui/glyph.tsx';

/** "ntfy at ntfy.sh, with an access token". */
export function targetWords({ kind, host, hasToken }: WebhookTarget): string {
  const at = host === null ? '' : ` at ${host}`;
  return `${WEBHOOK_KIND_WORDS[kind]}${at}${hasToken ? ', with an access token' : ''}`;
}

const LOST: Readonly<Record<Extract<PushState, { kind: 'lost' }>['because'], string>> = {
  restart:
    'Gone with a restart of the box, or it waits on another machine with the same home folder. It has told nothing; arm it again if the run was started again.',
  ended:
    'Gone without a word: somebody ended it, memory ran out, or the box ends everything at log-out. It has told nothing.',
  unknown: 'Gone without a word; why is not known. It has told nothing.',
};

/** How a waiter stands, as sentences. */
export function stateWords(state: PushState): { readonly tone: Tone; readonly words: string } {
  switch (state.kind) {
    case 'waiting':
      return { tone: 'ok', words: 'Waits for its end.' };
    case 'lost':
      return { tone: 'warn', words: LOST[state.because] };
    case 'fired': {
      const what =
        state.because === 'ended' ? 'The run ended' : 'The wait was over, and the run went on';
      return state.isDelivered
        ? { tone: 'ok', words: `${what}; the message was ${postWords(state.post)}.` }
        : {
            tone: 'danger',
            words: `${what}; the message did not arrive: ${postWords(state.post)}.`,
          };
    }
  }
}
