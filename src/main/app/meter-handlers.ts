import type { Clocks } from '../clocks/clocks.ts';
import type { BudgetWatch } from '../meter/budget-watch.ts';
import type { Budgets } from '../meter/budgets.ts';
import type { Meter } from '../meter/meter.ts';
import type { Spending } from '../meter/spending.ts';
import { ok } from '../../shared/result.ts';
import type { SavedKind } from './choose-file.ts';
import type { Handlers } from './ipc-router.ts';

export interface MeterHandlerServices {
  readonly meter: Meter;
  readonly budgets: Budgets;
  readonly budgetWatch: BudgetWatch;
  readonly spending: Spending;
  readonly clocks: Clocks;
  /** Where to save; null: the person cancelled. */
  readonly chooseFile: (suggested: string, kind: SavedKind) => Promise<string | null>;
}

type MeterHandlers = Pick<
  Handlers,
  Extract<keyof Handlers, `meter:${string}` | `clocks:${string}`>
>;

/** What the channels of meter and clocks do. */
export function meterHandlers({
  meter,
  budgets,
  budgetWatch,
  spending,
  clocks,
  chooseFile,
}: MeterHandlerServices): MeterHandlers {
  return {
    'meter:set-prices': ({ boxId, prices, fromMs }) => meter.setPrices(boxId, prices, fromMs),
    'meter:set-phase': ({ boxId, phase }) => meter.setPhase(boxId, phase),
    'meter:ledger': ({ boxId }) => meter.ledgerOf(boxId),
    'meter:add-line': ({ boxId, ...line }) => meter.addLine(boxId, line),
    'meter:take-out': ({ boxId, no, reason }) => meter.takeOut(boxId, no, reason),
    'meter:correct': ({ boxId, no, reason, ...line }) => meter.correct(boxId, no, reason, line),
    'meter:settle': ({ boxId, no, as }) => meter.settle(boxId, no, as),
    'meter:add-transfer': ({ boxId, ...transfer }) => meter.addTransfer(boxId, transfer),
    'meter:days': ({ boxId, days }) => spending.days(boxId, days, Date.now()),
    'meter:export': async ({ boxId }) => {
      const file = await chooseFile(`leasehold-costs-${today()}.csv`, 'csv');
      return file === null ? ok({ kind: 'cancelled' }) : spending.exportCsv(boxId, file);
    },
    'meter:budgets': () => budgets.follow(Date.now()),
    'meter:set-budgets': ({ budgets: wanted }) => budgetWatch.set(wanted),
    'clocks:entries': ({ boxId }) => clocks.entriesOf(boxId),
    'clocks:set-entries': ({ boxId, entries }) => clocks.setEntries(boxId, entries),
    'clocks:account': ({ platform }) => ok(clocks.accountOf(platform)),
    'clocks:set-account': ({ platform, account }) => clocks.setAccount(platform, account),
    'clocks:snooze': ({ boxId, clockId, untilMs }) => clocks.snooze(boxId, clockId, untilMs),
  };
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
