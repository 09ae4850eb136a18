import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { plainLogText } from '../../../shared/runs/launch/log-text.ts';
import type { RehearsalOutput, Rehearsed } from '../../../shared/runs/request/rehearsal.ts';
import type { BoxChange, ByBox } from '../../../shared/streams/meter-stream.ts';
import { rehearsalsStream } from '../../../shared/streams/runs-stream.ts';
import type { EntriesTable } from '../../storage/entries-table.ts';
import type { StreamHub, Topic } from '../../streams/stream-hub.ts';
import { rehearse, type WantedRehearsal } from './rehearse.ts';

/** Enough of a traceback. */
const MAX_CHARS = 16 * 1024;
/** A flood of lines is one message now and then. */
const TELL_EVERY_MS = 150;

/** SECURITY: asks outside the page whether this command may run on this computer, in that folder. */
export type ApproveRehearsal = (command: string, folder: string) => Promise<boolean>;

export interface RehearsalRunnerOptions {
  readonly hub: StreamHub;
  readonly entries: Pick<EntriesTable, 'read' | 'write'>;
  readonly approve: ApproveRehearsal;
  readonly redact: (text: string) => string;
}

/** Runs the rehearsal of a launch that was planned, on this computer and for one box at a time (stream `rehearsals`). */
export class RehearsalRunner {
  readonly #options: RehearsalRunnerOptions;
  readonly #topic: Topic<ByBox<RehearsalOutput>, BoxChange<RehearsalOutput>>;
  readonly #underWay = new Map<string, AbortController>();
  /** What the person has said yes to, until Leasehold quits. */
  readonly #approved = new Set<string>();

  constructor(options: RehearsalRunnerOptions) {
    this.#options = options;
    this.#topic = options.hub.addTopic('rehearsals', '', {
      kind: rehearsalsStream,
      initial: { boxes: {} },
    });
  }

  /** Runs what a plan for that box has shown (`wanted`): nothing that the window could name by itself. */
  async run(
    boxId: string,
    wanted: Result<WantedRehearsal, Problem>,
  ): Promise<Result<Rehearsed, Problem>> {
    if (!wanted.ok) return wanted;
    if (this.#underWay.has(boxId)) {
      return err(problem('rehearsal-not-run', 'The rehearsal for this box runs already.'));
    }
    const stopper = new AbortController();
    this.#underWay.set(boxId, stopper);
    const output = new OutputTail(this.#options.redact, (value) =>
      this.#topic.publish({ boxId, value }),
    );
    try {
      if (!(await this.#isApproved(wanted.value))) {
        return ok({ end: { kind: 'declined' }, output: output.tail });
      }
      const ended = await rehearse(wanted.value, {
        entries: this.#options.entries,
        read: async (stream) => {
          for await (const text of stream.setEncoding('utf8')) output.take(String(text));
        },
        signal: stopper.signal,
      });
      return ended.ok ? ok({ end: ended.value.end, output: output.tail }) : ended;
    } finally {
      output.close();
      this.#underWay.delete(boxId);
      this.#topic.publish({ boxId, value: null });
    }
  }

  stop(boxId: string): void {
    this.#underWay.get(boxId)?.abort();
  }

  /** For quitting. */
  close(): void {
    for (const stopper of this.#underWay.values()) stopper.abort();
    this.#options.hub.removeTopic('rehearsals', '');
  }

  async #isApproved({ command, push: { from } }: WantedRehearsal): Promise<boolean> {
    const name = JSON.stringify([command, from]);
    if (this.#approved.has(name)) return true;
    const isApproved = await this.#options.approve(command, from);
    if (isApproved) this.#approved.add(name);
    return isApproved;
  }
}

/** The end of what a command prints, told now and then. */
class OutputTail {
  readonly #redact: (text: string) => string;
  readonly #tell: (output: RehearsalOutput) => void;
  #text = '';
  #isCut = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(redact: (text: string) => string, tell: (output: RehearsalOutput) => void) {
    this.#redact = redact;
    this.#tell = tell;
    tell(this.tail);
  }

  get tail(): RehearsalOutput {
    const lines = this.#text.split(/\r?\n|\r/).map(plainLogText);
    return { text: this.#redact(lines.join('\n')), isCut: this.#isCut };
  }

  take(text: string): void {
    const all = this.#text + text;
    const isLonger = all.length > MAX_CHARS;
    // Whole lines, where there are lines.
    const from = isLonger ? all.indexOf('\n', all.length - MAX_CHARS) + 1 : 0;
    this.#text = isLonger && from === 0 ? all.slice(-MAX_CHARS) : all.slice(from);
    this.#isCut ||= isLonger;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#tell(this.tail);
    }, TELL_EVERY_MS);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
