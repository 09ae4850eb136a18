import type { Clocks } from '../clocks/clocks.ts';
import type { Budgets } from '../meter/budgets.ts';
import type { Meter } from '../meter/meter.ts';
import type { ProfileBook } from '../profiles/profile-book.ts';
import { ok } from '../../shared/result.ts';
import type { Handlers } from './ipc-router.ts';

export interface MeterHandlerServices {
  readonly meter: Meter;
  readonly budgets: Budgets;
  readonly clocks: Clocks;
  readonly profiles: ProfileBook;
}

type MeterHandlers = Pick<
  Handlers,
  Extract<keyof Handlers, `meter:${string}` | `clocks:${string}` | `profiles:${string}`>
>;

/** What the channels of meter, clocks and profiles do. */
export function meterHandlers({
  meter,
  budgets,
  clocks,
  profiles,
}: MeterHandlerServices): MeterHandlers {
  return {
    'profiles:list': () => ok(profiles.loaded),
    'meter:set-prices': ({ boxId, prices }) => meter.setPrices(boxId, prices),
    'meter:set-phase': ({ boxId, phase }) => meter.setPhase(boxId, phase),
    'meter:ledger': ({ boxId }) => meter.ledgerOf(boxId),
    'meter:add-line': ({ boxId, ...line }) => meter.addLine(boxId, line),
    'meter:take-out': ({ boxId, no, reason }) => meter.takeOut(boxId, no, reason),
    'meter:budgets': () => budgets.judge(Date.now()),
    'meter:set-budgets': ({ budgets: wanted }) => budgets.set(wanted, Date.now()),
    'clocks:entries': ({ boxId }) => clocks.entriesOf(boxId),
    'clocks:set-entries': ({ boxId, entries }) => clocks.setEntries(boxId, entries),
    'clocks:account': ({ platform }) => ok(clocks.accountOf(platform)),
    'clocks:set-account': ({ platform, account }) => clocks.setAccount(platform, account),
    'clocks:snooze': ({ boxId, clockId, untilMs }) => clocks.snooze(boxId, clockId, untilMs),
  };
}
