import {
  csvRows,
  CSV_HEADER,
  exportRows,
  type LedgerOwner,
} from '../../shared/meter/ledger-csv.ts';
import type { Command } from './command.ts';
import { chooseLedgers, keptLedgers } from './kept-ledgers.ts';
import { tableLines } from './table.ts';

export const meterLedger: Command = {
  name: 'meter ledger',
  summary: 'every line of the ledger, as CSV, JSON or a table',
  operands: [],
  flags: {
    box: { value: 'name or id', help: 'only this box' },
    csv: { value: null, help: 'prints CSV, as the window exports it' },
  },
  details: [
    'Reads the database and changes nothing in it. The last half minute may not be written yet.',
    'Lines that count no more are there too, with who took them out, when and why.',
  ],
  async run({ flags, isJson }, context) {
    if (isJson && flags.has('csv')) return { refused: 'choose --json or --csv.' };
    const all = keptLedgers(context);
    if (!all.ok) return { refused: `${all.error.message} ${all.error.nextStep}` };
    const chosen = chooseLedgers(all.value, flags.get('box'));
    if (chosen === null) return { refused: `no ledger is of a box "${flags.get('box') ?? ''}".` };
    const owners = chosen.map(({ boxId, owner, ledger }): LedgerOwner => ({
      boxId,
      name: owner?.name ?? null,
      platform: owner?.platform ?? null,
      tags: owner?.tags ?? [],
      ledger,
    }));
    const { out } = context;
    if (flags.has('csv')) {
      await out.line(withoutEnd(CSV_HEADER));
      for (const row of csvRows(owners)) await out.line(withoutEnd(row));
      return 0;
    }
    const rows = [...exportRows(owners)];
    if (isJson) await out.json({ rows });
    else {
      const head = [
        'box',
        'line',
        'from',
        'seconds',
        'state',
        'known how',
        'what',
        'amount',
        'counts',
      ];
      await out.lines(
        tableLines(
          head,
          rows.map((row) => [
            row.box === '' ? row.box_id : row.box,
            row.line,
            row.from,
            row.seconds,
            row.state,
            row.known_how,
            row.what,
            row.amount === '' ? null : `${row.amount} ${row.rate_currency}`,
            row.counts,
          ]),
        ),
      );
    }
    return 0;
  },
};

function withoutEnd(row: string): string {
  return row.replace(/\r\n$/, '');
}
