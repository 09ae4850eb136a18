import { decimalOf, isKnownCurrency, readAmount } from '../../../shared/money.ts';
import type { PriceEntries } from '../../../shared/meter/price-entries.ts';
import { judgeRate, type Rate } from '../../../shared/meter/rate.ts';
import type { Profile } from '../../../shared/profiles/profile.ts';
import { fromLocalInput } from '../../clocks/local-moment.ts';

export type PricePer = 'box' | 'gpu';

/** The form as it was typed. Empty: not known, which is not free. */
export interface PriceForm {
  readonly currency: string;
  /** Of disks, other charges and transfers; empty: the same. */
  readonly otherCurrency: string;
  readonly compute: string;
  /** What `compute` is for; of one of its GPUs, `gpus` says how many the box has. */
  readonly per: PricePer;
  readonly gpus: string;
  readonly disks: readonly DiskForm[];
  readonly others: readonly OtherForm[];
  readonly egress: string;
  readonly since: Since;
  readonly sinceAt: string;
}

export interface DiskForm {
  readonly tier: string;
  readonly sizeGB: string;
  /** A GB a month, while the box runs and while it is stopped. */
  readonly running: string;
  readonly stopped: string;
}

export interface OtherForm {
  readonly what: string;
  readonly amount: string;
  readonly isBilledWhileStopped: boolean;
}

export type Since = 'now' | 'start' | 'at';

/** What is wrong, by the name of its field. */
export type FormErrors = Readonly<Record<string, string>>;

export interface ReadForm {
  readonly prices: PriceEntries;
  readonly fromMs: number | null;
}

export function formOf(prices: PriceEntries, isFirst: boolean, profile: Profile | null): PriceForm {
  const { compute, disks, others, egress } = prices;
  const rates = [
    egress,
    ...others.map(({ rate }) => rate),
    ...disks.map(({ perGB }) => perGB?.running),
  ];
  const other = rates.find((rate) => rate !== null && rate !== undefined)?.currency;
  const currency = compute?.currency ?? other ?? profile?.prices[0]?.price.currency ?? 'USD';
  return {
    currency,
    otherCurrency: other === undefined || other === currency ? '' : other,
    compute: compute === null ? '' : decimalOf(compute.micros),
    ...{ per: 'box', gpus: '' },
    disks: disks.map(({ tier, sizeGB, perGB }) => ({
      tier,
      sizeGB: String(sizeGB),
      running: perGB === null ? '' : decimalOf(perGB.running.micros),
      stopped: perGB === null ? '' : decimalOf(perGB.stopped.micros),
    })),
    others: others.map(({ what, rate, isBilledWhileStopped }) => ({
      what,
      amount: decimalOf(rate.micros),
      isBilledWhileStopped,
    })),
    egress: egress === null ? '' : decimalOf(egress.micros),
    // Of a box without any price nobody wants to leave unpriced what has been.
    since: isFirst ? 'start' : 'now',
    sinceAt: '',
  };
}

/** Everything that is wrong with it, or what it says. Nothing is guessed. */
export function readForm(
  form: PriceForm,
  nowMs: number,
): { readonly errors: FormErrors } | { readonly read: ReadForm } {
  const errors: Record<string, string> = {};
  const { currency: computeCurrency } = form;
  const otherCurrency = form.otherCurrency.trim() === '' ? computeCurrency : form.otherCurrency;
  for (const field of ['currency', 'otherCurrency'] as const) {
    const code = form[field];
    if (isKnownCurrency(code) || (field === 'otherCurrency' && code.trim() === '')) continue;
    errors[field] = `“${code}” is not a currency code. Use one like USD, EUR or CNY.`;
  }
  const rate = <Per extends Rate['per']>(field: string, text: string, per: Per, size = 1) => {
    const currency = field === 'compute' ? computeCurrency : otherCurrency;
    const amount = readAmount(text);
    if (!amount.ok) {
      errors[field] = amount.error;
      return null;
    }
    const whole = isKnownCurrency(currency) ? currency : 'USD';
    const judged = judgeRate({ micros: amount.value * size, currency: whole, per });
    if (!judged.ok) {
      errors[field] = judged.error;
      return null;
    }
    return { micros: amount.value, currency, per };
  };
  const optional = <Per extends Rate['per']>(field: string, text: string, per: Per) =>
    text.trim() === '' ? null : rate(field, text, per);

  const readCompute = (): PriceEntries['compute'] => {
    if (form.compute.trim() === '') return null;
    const count = form.per === 'gpu' ? readCount(form.gpus) : 1;
    if (count === null) errors['gpus'] = 'How many GPUs, 1 to 1024.';
    const each = rate('compute', form.compute, 'hour', count ?? 1);
    return each === null || count === null ? null : { ...each, micros: each.micros * count };
  };

  const disks = form.disks.map((disk, i) => {
    const field = `disk-${String(i)}`;
    const sizeGB = readSize(disk.sizeGB);
    if (typeof sizeGB === 'string') errors[`${field}-size`] = sizeGB;
    if (disk.tier.trim() === '') errors[`${field}-tier`] = 'Name the disk.';
    const size = typeof sizeGB === 'number' ? sizeGB : 1;
    const own = [disk.running, disk.stopped].map((text) => text.trim() !== '');
    if (own[0] !== own[1]) {
      errors[`${field}-${own[0] === true ? 'stopped' : 'running'}`] =
        'Enter both, or neither where the platform’s rate holds.';
    }
    const running = own[0] === true ? rate(`${field}-running`, disk.running, 'month', size) : null;
    const stopped = own[1] === true ? rate(`${field}-stopped`, disk.stopped, 'month', size) : null;
    const perGB = running === null || stopped === null ? null : { running, stopped };
    return { tier: disk.tier.trim(), sizeGB: size, perGB };
  });
  const others = form.others.flatMap(({ what, amount, isBilledWhileStopped }, i) => {
    const field = `other-${String(i)}`;
    if (what.trim() === '') errors[`${field}-what`] = 'Name what this is for.';
    const charged = rate(`${field}-amount`, amount, 'hour');
    return charged === null ? [] : [{ what: what.trim(), rate: charged, isBilledWhileStopped }];
  });
  const compute = readCompute();
  const egress = optional('egress', form.egress, 'GB');
  const fromMs = readSince(form, nowMs);
  if (typeof fromMs === 'string') errors['sinceAt'] = fromMs;
  if (Object.keys(errors).length > 0 || typeof fromMs === 'string') return { errors };
  return { read: { prices: { compute, disks, others, egress }, fromMs } };
}

/** What of the price of a box is for the whole of it or for one of its GPUs; empty: not known, or not to be shared evenly. */
export function priceFor(
  { price, gpus }: { readonly price: string; readonly gpus: string },
  per: PricePer,
): string {
  if (per === 'box') return price;
  const count = readCount(gpus);
  const amount = readAmount(price);
  if (count === null || !amount.ok || amount.value % count !== 0) return '';
  return decimalOf(amount.value / count);
}

function readCount(text: string): number | null {
  const count = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return count >= 1 && count <= 1024 ? count : null;
}

const MAX_GB = 10_000_000;

function readSize(text: string): number | string {
  if (!/^\d{1,9}$/.test(text.trim())) return 'Write the size in whole GB, such as 200.';
  const sizeGB = Number(text.trim());
  return sizeGB > MAX_GB ? 'More than 10 000 000 GB cannot be right.' : sizeGB;
}

function readSince({ since, sinceAt }: PriceForm, nowMs: number): number | null | string {
  if (since === 'now') return null;
  if (since === 'start') return 0;
  const atMs = fromLocalInput(sinceAt);
  if (atMs === null) return 'Choose a day and a time.';
  return atMs > nowMs ? 'Choose a time in the past.' : atMs;
}
