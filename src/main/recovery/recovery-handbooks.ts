import { z } from 'zod';
import type { Box } from '../../shared/boxes/box.ts';
import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import type { Clock } from '../../shared/clocks/clock.ts';
import type { Gotchas } from '../../shared/gotchas/gotcha.ts';
import type { PatrolState } from '../../shared/patrol/patrol-state.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { toMarkdown } from '../../shared/recovery/page.ts';
import { copyPath, type BoxCopy, type RecoveryPage } from '../../shared/recovery/recovery-page.ts';
import { writeHandbook, type RecoveryKnowledge } from '../../shared/recovery/write-handbook.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { BoxChange, BoxClocks } from '../../shared/streams/meter-stream.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { Followed, OfBox } from '../streams/source.ts';
import { removeCopy, sendCopy } from './copy-on-box.ts';
import { asClocks, gatherKnowledge, type KnowledgeSources } from './gather-knowledge.ts';
import { handbookFile, removeHandbooksBut, writeHandbookFile } from './handbook-file.ts';

/** What happens together is written once: a patrol and the clocks that it moves. */
const SETTLE_MS = 2000;

/** What the person said about the copy on a box. */
const KEPT_AS = 'recovery-copy';
const keptCopy = z
  .strictObject({
    path: z.string().max(200),
    isWanted: z.boolean(),
    sentAtMs: z.number().nullable(),
  })
  .nullable();
type KeptCopy = Readonly<z.infer<typeof keptCopy>>;

export interface RecoveryHandbooksOptions extends Omit<KnowledgeSources, 'clocksOf' | 'gotchas'> {
  readonly clocks: Followed<BoxChange<BoxClocks>>;
  readonly patrols: Followed<OfBox<Partial<PatrolState>>>;
  readonly entries: EntriesTable;
  readonly roster: BoxRoster;
  readonly scripts: OnboxScripts;
  readonly gotchas: () => Promise<Gotchas>;
  /** SECURITY: what it knows to be secret never gets into a handbook. */
  readonly redact: (text: string) => string;
  readonly onProblem: (found: Problem) => void;
  readonly now?: () => number;
  readonly settleMs?: number;
}

interface KnownBox {
  box: Box;
  isUp: boolean;
  clocks: readonly Clock[] | null;
  copy: KeptCopy;
  fileProblem: Problem | null;
  copyProblem: Problem | null;
  /** What the file, and what the copy, was written from. */
  written: string | null;
  sent: string | null;
  timer: NodeJS.Timeout | null;
  /** One thing at a time. */
  busy: Promise<unknown>;
}

/** Keeps the recovery handbook of every box current: on this machine, and on the box where the person agreed. */
export class RecoveryHandbooks {
  readonly #options: RecoveryHandbooksOptions;
  readonly #now: () => number;
  readonly #boxes = new Map<string, KnownBox>();
  readonly #stops: readonly (() => void)[];
  #catalog: Promise<Gotchas> | null = null;
  #removing: Promise<unknown> = Promise.resolve();

  constructor(options: RecoveryHandbooksOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const { roster, clocks, patrols } = options;
    this.#stops = [
      roster.follow({
        added: (entry) => this.#put(entry),
        changed: (entry, before) => {
          if (entry.box !== before.box) this.#put(entry);
          else if (entry.link !== before.link) this.#linkIs(entry);
        },
        removed: (boxId) => this.#forget(boxId),
      }),
      clocks.follow(({ boxId, value }) => {
        const known = this.#boxes.get(boxId);
        if (known === undefined || value === null) return;
        known.clocks = value.clocks;
        this.#touch(known);
      }),
      patrols.follow(({ boxId, value: { seen, gone } }) => {
        const known = this.#boxes.get(boxId);
        if (known !== undefined && (seen !== undefined || gone !== undefined)) this.#touch(known);
      }),
    ];
  }

  /** As it would be written now. */
  async read(boxId: string): Promise<Result<RecoveryPage, Problem>> {
    const known = this.#boxes.get(boxId);
    if (known === undefined) return noSuchBox();
    this.#catalog = null; // the person may have written an entry of their own meanwhile
    return ok(await this.#page(known));
  }

  /** The person agrees to a copy on the box, or takes that back; answers when the box shows it, or says why not. */
  async setCopy(boxId: string, isWanted: boolean): Promise<Result<RecoveryPage, Problem>> {
    const known = this.#boxes.get(boxId);
    if (known === undefined) return noSuchBox();
    if (!isWanted && known.copy === null) return ok(await this.#page(known));
    // In its turn: a write that is under way would note the older answer after it.
    const kept = await this.#inTurn(known, () => {
      const { path = copyPath(known.box), sentAtMs = null } = known.copy ?? {};
      known.sent = null;
      return this.#keep(known, { path, isWanted, sentAtMs });
    });
    if (!kept.ok) return kept;
    await this.#flush(known);
    return ok(await this.#page(known));
  }

  /** Writes what is still to be written; resolves when nothing is under way. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await Promise.all([...this.#boxes.values()].map((known) => this.#flush(known, false)));
    for (const known of this.#boxes.values()) this.#end(known);
    this.#boxes.clear();
    await this.#removing;
  }

  #put({ box, link }: FleetEntry): void {
    const known = this.#boxes.get(box.id) ?? this.#add(box);
    known.box = box;
    known.isUp = link.kind === 'up';
    this.#touch(known);
  }

  #linkIs({ box, link }: FleetEntry): void {
    const known = this.#boxes.get(box.id);
    if (known === undefined) return;
    const isUp = link.kind === 'up';
    if (isUp && !known.isUp) this.#touch(known);
    known.isUp = isUp;
  }

  #forget(boxId: string): void {
    const known = this.#boxes.get(boxId);
    if (known === undefined) return;
    this.#boxes.delete(boxId);
    this.#end(known);
    this.#removing = Promise.allSettled([this.#removing, known.busy]).then(() =>
      this.sweep([...this.#boxes.keys()]),
    );
  }

  /** Handbooks of boxes that are in the list no more go. */
  async sweep(boxIds: readonly string[]): Promise<void> {
    const swept = await removeHandbooksBut(this.#options.dataFolder, boxIds);
    if (!swept.ok) this.#options.onProblem(swept.error);
  }

  #add(box: Box): KnownBox {
    const { entries, onProblem } = this.#options;
    const read = entries.read(box.id, KEPT_AS, keptCopy);
    if (!read.ok) onProblem(read.error);
    const added: KnownBox = {
      box,
      isUp: false,
      clocks: null,
      copy: read.ok ? read.value : null,
      fileProblem: null,
      copyProblem: null,
      written: null,
      sent: null,
      timer: null,
      busy: Promise.resolve(),
    };
    this.#boxes.set(box.id, added);
    return added;
  }

  #end(known: KnownBox): void {
    if (known.timer !== null) clearTimeout(known.timer);
    known.timer = null;
  }

  /** Something is known that was not. */
  #touch(known: KnownBox): void {
    known.timer ??= setTimeout(() => void this.#flush(known), this.#options.settleMs ?? SETTLE_MS);
  }

  #flush(known: KnownBox, alsoOnBox = true): Promise<unknown> {
    if (known.timer !== null) clearTimeout(known.timer);
    known.timer = null;
    return this.#inTurn(known, () => this.#write(known, alsoOnBox));
  }

  #inTurn<T>(known: KnownBox, act: () => T | Promise<T>): Promise<T> {
    const done = known.busy.then(act);
    known.busy = Promise.allSettled([done]);
    return done;
  }

  async #write(known: KnownBox, alsoOnBox: boolean): Promise<void> {
    const { dataFolder, onProblem } = this.#options;
    const { box } = known;
    if (this.#boxes.get(box.id) !== known) return;
    const knowledge = await this.#gather(known);
    const from = signatureOf(knowledge);
    if (from !== known.written) {
      const written = await writeHandbookFile(dataFolder, box.id, this.#markdown(knowledge));
      // Told once, until it works again.
      if (!written.ok && known.fileProblem === null) onProblem(written.error);
      known.fileProblem = written.ok ? null : written.error;
      known.written = written.ok ? from : null;
    }
    if (alsoOnBox) await this.#bringToBox(known, from, knowledge);
  }

  async #bringToBox(known: KnownBox, from: string, knowledge: RecoveryKnowledge): Promise<void> {
    const { roster, scripts } = this.#options;
    const { copy, box } = known;
    const connection = roster.connectionOf(box.id);
    if (copy === null || (copy.isWanted && known.sent === from)) return;
    if (connection === null) {
      known.copyProblem = problem('not-connected', 'The box is not connected.');
      return;
    }
    const place = { connection, scripts, path: copy.path };
    const done = copy.isWanted
      ? await sendCopy(place, this.#markdown(knowledge))
      : await removeCopy(place);
    known.copyProblem = done.ok ? null : done.error;
    if (!done.ok) return;
    known.sent = copy.isWanted ? from : null;
    const kept = this.#keep(known, copy.isWanted ? { ...copy, sentAtMs: this.#now() } : null);
    if (!kept.ok) this.#options.onProblem(kept.error);
  }

  #keep(known: KnownBox, copy: KeptCopy): Result<null, Problem> {
    const kept = this.#options.entries.write(known.box.id, KEPT_AS, copy, this.#now());
    if (kept.ok) known.copy = copy;
    return kept;
  }

  async #page(known: KnownBox): Promise<RecoveryPage> {
    const knowledge = await this.#gather(known);
    const blocks = writeHandbook(knowledge, this.#options.redact);
    return {
      blocks,
      markdown: toMarkdown(blocks),
      atMs: knowledge.atMs,
      file: handbookFile(this.#options.dataFolder, known.box.id),
      fileProblem: known.fileProblem,
      copy: copyOf(known),
    };
  }

  #gather(known: KnownBox): Promise<RecoveryKnowledge> {
    this.#catalog ??= this.#options.gotchas();
    const catalog = this.#catalog;
    return gatherKnowledge(
      known.box,
      { ...this.#options, gotchas: () => catalog, clocksOf: () => asClocks(known.clocks) },
      this.#now(),
    );
  }

  #markdown(knowledge: RecoveryKnowledge): string {
    return toMarkdown(writeHandbook(knowledge, this.#options.redact));
  }
}

/** The same knowledge at another moment is the same handbook, but for its ages. */
function signatureOf({ atMs: _atMs, catalog, ...known }: RecoveryKnowledge): string {
  return JSON.stringify({ ...known, catalog: [...catalog] });
}

function copyOf({ copy, copyProblem }: KnownBox): BoxCopy {
  if (copy === null) return { kind: 'none' };
  const { path, isWanted, sentAtMs } = copy;
  return isWanted
    ? { kind: 'wanted', path, sentAtMs, problem: copyProblem }
    : { kind: 'leaving', path, problem: copyProblem };
}
