import type { Box } from '../../../shared/boxes/box.ts';
import { personsPart, pictureOf } from '../../../shared/teardown/judge-gone.ts';
import type { UnderWay } from '../../../shared/teardown/gate.ts';
import { providerWords } from '../../../shared/teardown/gate-words.ts';
import type { ProviderLine } from '../../../shared/teardown/provider-said.ts';
import { wayOn } from '../../../shared/teardown/way-on.ts';
import { textOf } from '../../../shared/runs/launch/run-words.ts';
import { call } from '../../state/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { formatDate } from '../../ui/format.ts';
import { Refusal } from '../../ui/problem-note.tsx';
import { CannotConfirm } from './cannot-confirm.tsx';
import { NoAnswer } from './no-answer.tsx';
import { useAsking } from './use-teardown.ts';
import styles from './teardown.module.css';

interface ProviderActProps {
  readonly box: Pick<Box, 'id' | 'platform'>;
  readonly provider: string;
  readonly underWay: UnderWay;
  readonly isUnconfirmed: boolean;
  readonly told: readonly ProviderLine[];
  /** More than asking is going on. */
  readonly isBusy: boolean;
}

/** An end that the provider carries out: what it was told, and what it has said since. */
export function ProviderAct({
  box,
  provider,
  underWay,
  isUnconfirmed,
  told,
  isBusy,
}: ProviderActProps) {
  const boxId = box.id;
  const { refusal, isBusy: isAsking, ask } = useAsking();
  const isOff = isBusy || isAsking;
  const { act, said } = underWay;
  // Before the provider has been asked there is nothing to add a word to.
  const part = said === null ? null : personsPart(underWay);
  return (
    <>
      <p className={styles['lead']}>
        Leasehold sends “{act.verb}” to {textOf(provider)} once, then checks until the provider says
        that it is done and nothing answers at the address. The request is never sent twice.
      </p>
      <ToldList told={told} />
      <div className={styles['buttons']}>
        <Button
          look="primary"
          disabled={isOff}
          onClick={() => ask(call('teardown:confirm', { boxId, saidTo: null }))}
        >
          Check now
        </Button>
        {(part === 'done' || part === 'ended-elsewhere') && (
          <Button
            disabled={isOff}
            onClick={() => ask(call('teardown:confirm', { boxId, saidTo: pictureOf(underWay) }))}
          >
            {part === 'done' ? 'I know that it is done – check' : 'It was ended elsewhere – check'}
          </Button>
        )}
        <Button
          look="quiet"
          disabled={isOff}
          onClick={() => ask(call('teardown:call-off', { boxId }))}
        >
          It is not being ended
        </Button>
      </div>
      {isUnconfirmed && <WayOn {...{ underWay }} provider={textOf(provider)} />}
      <NoAnswer {...{ box, provider, said, told }} />
      {part === 'cannot-confirm' && <CannotConfirm box={box} />}
      <p className={styles['note']}>Approved {formatDate(act.approvedAtMs)}.</p>
      <Refusal problem={refusal} />
    </>
  );
}

function WayOn({ underWay, provider }: { readonly underWay: UnderWay; readonly provider: string }) {
  const says = wayOn(underWay, provider);
  return says !== null && <p className={styles['lead']}>{says}</p>;
}

/** Each thing that a provider said, in its words and ours. */
export function ToldList({ told }: { readonly told: readonly ProviderLine[] }) {
  if (told.length === 0) return null;
  return (
    <ol className={styles['told']} aria-label="What the provider said">
      {told.map(({ provider, kind, says, atMs }) => (
        <li key={`${String(atMs)} ${kind}`}>
          <span className={styles['note']}>{formatDate(atMs)}</span>
          <span>
            {textOf(provider)}: {providerWords[kind]}
          </span>
          <span className={`mono selectable ${styles['note'] ?? ''}`}>{textOf(says)}</span>
        </li>
      ))}
    </ol>
  );
}
