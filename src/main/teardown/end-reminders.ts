import { z } from 'zod';
import type { OpenEnd } from '../../shared/news/kinds/end-news.ts';
import type { Problem } from '../../shared/problem.ts';
import { isReminderDue, nextReminderMs } from '../../shared/teardown/end-reminder.ts';
import type { EntriesTable } from '../storage/entries-table.ts';

const LOOK_EVERY_MS = 60_000;
const KEPT_AS = 'end-reminded';
const reminded = z.strictObject({
  actId: z.string(),
  times: z.int().min(0),
  lastAtMs: z.number(),
});
type Reminded = Readonly<z.infer<typeof reminded>>;

export interface EndRemindersOptions {
  /** All ends that are under way now. */
  readonly openEnds: () => readonly OpenEnd[];
  readonly entries: Pick<EntriesTable, 'read' | 'write'>;
  readonly onReminder: (end: OpenEnd) => void;
  readonly onProblem: (found: Problem) => void;
  readonly now?: () => number;
}

/** Reminds of each end that nothing has confirmed, again and again: who approved one by hand may have forgotten to do it. */
export class EndReminders {
  readonly #options: EndRemindersOptions;
  readonly #now: () => number;
  readonly #timer: ReturnType<typeof setInterval>;
  /** Also of boxes of which nothing is stored. */
  readonly #known = new Map<string, Reminded>();

  constructor(options: EndRemindersOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  look(): void {
    const { openEnds, entries, onReminder, onProblem } = this.#options;
    const nowMs = this.#now();
    for (const end of openEnds()) {
      const { box, act } = end;
      const { times, lastAtMs } = this.#lastOf(end);
      if (!isReminderDue(lastAtMs, times, nowMs)) continue;
      const next = { actId: act.id, times: times + 1, lastAtMs: nowMs };
      // The news first, which keeps it: a crash between the two makes it ring twice, never not at all (decision 33).
      onReminder(end);
      this.#known.set(box.id, next);
      const kept = entries.write(box.id, KEPT_AS, next, nowMs);
      if (!kept.ok) onProblem(kept.error);
    }
  }

  /** When it reminds of this end next. */
  nextAtMs(end: OpenEnd): number {
    const { times, lastAtMs } = this.#lastOf(end);
    return nextReminderMs(lastAtMs, times);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #lastOf({ box, act }: OpenEnd): Reminded {
    const none = { actId: act.id, times: 0, lastAtMs: act.approvedAtMs };
    let known = this.#known.get(box.id);
    if (known === undefined) {
      const read = this.#options.entries.read(box.id, KEPT_AS, reminded);
      if (!read.ok) this.#options.onProblem(read.error);
      known = (read.ok ? read.value : null) ?? none;
      this.#known.set(box.id, known);
    }
    return known.actId === act.id ? known : none;
  }
}
