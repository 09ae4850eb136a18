import type { Window } from './ledger.ts';

/** The calendar day and month of whoever looks, in this machine's zone: a day of 23 or 25 hours is one day. */
export function todayOf(nowMs: number): Window {
  const now = new Date(nowMs);
  const from = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const to = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return { fromMs: from.getTime(), toMs: to.getTime() };
}

export function monthOf(nowMs: number): Window {
  const now = new Date(nowMs);
  const from = new Date(now.getFullYear(), now.getMonth(), 1);
  const to = new Date(now.getFullYear(), now.getMonth() + 1, 1);
  return { fromMs: from.getTime(), toMs: to.getTime() };
}

/** Today and the six days before. */
export function weekOf(nowMs: number): Window {
  return { fromMs: daysBefore(nowMs, 6), toMs: todayOf(nowMs).toMs };
}

/** The first moment of the day so many days before today. */
export function daysBefore(nowMs: number, days: number): number {
  const now = new Date(nowMs);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
}
