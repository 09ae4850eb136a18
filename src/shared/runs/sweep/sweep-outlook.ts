import { addMoney } from '../../meter/estimate.ts';
import { burnWords, moneyWords } from '../../meter/money-words.ts';
import { hoursWords } from '../launch/checks/need-checks.ts';
import type { Outlook } from '../launch/outlook.ts';

type ShareOutlook = Pick<Outlook, 'hours' | 'perHour' | 'whole'>;

/** Time and money of all boxes together, and how sure they are; null stands for a box that could not be asked. */
export function sweepCostWords(shares: readonly (ShareOutlook | null)[]): string {
  const perHour = sumOf(shares.map((share) => share?.perHour ?? null));
  const rate = burnWords(perHour);
  const hours = shares.map((share) => share?.hours ?? null);
  if (hours.some((each) => each === null)) return `${rate}; how long it will take is not known`;
  // The boxes work beside each other: the slowest says when all of it is done.
  const longest = hoursWords(Math.max(...hours.map((each) => each ?? 0)));
  const whole = sumOf(shares.map((share) => share?.whole ?? null));
  if (whole.money.length === 0) return `${rate}; you expect it to take ${longest}`;
  return `${whole.isPartly ? 'at least ' : 'about '}${moneyWords(whole.money)} in the ${longest} that you expect; each extra hour costs ${burnWords(perHour, '')}`;
}

/** A box without a known price makes the sum one that is at least so much, and never counts as nothing. */
const sumOf = (estimates: readonly Outlook['whole'][]): NonNullable<Outlook['whole']> => ({
  money: addMoney(...estimates.map((each) => each?.money ?? [])),
  isPartly: estimates.some((each) => each === null || each.isPartly || each.money.length === 0),
});
