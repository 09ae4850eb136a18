import { isoUtc } from '../../iso-time.ts';
import type { Box } from '../../boxes/box.ts';
import { durationWords } from '../../duration-words.ts';
import type { Act } from '../../teardown/gate.ts';
import { EVERYWHERE, type NewsKind } from '../news.ts';

/** An end that a person approved, and that nothing has confirmed. */
export interface OpenEnd {
  readonly box: Pick<Box, 'id' | 'name'>;
  readonly act: Pick<Act, 'id' | 'verb' | 'aim' | 'approvedAtMs'>;
  /** Who carries it out; null: the person. */
  readonly provider: string | null;
}

/** By then it is no longer on its way. */
const LATE_MS = 3600_000;

/** Also to a person who looks at the window: it may show another box. */
export const endNews: NewsKind<OpenEnd> = {
  kind: 'end',
  picture: 'money_with_wings',
  to: EVERYWHERE,
  isKept: true,
  words: ({ box, act, provider }, atMs) => {
    const sinceMs = Math.max(0, atMs - act.approvedAtMs);
    const [done, verb] = act.aim === 'stopped' ? ['stopped', 'stop'] : ['ended', 'end'];
    return {
      title: `${box.name}: nothing has confirmed that it is ${done}`,
      body: `“${act.verb}” was approved ${durationWords(sinceMs)} ago, and the machine may go on billing. ${
        provider === null
          ? `If you have ${done} it, confirm that under Teardown; if not, ${verb} it now, or call it off.`
          : `Look at it in ${provider}’s console, and under Teardown.`
      }`,
      box: { id: box.id, name: box.name },
      severity: sinceMs >= LATE_MS ? 'critical' : 'warn',
      shows: { kind: 'show-teardown', boxId: box.id },
      about: act.id,
      quietAt: 'nowhere',
      facts: { verb: act.verb, approvedAt: isoUtc(act.approvedAtMs) },
    };
  },
};
