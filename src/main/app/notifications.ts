import { Notification } from 'electron';
import { selectLinkNotification } from '../../shared/boxes/fleet-summary.ts';
import { alarmText } from '../../shared/clocks/alarm-text.ts';
import { questionTitle, type Question } from '../../shared/questions/question.ts';
import type { AlertNews } from '../alerts/alerts.ts';
import type { FleetListener } from '../boxes/fleet.ts';
import type { JudgedBudget } from '../../shared/meter/budget.ts';
import { budgetText } from '../../shared/meter/budget-words.ts';
import type { ClockAlarm } from '../clocks/alarm-bell.ts';
import type { SentinelNews } from '../sentinels/sentinel-watch.ts';

export interface NotificationOptions {
  readonly isWanted: () => boolean;
  readonly isWindowInFront: () => boolean;
  readonly showBox: (boxId: string) => void;
}

/** Tells a person who does not look at the window about links that need them. */
export function notifyAboutLinks(options: NotificationOptions): FleetListener {
  // Referenced until closed: a collected notification loses its click.
  const shown = new Map<string, Notification>();
  return (entry, before) => {
    if (before === null || !options.isWanted() || options.isWindowInFront()) return;
    const text = selectLinkNotification(entry.box.name, before.link, entry.link);
    if (text === null || !Notification.isSupported()) return;
    shown.get(entry.box.id)?.close();
    const notification = new Notification(text);
    notification.on('click', () => options.showBox(entry.box.id));
    notification.on('close', () => shown.delete(entry.box.id));
    shown.set(entry.box.id, notification);
    notification.show();
  };
}

/** The same about questions. What is asked is said, never what a server wrote: that belongs into the dialog. */
export function notifyAboutQuestions(options: NotificationOptions): (question: Question) => void {
  const shown = new Map<string, Notification>();
  return (question) => {
    if (!options.isWanted() || options.isWindowInFront() || !Notification.isSupported()) return;
    const { boxId, account } = question;
    shown.get(boxId)?.close();
    const notification = new Notification({
      title: questionTitle(question),
      body: `Leasehold cannot log in as ${account} without it.`,
    });
    notification.on('click', () => options.showBox(boxId));
    notification.on('close', () => shown.delete(boxId));
    shown.set(boxId, notification);
    notification.show();
  };
}

/** The same about clocks, also to a person who looks at the window: it may show another box. */
export function notifyAboutClocks(
  options: Pick<NotificationOptions, 'isWanted' | 'showBox'>,
): (alarm: ClockAlarm) => void {
  const shown = new Map<string, Notification>();
  return ({ box, clock }) => {
    if (!options.isWanted() || !Notification.isSupported()) return;
    const key = `${box.id} ${clock.id}`;
    shown.get(key)?.close();
    const notification = new Notification(alarmText(box.name, clock, Date.now()));
    notification.on('click', () => options.showBox(box.id));
    notification.on('close', () => shown.delete(key));
    shown.set(key, notification);
    notification.show();
  };
}

/** The same about what is found on boxes, but for the box whose alerts are in front of the person. */
export function notifyAboutAlerts({
  isWanted,
  isLookedAt,
  showAlerts,
}: Pick<NotificationOptions, 'isWanted'> & {
  readonly isLookedAt: (boxId: string) => boolean;
  readonly showAlerts: (boxId: string) => void;
}): (news: AlertNews) => void {
  const shown = new Map<string, Notification>();
  return ({ box, text }) => {
    if (!isWanted() || isLookedAt(box.id) || !Notification.isSupported()) return;
    shown.get(box.id)?.close();
    const notification = new Notification(text);
    notification.on('click', () => showAlerts(box.id));
    notification.on('close', () => shown.delete(box.id));
    shown.set(box.id, notification);
    notification.show();
  };
}

/** The same about what a person waits for, but for the box whose runs are in front of them. */
export function notifyAboutSentinels({
  isWanted,
  isLookedAt,
  showRuns,
}: Pick<NotificationOptions, 'isWanted'> & {
  readonly isLookedAt: (boxId: string) => boolean;
  readonly showRuns: (boxId: string) => void;
}): (news: SentinelNews) => void {
  const shown = new Map<string, Notification>();
  return (news) => {
    const { box, text } = news;
    if (!isWanted() || isLookedAt(box.id) || !Notification.isSupported()) return;
    const key = news.kind === 'over' ? news.over.id : box.id;
    shown.get(key)?.close();
    const notification = new Notification(text);
    notification.on('click', () => showRuns(box.id));
    notification.on('close', () => shown.delete(key));
    shown.set(key, notification);
    notification.show();
  };
}

/** The same about budgets; its click shows the costs. */
export function notifyAboutBudgets({
  isWanted,
  showCosts,
}: Pick<NotificationOptions, 'isWanted'> & {
  readonly showCosts: () => void;
}): (judged: JudgedBudget) => void {
  const shown = new Map<string, Notification>();
  return (judged) => {
    if (!isWanted() || !Notification.isSupported()) return;
    const { id } = judged.budget;
    shown.get(id)?.close();
    const notification = new Notification(budgetText(judged));
    notification.on('click', showCosts);
    notification.on('close', () => shown.delete(id));
    shown.set(id, notification);
    notification.show();
  };
}
