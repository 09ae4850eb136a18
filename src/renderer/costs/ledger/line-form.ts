import type { Charge, Phase } from '../../../shared/meter/interval.ts';
import { judgeRate } from '../../../shared/meter/rate.ts';
import { decimalOf, readAmount } from '../../../shared/money.ts';
import { fromLocalInput, toLocalInput } from '../../clocks/local-moment.ts';
import type { LedgerRow } from './ledger-rows.ts';

/** A line of the person's own, as it was typed. */
export interface LineForm {
  readonly from: string;
  readonly hours: string;
  readonly phase: Phase;
  readonly what: string;
  /** An hour. Empty: nothing was billed. */
  readonly amount: string;
  readonly currency: string;
  readonly reason: string;
}

export interface ReadLine {
  readonly fromMs: number;
  readonly ms: number;
  readonly phase: Phase;
  readonly charges: (Charge & {
    readonly rate: NonNullable<Charge['rate']> & { per: 'hour' | 'month' };
  })[];
}

const HOUR_MS = 3_600_000;

export function lineFormOf(row: LedgerRow | null, nowMs: number, currency: string): LineForm {
  const interval = row?.line.kind === 'time' ? row.line.interval : null;
  const rate = interval?.charges.find((charge) => charge.rate?.per === 'hour')?.rate ?? null;
  return {
    from: toLocalInput(interval?.fromMs ?? nowMs - HOUR_MS),
    // Six digits of an hour are four milliseconds: what was not touched is kept by `readLine`.
    hours: interval === null ? '' : decimalOf(Math.round((interval.ms / HOUR_MS) * 1e6)),
    phase: interval?.phase ?? 'running',
    what: interval?.charges[0]?.what ?? 'GPU time',
    amount: rate === null ? '' : decimalOf(rate.micros),
    currency: rate?.currency ?? currency,
    reason: '',
  };
}

/** What is wrong by the name of its field, or what it says. `row`: the line in whose place it comes. */
export function readLine(
  form: LineForm,
  row: LedgerRow | null,
  nowMs: number = Date.now(),
): { readonly errors: Readonly<Record<string, string>> } | { readonly line: ReadLine } {
  const errors: Record<string, string> = {};
  const before = lineFormOf(row, nowMs, form.currency);
  const interval = row?.line.kind === 'time' ? row.line.interval : null;
  const typedFrom = fromLocalInput(form.from);
  // What the field cannot hold, seconds and less, is as it was where nobody touched it.
  const fromMs = interval !== null && form.from === before.from ? interval.fromMs : typedFrom;
  if (fromMs === null) errors['from'] = 'Choose a day and a time.';
  const hours = readAmount(form.hours);
  let ms = hours.ok ? Math.round((hours.value * HOUR_MS) / 1e6) : 0;
  if (interval !== null && form.hours === before.hours) ms = interval.ms;
  if (!hours.ok) errors['hours'] = hours.error;
  else if (ms < 1) errors['hours'] = 'Enter a duration above 0.';
  else if (fromMs !== null && fromMs + ms > nowMs) errors['hours'] = 'It would end in the future.';
  if (row !== null && form.reason.trim() === '')
    errors['reason'] = 'Enter a reason, for whoever reads it later.';
  const charges = readCharge(form, errors);
  if (Object.keys(errors).length > 0 || fromMs === null) return { errors };
  return { line: { fromMs, ms, phase: form.phase, charges } };
}

function readCharge(form: LineForm, errors: Record<string, string>): ReadLine['charges'] {
  if (form.amount.trim() === '') return [];
  if (form.what.trim() === '') errors['what'] = 'Name what this is for.';
  const amount = readAmount(form.amount);
  if (!amount.ok) {
    errors['amount'] = amount.error;
    return [];
  }
  const rate = { micros: amount.value, currency: form.currency, per: 'hour' as const };
  const judged = judgeRate(rate);
  if (!judged.ok) errors['amount'] = judged.error;
  const kind = form.phase === 'running' ? 'compute' : 'storage';
  return [{ kind, what: form.what.trim(), rate }];
}
