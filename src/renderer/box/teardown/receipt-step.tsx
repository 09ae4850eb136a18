import { isArchived } from '../../../shared/boxes/archived.ts';
import type { Box } from '../../../shared/boxes/box.ts';
import { DEMO_PLATFORM } from '../../../shared/demo/demo-platform.ts';
import { providerWords } from '../../../shared/teardown/gate-words.ts';
import type { GateState } from '../../../shared/teardown/gate.ts';
import { ReceiptButtons } from '../../archive/receipt-buttons.tsx';
import { call } from '../../state/bridge.ts';
import { overlayOpened } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { formatDate } from '../../ui/format.ts';
import { Refusal } from '../../ui/problem-note.tsx';
import { useAsking } from './use-teardown.ts';
import styles from './teardown.module.css';

interface ReceiptStepProps {
  readonly box: Box;
  readonly gate: Extract<GateState, { readonly kind: 'gone' }>;
  /** Its entry of the evidence. */
  readonly receipt: number | null;
}

/** What is known of the end, and what to keep of it. */
export function ReceiptStep({ box, gate, receipt }: ReceiptStepProps) {
  const boxId = box.id;
  const asking = useAsking();
  const { refusal, isBusy, ask } = asking;
  const { act, gone } = gate;
  return (
    <>
      <dl className={styles['facts']}>
        <dt>What was done</dt>
        <dd>{act.verb}</dd>
        <dt>Approved</dt>
        <dd>{formatDate(act.approvedAtMs)}</dd>
        {gone.by.kind === 'person' && (
          <>
            <dt>You confirmed it</dt>
            <dd>{formatDate(gone.by.saidAtMs)}</dd>
          </>
        )}
        {gone.by.said !== null && (
          <>
            <dt>{gone.by.said.provider}</dt>
            <dd>
              {providerWords[gone.by.said.kind]}, {formatDate(gone.by.said.atMs)}
            </dd>
          </>
        )}
        <dt>Its address</dt>
        <dd>{gone.silence}</dd>
        <dt>Considered gone</dt>
        <dd>{formatDate(gone.atMs)}</dd>
      </dl>
      {gone.by.kind === 'person' && gone.by.said === null && (
        <p className={styles['note']}>
          No provider says so: your word and the silence of the address are all there is. Look at
          the next bill.
        </p>
      )}
      <div className={styles['buttons']}>
        <ReceiptButtons {...{ receipt, boxId, asking }} />
        {/* Of the demo box nothing is stored that could be deleted. */}
        {isArchived(box) && box.platform !== DEMO_PLATFORM && (
          <Button disabled={isBusy} onClick={() => overlayOpened({ kind: 'forget-box', boxId })}>
            Delete its history…
          </Button>
        )}
        <Button
          look="quiet"
          disabled={isBusy}
          onClick={() => ask(call('teardown:begin-again', { boxId }))}
        >
          This box is back…
        </Button>
      </div>
      <Refusal problem={refusal} />
    </>
  );
}
