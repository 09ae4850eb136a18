import type { Box } from '../../../shared/boxes/box.ts';
import { providerWords } from '../../../shared/teardown/gate-words.ts';
import type { UnderWay } from '../../../shared/teardown/gate.ts';
import type { ProviderLine } from '../../../shared/teardown/provider-said.ts';
import { silenceOf, type Silence } from '../../../shared/teardown/way-on.ts';
import { textOf } from '../../../shared/runs/launch/run-words.ts';
import { Age } from '../../ui/age.tsx';
import { formatDate } from '../../ui/format.ts';
import { GiveUp } from './give-up.tsx';
import styles from './teardown.module.css';

/** What it said, as far as that is known. */
function beforeThat({ before, isFromOrder }: Silence): string {
  if (before !== null) {
    return `Before that it said: ${providerWords[before.kind]}, ${formatDate(before.atMs)}.`;
  }
  return isFromOrder
    ? 'It has said nothing about this request.'
    : 'Before that it may have accepted the request, and be ending the machine.';
}

interface NoAnswerProps {
  readonly box: Pick<Box, 'id' | 'platform'>;
  readonly provider: string;
  readonly said: UnderWay['said'];
  readonly told: readonly ProviderLine[];
}

/** A provider that does not answer: since when, what it said before, and what can be done without it. */
export function NoAnswer({ box, provider: foreign, said, told }: NoAnswerProps) {
  const silence = silenceOf(told);
  if (said?.kind !== 'silent' || silence === null) return null;
  const provider = textOf(foreign);
  const since = formatDate(silence.sinceMs);
  return (
    <div className={styles['wayOut']} role="note" aria-label="What you can do">
      <p className={styles['lead']}>
        {silence.before === null && !silence.isFromOrder
          ? `${provider} has not answered yet: Leasehold has been asking since ${since}.`
          : `${provider} has not answered since ${since}.`}{' '}
        Leasehold last asked <Age atMs={said.atMs} />, and keeps asking. {beforeThat(silence)}
      </p>
      <p className={styles['lead']}>
        Look at the machine in {provider}’s console. If it is gone there, its end is confirmed here
        as soon as {provider} answers again. If it is running there, end it there, or choose “It is
        not being ended”.
      </p>
      <GiveUp box={box} ofDemo={`If ${provider} will never answer again, switch the demo box off.`}>
        If {provider} will never answer again, for example because the account was closed, make sure
        that the machine is gone, then forget the box.
      </GiveUp>
    </div>
  );
}
