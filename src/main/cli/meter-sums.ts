import { periods, spentByPeriod, type Spent } from '../../shared/meter/box-meter.ts';
import { mergeSpans } from '../../shared/meter/idle.ts';
import { isoTime } from '../../shared/meter/ledger-csv.ts';
import { countedPart } from '../../shared/meter/ledger.ts';
import { decimalOf, formatMoney, type Money } from '../../shared/money.ts';
import type { Command } from './command.ts';
import { chooseLedgers, keptLedgers, nameOf } from './kept-ledgers.ts';
import { tableLines } from './table.ts';

export const meterSums: Command = {
  name: 'meter sums',
  summary: 'what each box has cost: today, in 7 days, this month, in total',
  operands: [],
  flags: { box: { value: 'name or id', help: 'only this box' } },
  details: [
    'Reads the database and changes nothing in it. The last half minute may not be written yet.',
    'Each currency stands by itself. "at most" is what time that was not metered would add.',
    'Exit code 1: some of it is not known, because it was not metered or because it has no price.',
  ],
  async run({ flags, isJson }, context) {
    const all = keptLedgers(context);
    if (!all.ok) return { refused: `${all.error.message} ${all.error.nextStep}` };
    const chosen = chooseLedgers(all.value, flags.get('box'));
    if (chosen === null) return { refused: `no ledger is of a box "${flags.get('box') ?? ''}".` };
    const nowMs = Date.now();
    const rows = chosen.map((each) => ({
      each,
      spent: spentByPeriod(countedPart(each.ledger), mergeSpans(each.idle), nowMs),
    }));
    if (isJson) {
      const boxes = rows.map(({ each, spent }) => ({
        boxId: each.boxId,
        name: each.owner?.name ?? null,
        platform: each.owner?.platform ?? null,
        tags: each.owner?.tags ?? [],
        isListed: each.isListed,
        ...Object.fromEntries(periods.map((period) => [period, spentJson(spent[period])])),
      }));
      await context.out.json({ at: isoTime(nowMs), boxes });
    } else {
      await context.out.lines(
        tableLines(
          ['box', 'today', '7 days', 'month', 'total', 'at most more', 'idle waste'],
          rows.map(({ each, spent }) => [
            nameOf(each),
            ...periods.map((period) => words(spent[period])),
            amounts(spent.total.unresolved),
            amounts(spent.total.wasted),
          ]),
        ),
      );
    }
    return rows.every(({ spent }) => isWhole(spent.total)) ? 0 : 1;
  },
};

function isWhole({ unresolvedMs, unpricedMs, unpricedBytes }: Spent): boolean {
  return unresolvedMs + unpricedMs + unpricedBytes === 0;
}

/** Null, shown as "–": nothing is known, which is not nothing. */
function words(spent: Spent): string | null {
  return spent.known.length === 0 && isWhole(spent) ? 'nothing' : amounts(spent.known);
}

function amounts(money: readonly Money[]): string | null {
  return money.length === 0 ? null : money.map(formatMoney).join(' + ');
}

function spentJson(spent: Spent): Readonly<Record<string, unknown>> {
  const exact = (money: readonly Money[]) =>
    money.map(({ micros, currency }) => ({ amount: decimalOf(micros), currency }));
  return {
    known: exact(spent.known),
    atMostMore: exact(spent.unresolved),
    unresolvedMs: spent.unresolvedMs,
    unpricedMs: spent.unpricedMs,
    unpricedBytes: spent.unpricedBytes,
    receivedBytes: spent.receivedBytes,
    idleWaste: exact(spent.wasted),
    idleMs: spent.wastedMs,
  };
}
