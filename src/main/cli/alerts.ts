import type { Alert } from '../../shared/alerts/alert.ts';
import { isoTime } from '../../shared/meter/ledger-csv.ts';
import { formatMoney } from '../../shared/money.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Problem } from '../../shared/problem.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { openReadOnly } from '../storage/read-only.ts';
import type { Command, CommandContext } from './command.ts';
import { tableLines } from './table.ts';

const MAX_PAST = 1000;

interface BoxAlert {
  readonly boxId: string;
  readonly box: string;
  readonly alert: Alert;
}

interface Kept {
  readonly boxes: readonly { readonly id: string; readonly name: string }[];
  readonly alerts: readonly BoxAlert[];
  readonly unreadable: readonly Problem[];
}

export const alerts: Command = {
  name: 'alerts',
  summary: 'what was found on the boxes and is not over, as Leasehold kept it last',
  operands: [],
  flags: {
    box: { value: 'name or id', help: 'only this box' },
    all: { value: null, help: 'also what is over, the newest end first' },
  },
  details: [
    'Reads the database and changes nothing in it; asks no box. Figures may be a minute old while Leasehold runs.',
    'While it does not run nobody looks: "last seen" says until when somebody did.',
    'Exit code 1: an alert is not over, or one could not be read.',
  ],
  async run({ flags, isJson }, context) {
    const kept = readKept(context, flags.has('all'));
    if (!kept.ok) return { refused: `${kept.error.message} ${kept.error.nextStep}` };
    const { boxes, unreadable } = kept.value;
    const wanted = flags.get('box');
    const chosen = boxes.filter(
      ({ id, name }) => wanted === undefined || [id, name].includes(wanted),
    );
    if (wanted !== undefined && chosen.length === 0)
      return { refused: `there is no box "${wanted}".` };
    const ids = new Set(chosen.map(({ id }) => id));
    const shown = kept.value.alerts.filter(({ boxId }) => ids.has(boxId));
    for (const { message } of unreadable) await context.err.line(message);
    if (isJson) {
      await context.out.json({ at: isoTime(Date.now()), alerts: shown.map(asJson) });
    } else if (shown.length === 0) {
      await context.out.line('No alert is open.');
    } else await context.out.lines(tableLines(HEAD, shown.map(asRow)));
    const isFine = shown.every(({ alert }) => alert.stage.kind === 'resolved');
    return isFine && unreadable.length === 0 ? 0 : 1;
  },
};

function readKept(
  { env, platform }: Pick<CommandContext, 'env' | 'platform'>,
  withPast: boolean,
): Result<Kept, Problem> {
  const opened = openReadOnly(dataFolder(env, platform));
  if (!opened.ok) return opened;
  const { boxes, alerts: table, close } = opened.value;
  try {
    const [listed, open] = [boxes.list(), table.open()];
    const past = withPast ? table.resolved(null, 0, MAX_PAST) : ok({ rows: [], unreadable: [] });
    if (!listed.ok) return listed;
    if (!open.ok) return open;
    if (!past.ok) return past;
    const names = new Map(listed.value.rows.map(({ id, name }) => [id, name]));
    return ok({
      boxes: listed.value.rows,
      alerts: [...open.value.rows, ...past.value.rows].map(({ boxId, alert }) => ({
        boxId,
        box: names.get(boxId) ?? boxId,
        alert,
      })),
      unreadable: [...open.value.unreadable, ...past.value.unreadable],
    });
  } finally {
    close();
  }
}

const HEAD = ['box', 'severity', 'check', 'state', 'from', 'last seen', 'cost so far', 'what'];

function asRow({ box, alert }: BoxAlert): readonly (string | null)[] {
  const { finding, stage, cost } = alert;
  const sums = cost.amounts.filter(({ micros }) => micros > 0);
  return [
    box,
    finding.severity,
    finding.detector,
    stage.kind === 'snoozed' ? `snoozed until ${isoTime(stage.untilMs)}` : stage.kind,
    isoTime(finding.sinceMs),
    isoTime(finding.lastSeenMs),
    sums.length === 0 ? null : sums.map(formatMoney).join(' + '),
    finding.headline,
  ];
}

function asJson({ boxId, box, alert }: BoxAlert): Readonly<Record<string, unknown>> {
  return { boxId, box, ...alert };
}
