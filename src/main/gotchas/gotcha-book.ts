import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { draftEntry } from '../../shared/gotchas/draft-entry.ts';
import {
  OWN_FAMILY,
  type EntryDraft,
  type EntryExport,
  type Incident,
  type PreviewAnswer,
} from '../../shared/gotchas/entry-draft.ts';
import { entryMarkdown } from '../../shared/gotchas/entry-markdown.ts';
import type { Gotchas } from '../../shared/gotchas/gotcha.ts';
import { buildIndex } from '../../shared/gotchas/search.ts';
import type { PlanRef } from '../../shared/plan/plan.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { PlanKeeper } from '../plan/plan-keeper.ts';
import { replaceFile } from '../storage/atomic-file.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
import { OWNER_ONLY_FOLDER } from '../storage/folder.ts';
import { createSerial, type Serial } from '../storage/serial.ts';
import { Source } from '../streams/source.ts';
import { entryYaml } from './entry-yaml.ts';
import {
  addOwn,
  ownFileName,
  ownNumber,
  readShipped,
  textDigest,
  type GotchaFolders,
  type ShippedGotchas,
} from './load-gotchas.ts';
import { settleEntry } from './settle-entry.ts';

/** An entry of Leasehold's own family that is being changed, as it was when the person began. */
export interface Editing {
  readonly id: string;
  readonly digest: string;
}

/** What was looked at, until it is kept. */
interface Approved {
  readonly id: string;
  readonly file: string;
  readonly yaml: string;
  readonly editing: Editing | null;
}

/** One is written at a time. */
const ABOUT = 'entry';
const NOT_KEPT = 'The entry was not kept';

/**
 * The catalog with the person's own entries, and the only one who writes those: each into a file of its own in their folder. The
 * shipped catalog is never written to.
 */
export class GotchaBook {
  /** The entries, whenever they were read. */
  readonly reads = new Source<Gotchas>();
  readonly #folders: GotchaFolders;
  readonly #redact: (text: string) => string;
  readonly #serial: Serial = createSerial();
  readonly #plans = new PlanKeeper<Approved>();
  #shipped: Promise<ShippedGotchas> | null = null;

  constructor(folders: GotchaFolders, redact: (text: string) => string) {
    this.#folders = folders;
    this.#redact = redact;
  }

  /** The person's own files are read anew each time. */
  async list(): Promise<Gotchas> {
    this.#shipped ??= readShipped(this.#folders.shipped);
    const gotchas = await addOwn(await this.#shipped, this.#folders.own);
    this.reads.tell(gotchas);
    return gotchas;
  }

  /** The folder of the person's own entries, made where there is none yet. */
  async ownFolder(): Promise<Result<string, Problem>> {
    const { own } = this.#folders;
    try {
      await mkdir(own, { recursive: true, mode: OWNER_ONLY_FOLDER });
      return ok(own);
    } catch (cause) {
      const failed = 'The folder for your entries was not made';
      return err(fileProblem(cause, { failed, file: own, otherwise: 'gotcha-not-kept' }));
    }
  }

  async draft(incident: Incident): Promise<EntryDraft> {
    const gotchas = (await this.list()).all.map(({ gotcha }) => gotcha);
    const byId = new Map(gotchas.map((gotcha) => [gotcha.id, gotcha]));
    return draftEntry(incident, { index: buildIndex(gotchas), byId }, this.#redact);
  }

  /** What keeping it would write. */
  async preview(
    draft: EntryDraft,
    editing: Editing | null,
  ): Promise<Result<PreviewAnswer, Problem>> {
    const id = editing === null ? await this.#nextId() : ok(editing.id);
    if (!id.ok) return id;
    const file = this.#fileOf(id.value);
    if (file === null) return err(notOurs(id.value));
    const settled = settleEntry(id.value, draft, this.#redact);
    const faults = [
      ...(settled.ok ? [] : settled.error),
      ...(draft.answers === null ? [{ field: 'answers', fix: 'Answer the three questions.' }] : []),
    ];
    if (!settled.ok || faults.length > 0) return ok({ kind: 'incomplete', faults });
    const { entry, redacted } = settled.value;
    const yaml = entryYaml(entry, file);
    const markdown = entryMarkdown(entry, yaml);
    const approved = { id: id.value, file, yaml, editing };
    const plan = this.#plans.keep(ABOUT, approved, yaml);
    return ok({ kind: 'ready', id: id.value, file, yaml, markdown, plan, redacted });
  }

  /** Writes exactly what the person looked at, or nothing; answers with the entry's id. */
  keep(shown: PlanRef): Promise<Result<string, Problem>> {
    return this.#serial.run(() =>
      this.#plans.carryOut(ABOUT, shown, (approved) => this.#write(approved)),
    );
  }

  async #write({ id, file, yaml, editing }: Approved): Promise<Result<string, Problem>> {
    const held = editing === null ? await this.#isNext(id) : await this.#unchanged(editing, file);
    if (!held.ok) return held;
    try {
      await mkdir(this.#folders.own, { recursive: true, mode: OWNER_ONLY_FOLDER });
      await replaceFile(file, yaml);
    } catch (cause) {
      return err(fileProblem(cause, { failed: NOT_KEPT, file, otherwise: 'gotcha-not-kept' }));
    }
    return ok(id);
  }

  /** An id that was given away meanwhile makes the text another one. */
  async #isNext(id: string): Promise<Result<null, Problem>> {
    const next = await this.#nextId();
    if (!next.ok) return next;
    if (next.value === id) return ok(null);
    return err(problem('plan-changed', `${NOT_KEPT}: ${id} was given to another one meanwhile.`));
  }

  /** Removes the file of an entry of Leasehold's own family, as it was when the person looked. */
  remove(editing: Editing): Promise<Result<null, Problem>> {
    return this.#serial.run(async () => {
      const file = this.#fileOf(editing.id);
      if (file === null) return err(notOurs(editing.id));
      const held = await this.#unchanged(editing, file);
      if (!held.ok) return held;
      try {
        await rm(file);
        return ok(null);
      } catch (cause) {
        const failed = 'The entry was not deleted';
        return err(fileProblem(cause, { failed, file, otherwise: 'gotcha-not-kept' }));
      }
    });
  }

  /** Nothing that was looked at can be kept any more. */
  close(): void {
    this.#plans.close();
  }

  async export(id: string): Promise<Result<EntryExport, Problem>> {
    const found = (await this.list()).all.find(({ gotcha }) => gotcha.id === id);
    if (found === undefined) return err(problem('gotcha-not-kept', `There is no entry ${id}.`));
    const { id: _same, alert: _told, coverage: _ours, ...written } = found.gotcha;
    const settled = settleEntry(id, written, this.#redact);
    if (!settled.ok) {
      const left = settled.error.map(({ field, fix }) => `${field}: ${fix}`).join(' ');
      return err(problem('gotcha-not-kept', `${id} cannot be shown as text. ${left}`));
    }
    const { entry, redacted } = settled.value;
    const yaml = entryYaml(entry, `${id}.yaml`);
    return ok({ markdown: entryMarkdown(entry, yaml), yaml, redacted });
  }

  #fileOf(id: string): string | null {
    const name = ownFileName(id);
    return name === null ? null : join(this.#folders.own, name);
  }

  /** Above every number that is taken, also by a file that cannot be read. */
  async #nextId(): Promise<Result<string, Problem>> {
    const { all } = await this.list();
    let names: readonly string[] = [];
    try {
      names = await readdir(this.#folders.own);
    } catch (cause) {
      const failed = 'Your entries cannot be listed';
      if (errnoOf(cause) !== 'ENOENT') {
        const file = this.#folders.own;
        return err(fileProblem(cause, { failed, file, otherwise: 'gotcha-not-kept' }));
      }
    }
    const taken = [
      ...all.map(({ gotcha }) => ownNumber(gotcha.id)),
      ...names.map((name) => ownNumber(name.replace(/\.ya?ml$/i, '').toUpperCase())),
    ];
    return ok(`${OWN_FAMILY}${String(Math.max(0, ...taken) + 1)}`);
  }

  async #unchanged({ id, digest }: Editing, file: string): Promise<Result<null, Problem>> {
    try {
      if (textDigest(await readFile(file, 'utf8')) === digest) return ok(null);
    } catch (cause) {
      if (errnoOf(cause) !== 'ENOENT') {
        const failed = `${id} could not be looked at`;
        return err(fileProblem(cause, { failed, file, otherwise: 'gotcha-not-kept' }));
      }
    }
    return err(
      problem('gotcha-not-kept', `${id} was changed or removed by something else (${file}).`, {
        nextStep: 'Open it again and look at what it says now.',
      }),
    );
  }
}

function notOurs(id: string): Problem {
  return problem('gotcha-not-kept', `${id} is not an entry that Leasehold wrote.`, {
    nextStep: 'Edit its file yourself.',
  });
}
