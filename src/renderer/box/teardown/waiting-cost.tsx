import { estimateFor } from '../../../shared/meter/estimate.ts';
import { burnWords, whileWords } from '../../../shared/meter/money-words.ts';
import { usePriceAge } from '../../costs/price-age.ts';
import type { BoxMeter } from '../../../shared/meter/box-meter.ts';
import { selectMeter, useMeter } from '../../state/feeds.ts';
import { useTransferRate } from '../../ui/transfer-rate.ts';
import styles from './teardown.module.css';

interface WaitingCostProps {
  readonly boxId: string;
  /** How far it is. */
  readonly doneBytes: number;
  readonly bytes: number;
}

/** What the box costs while something is waited for, with the age of the price. Not known is not free. */
export function WaitingCost({ boxId, ...progress }: WaitingCostProps) {
  const meter = useMeter(selectMeter(boxId));
  if (meter === null) return <p className={styles['note']}>Cost of waiting: reading the meter…</p>;
  return <Priced {...{ boxId, meter }} {...progress} />;
}

function Priced({
  boxId,
  meter,
  doneBytes,
  bytes,
}: WaitingCostProps & { readonly meter: BoxMeter }) {
  const age = usePriceAge(boxId, meter);
  const { bytesPerSecond, stillMs } = useTransferRate(doneBytes);
  const isMoving = stillMs === null && bytesPerSecond !== null && bytesPerSecond > 0;
  const leftMs = isMoving ? (Math.max(0, bytes - doneBytes) / bytesPerSecond) * 1000 : null;
  const untilDone =
    leftMs === null || meter.burnPerHour === null
      ? []
      : [`${whileWords(estimateFor(meter.charges, leftMs))} until this is done`];
  const words = [
    `Cost of waiting: ${burnWords(meter.burnPerHour, ' an hour')}`,
    ...untilDone,
    ...(age === null ? [] : [age.words]),
  ];
  return (
    <p className={styles['note']} title={age?.title}>
      {words.join(' · ')}
    </p>
  );
}
