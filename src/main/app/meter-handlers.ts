import type { Clocks } from '../clocks/clocks.ts';
import type { Budgets } from '../meter/budgets.ts';
import type { Meter } from '../meter/meter.ts';
import type { Handlers } from './ipc-router.ts';

export interface MeterHandlerServices {
  readonly meter: Meter;
  readonly budgets: Budgets;
  readonly clocks: Clocks;
}

type MeterHandlers = Pick<
  Handlers,
  Extract<keyof Handlers, `meter:${string}` | `clocks:${string}`>
>;

/** What the channels of meter and clocks do. */
export function meterHandlers({ meter, budgets, clocks }: MeterHandlerServices): MeterHandlers {
  return {
    'meter:set-prices': ({ boxId, prices }) => meter.setPrices(boxId, prices),
    'meter:set-phase': ({ boxId, phase }) => meter.setPhase(boxId, phase),
    'meter:ledger': ({ boxId }) => meter.ledgerOf(boxId),
    'meter:add-line': ({ boxId, ...line }) => meter.addLine(boxId, line),
    'meter:take-out': ({ boxId, no, reason }) => meter.takeOut(boxId, no, reason),
    'meter:budgets': () => budgets.judge(Date.now()),
    'meter:set-budgets': ({ budgets: wanted }) => budgets.set(wanted, Date.now()),
    'clocks:entries': ({ boxId }) => clocks.entriesOf(boxId),
    'clocks:set-entries': ({ boxId, entries }) => clocks.setEntries(boxId, entries),
    'clocks:set-account': ({ platform, account }) => clocks.setAccount(platform, account),
    'clocks:snooze': ({ boxId, clockId, untilMs }) => clocks.snooze(boxId, clockId, untilMs),
  };
}
