import { call } from '../state/bridge.ts';
import { receiptChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import type { Asking } from '../box/teardown/use-teardown.ts';

interface ReceiptButtonsProps {
  /** Its entry of the evidence; null: there is none. */
  readonly receipt: number | null;
  /** Whose page it is read from; null: the archive. */
  readonly boxId: string | null;
  readonly asking: Asking;
  /** In a row of a table. */
  readonly isSmall?: boolean;
}

/** The receipt of an end, to read and to check later. */
export function ReceiptButtons({ receipt, boxId, asking, isSmall = false }: ReceiptButtonsProps) {
  const { isBusy, ask } = asking;
  const shared = {
    disabled: receipt === null || isBusy,
    size: isSmall ? ('small' as const) : ('medium' as const),
  };
  return (
    <>
      <Button
        {...shared}
        look={isSmall ? 'plain' : 'primary'}
        title="To read, to print, and to save as PDF"
        onClick={() => receipt !== null && receiptChosen(receipt, boxId)}
      >
        Receipt
      </Button>
      <Button
        {...shared}
        onClick={() => receipt !== null && ask(call('evidence:receipt', { seq: receipt }))}
      >
        Save receipt…
      </Button>
      <Button
        {...shared}
        title="Can be checked later, together with the copies: evidence check --receipt"
        onClick={() =>
          receipt !== null && ask(call('evidence:receipt', { seq: receipt, format: 'json' }))
        }
      >
        Save as JSON…
      </Button>
    </>
  );
}
