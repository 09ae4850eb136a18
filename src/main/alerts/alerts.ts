import { randomUUID } from 'node:crypto';
import { advance, afterTelling, isToBeTold, type AlertEvent } from '../../shared/alerts/advance.ts';
import { alertLine } from '../../shared/alerts/alert-text.ts';
import {
  changeAlerts,
  takeReport,
  wakeDue,
  type AlertBook,
} from '../../shared/alerts/alert-book.ts';
import { MAX_SNOOZE_MS, REOPEN_WITHIN_MS, type Alert } from '../../shared/alerts/alert.ts';
import { isArchived } from '../../shared/boxes/archived.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { worstFirst } from '../../shared/detectors/box-findings.ts';
import type { AlertNews } from '../../shared/news/kinds/alert-news.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { alertLogStream, alertsStream, type AlertLog } from '../../shared/streams/alerts-stream.ts';
import type { FindingsDelta } from '../../shared/streams/findings-stream.ts';
import type { BoxChange, ByBox } from '../../shared/streams/meter-stream.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { AlertsTable, KeptAlert } from '../storage/alerts-table.ts';
import type { Listing } from '../storage/rows.ts';
import { Source, type Followed, type OfBox } from '../streams/source.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';

const LOOK_EVERY_MS = 5000;
/** The figures of an alert change with every look; what is kept of them may be so old after a crash. */
const REFRESH_EVERY_MS = 60_000;
/** So many of a box's past alerts are shown. */
const LOG_LENGTH = 500;

/** Until a check has looked in this session. */
const CLOSED = 'Leasehold was closed, and the box has not been checked since';

export interface AlertsOptions {
  readonly hub: StreamHub;
  readonly roster: BoxRoster;
  readonly findings: Followed<FindingsDelta>;
  readonly table: AlertsTable;
  readonly onNews: (news: AlertNews) => void;
  /** An alert is over: it leaves a mark on the axis of the charts. */
  readonly onOver: (boxId: string, alert: Alert) => void;
  readonly onProblem: (found: Problem) => void;
  readonly now?: () => number;
}

interface AlertedBox {
  box: Box;
  book: AlertBook;
  /** Those that ended in this session, the newest first: the box need not be stored. */
  over: readonly Alert[];
  refreshedAtMs: number;
  readonly log: Topic<AlertLog, AlertLog>;
}

/** Follows what is found on every box over time, whichever source found it. It asks nothing of any box. */
export class Alerts {
  /** What is not over of a box has changed. */
  readonly changes = new Source<OfBox<readonly Alert[] | null>>();
  readonly #options: AlertsOptions;
  readonly #now: () => number;
  readonly #topic: Topic<ByBox<readonly Alert[]>, BoxChange<readonly Alert[]>>;
  readonly #boxes = new Map<string, AlertedBox>();
  /** As earlier sessions left them. */
  readonly #left: readonly KeptAlert[];
  readonly #stops: readonly (() => void)[];
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(options: AlertsOptions) {
    const { hub, roster, findings, table, now = Date.now } = options;
    this.#options = options;
    this.#now = now;
    this.#topic = hub.addTopic('alerts', '', { kind: alertsStream, initial: { boxes: {} } });
    this.#left = [
      ...this.#rows(table.open()),
      ...this.#rows(table.resolved(null, now() - REOPEN_WITHIN_MS, LOG_LENGTH)),
    ];
    this.#stops = [
      roster.follow({
        added: ({ box }) => this.#add(box),
        changed: ({ box }) => {
          const known = this.#boxes.get(box.id);
          if (known !== undefined) known.box = box;
        },
        removed: (boxId) => this.#forget(boxId),
      }),
      findings.follow(({ boxId, findings: found }) => {
        const known = this.#boxes.get(boxId);
        // That nothing is told of a box any more, as when Leasehold quits, is no answer.
        if (known === undefined || found === null) return;
        this.#become(known, takeReport(known.book, found, randomUUID));
      }),
    ];
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  /** Ends the snoozes whose time has come: on a timer, and after the machine slept. */
  look(): void {
    for (const known of this.#boxes.values()) {
      if (!isArchived(known.box)) this.#become(known, wakeDue(known.book, this.#now()));
    }
  }

  /** Whether a window that is not hidden shows what is found on this box. */
  isLookedAt(boxId: string): boolean {
    return this.#boxes.get(boxId)?.log.isWatched ?? false;
  }

  /** What asks for the person, in one line: all but what they put off, and mere notes. Null: nothing does. */
  summary(): { readonly boxId: string; readonly text: string } | null {
    const awake = [...this.#boxes.values()]
      .filter(({ box }) => !isArchived(box))
      .flatMap(({ box, book }) => book.open.map((alert) => ({ box, boxName: box.name, alert })))
      .filter(({ alert }) => alert.stage.kind !== 'snoozed' && alert.finding.severity !== 'info')
      .sort((a, b) => worstFirst(a.alert.finding, b.alert.finding));
    const [worst] = awake;
    const text = alertLine(awake);
    return worst === undefined || text === null ? null : { boxId: worst.box.id, text };
  }

  seen(boxId: string): Result<null, Problem> {
    const known = this.#boxes.get(boxId);
    if (known === undefined) return err(noSuchAlert());
    const event: AlertEvent = { kind: 'seen', atMs: this.#now() };
    this.#become(
      known,
      changeAlerts(known.book, (alert) => advance(alert, event)),
    );
    return ok(null);
  }

  /** Until when nothing is told of it; null: it is told of again from now on. */
  snooze(boxId: string, alertId: string, untilMs: number | null): Result<null, Problem> {
    const atMs = this.#now();
    if (untilMs === null) return this.#change(boxId, alertId, { kind: 'wake', atMs });
    if (untilMs <= atMs || untilMs > atMs + MAX_SNOOZE_MS) {
      const words = 'An alert can be put off until a moment that lies ahead, within 31 days.';
      return err(problem('bad-input', words));
    }
    return this.#change(boxId, alertId, { kind: 'snooze', atMs, untilMs });
  }

  /** The person knows that it is over; refused while a check still sees it. */
  dismiss(boxId: string, alertId: string): Result<null, Problem> {
    return this.#change(boxId, alertId, { kind: 'dismiss', atMs: this.#now() });
  }

  /** Keeps the figures of this moment. What is open stays open. */
  close(): void {
    clearInterval(this.#timer);
    for (const stop of this.#stops) stop();
    for (const [boxId, { book }] of this.#boxes) {
      if (book.open.length === 0) continue;
      const kept = this.#options.table.write(boxId, book.open);
      if (!kept.ok) this.#options.onProblem(kept.error);
    }
    this.#boxes.clear();
  }

  #change(boxId: string, alertId: string, event: AlertEvent): Result<null, Problem> {
    const known = this.#boxes.get(boxId);
    if (known?.book.open.some(({ id }) => id === alertId) !== true) return err(noSuchAlert());
    const next = changeAlerts(known.book, (alert) =>
      alert.id === alertId ? advance(alert, event) : alert,
    );
    if (next === known.book && event.kind === 'dismiss') {
      return err(problem('bad-input', 'A check still sees it, so it is not over.'));
    }
    this.#become(known, next);
    return ok(null);
  }

  #forget(boxId: string): void {
    if (!this.#boxes.delete(boxId)) return;
    this.#options.hub.removeTopic('alert-log', boxId);
    this.#tell({ boxId, value: null });
  }

  #add(box: Box): void {
    const left = this.#left.filter(({ boxId }) => boxId === box.id).map(({ alert }) => alert);
    const book: AlertBook = {
      open: left
        .filter(({ stage }) => stage.kind !== 'resolved')
        .map((alert) => advance(alert, { kind: 'unknown', because: CLOSED })),
      resolved: left.filter(({ stage }) => stage.kind === 'resolved'),
    };
    const added: AlertedBox = {
      box,
      book,
      over: [],
      refreshedAtMs: this.#now(),
      log: this.#options.hub.addTopic('alert-log', box.id, {
        kind: alertLogStream,
        initial: null,
        onOpened: () => this.#publishLog(added),
      }),
    };
    this.#boxes.set(box.id, added);
    this.#publish(added);
    this.#become(added, wakeDue(book, this.#now()));
  }

  #become(known: AlertedBox, next: AlertBook): void {
    const before = known.book;
    if (next === before) return;
    const untold = next.open.filter(isToBeTold);
    const book = changeAlerts(next, (alert) => (isToBeTold(alert) ? afterTelling(alert) : alert));
    const nowMs = this.#now();
    known.book = { ...book, resolved: book.resolved.filter((alert) => isRecent(alert, nowMs)) };
    const news = newsIn(before, book);
    const over = book.resolved.filter((alert) => !before.resolved.includes(alert));
    // The news first, which keeps it: a crash between the two tells it twice, never not at all (decision 33).
    const [worst, ...others] = untold.sort((a, b) => worstFirst(a.finding, b.finding));
    if (worst !== undefined) this.#options.onNews({ box: known.box, alerts: [worst, ...others] });
    if (news.length > 0) this.#keep(known, 'write', news);
    else if (Math.abs(nowMs - known.refreshedAtMs) >= REFRESH_EVERY_MS) {
      this.#keep(known, 'refresh', book.open);
    } else return;
    this.#publish(known);
    known.over = logOf([...over, ...known.over]).filter(
      ({ id }) => !book.open.some((alert) => alert.id === id),
    );
    for (const alert of over) this.#options.onOver(known.box.id, alert);
    if (news.length > 0 && known.log.isWatched) this.#publishLog(known);
  }

  #keep(known: AlertedBox, how: 'write' | 'refresh', alerts: readonly Alert[]): void {
    known.refreshedAtMs = this.#now();
    const kept = this.#options.table[how](known.box.id, alerts);
    if (!kept.ok) this.#options.onProblem(kept.error);
  }

  #publish({ box, book }: AlertedBox): void {
    const before = this.#topic.state.boxes[box.id];
    if (before === undefined || before.length + book.open.length > 0) {
      this.#tell({ boxId: box.id, value: book.open });
    }
  }

  #tell(change: OfBox<readonly Alert[] | null>): void {
    this.#topic.publish(change);
    this.changes.tell(change);
  }

  #publishLog(known: AlertedBox): void {
    const stored = this.#rows(this.#options.table.resolved(known.box.id, 0, LOG_LENGTH));
    known.log.publish(logOf([...known.over, ...stored.map(({ alert }) => alert)]));
  }

  #rows(read: Result<Listing<KeptAlert>, Problem>): readonly KeptAlert[] {
    for (const found of read.ok ? read.value.unreadable : [read.error]) {
      this.#options.onProblem(found);
    }
    return read.ok ? read.value.rows : [];
  }
}

/** What has changed of the alerts beside their figures. */
function newsIn(before: AlertBook, after: AlertBook): readonly Alert[] {
  const known = new Map([...before.open, ...before.resolved].map((alert) => [alert.id, alert]));
  return [...after.open, ...after.resolved].filter((alert) => {
    const was = known.get(alert.id);
    return (
      was === undefined ||
      was.steps !== alert.steps ||
      was.told !== alert.told ||
      was.finding.severity !== alert.finding.severity ||
      was.finding.notSeenBecause !== alert.finding.notSeenBecause
    );
  });
}

function isRecent({ stage }: Alert, nowMs: number): boolean {
  return stage.kind === 'resolved' && Math.abs(nowMs - stage.atMs) <= REOPEN_WITHIN_MS;
}

/** Each once, the newest end first. */
function logOf(alerts: readonly Alert[]): readonly Alert[] {
  const byId = new Map<string, Alert>();
  for (const alert of alerts) if (!byId.has(alert.id)) byId.set(alert.id, alert);
  const endMs = ({ stage }: Alert): number => (stage.kind === 'resolved' ? stage.atMs : 0);
  return [...byId.values()].sort((a, b) => endMs(b) - endMs(a)).slice(0, LOG_LENGTH);
}

function noSuchAlert(): Problem {
  return problem('no-such-box', 'This alert is over, or its box is not in the list any more.');
}
