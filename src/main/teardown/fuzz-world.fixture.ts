import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ResultList } from '../../shared/runs/launch/launched-run.ts';
import type { PulledFile } from '../../shared/transfer/pull.ts';
import { APPROVAL_LASTS_MS, type Act } from '../../shared/teardown/gate.ts';
import { foundNothing } from '../../shared/teardown/found-on-box.fixture.ts';
import type { EndFacts, FoundOnBox } from '../../shared/teardown/found-on-box.ts';
import type { Blocker } from '../../shared/teardown/inspection.ts';

const HOUR_MS = 3600_000;

interface BoxFile {
  readonly content: string;
  /** Another one for each writing. */
  readonly version: number;
}

/** What a box is like. Nothing of it is known to Leasehold but by a look. */
interface State {
  readonly files: Readonly<Record<string, BoxFile>>;
  readonly home: Readonly<Record<string, BoxFile>> | null;
  readonly run: number | null;
  readonly process: number | null;
  readonly life: number;
  readonly isSilent: boolean;
}

interface Yes {
  readonly verb: string;
  readonly typed: string;
  readonly monoMs: number;
  readonly state: string;
  readonly looks: number;
}

/**
 * A box that anybody may change at any time, and a judge who knows all of it. The judge computes nothing as the gate does: what is in the way is
 * what is there and not here, and what a person has given up is what was there when they said so.
 */
export class FuzzBox {
  /** As this app has it. */
  readonly name: (app: number) => string | null;
  readonly #to: string;
  #version = 0;
  #state: State = { files: {}, home: null, run: null, process: null, life: 1, isSilent: false };
  /** As the last look found it, and how many looks there were. */
  #seen: State | null = null;
  #looks = 0;
  /** By the app in whose window it was said: a yes is kept in its memory alone, as is what it has read. */
  readonly #yes = new Map<number, Yes>();
  readonly #read = new Map<number, { readonly monoMs: number; readonly life: number }>();
  /** What each loss that was shown is about, and what of that was given up. */
  readonly #shown = new Map<string, readonly string[]>();
  readonly #givenUp = new Set<string>();
  isActing = false;

  constructor(to: string, name: (app: number) => string | null) {
    this.#to = to;
    this.name = name;
    mkdirSync(to, { recursive: true });
  }

  /** What happens on a box, and on the disk here, by itself. */
  happens(what: number): void {
    const { files, run, process, life, isSilent } = this.#state;
    const version = (this.#version += 1);
    const path = `f${String(version % 3)}.txt`;
    const changes: readonly (() => Partial<State>)[] = [
      () => ({ files: { ...files, [path]: { content: `content ${String(version)}`, version } } }),
      () => ({ files: Object.fromEntries(Object.entries(files).slice(1)) }),
      () => ({ run: run === null ? version : null }),
      () => ({ process: process === null ? version : null }),
      () => ({ life: life + 1 }),
      () => ({ isSilent: !isSilent }),
    ];
    this.#state = { ...this.#state, ...changes[what % changes.length]?.() };
  }

  /** So that a yes may become possible, to something that can be lost. */
  calms(): void {
    while (Object.keys(this.#state.files).length < 2) this.happens(0);
    this.#state = { ...this.#state, run: null, process: null, isSilent: false };
  }

  /** Results come home. */
  pull(): void {
    for (const [path, { content }] of Object.entries(this.#state.files)) {
      writeFileSync(join(this.#to, path), content);
    }
    this.#state = { ...this.#state, home: this.#state.files };
  }

  /** A copy here is spoilt. */
  spoil(isGone: boolean): void {
    const [path] = Object.keys(this.#state.home ?? {});
    if (path === undefined) return;
    if (isGone) rmSync(join(this.#to, path), { force: true });
    else writeFileSync(join(this.#to, path), 'other bytes');
  }

  list(): ResultList {
    const files = Object.entries(this.#state.files).map(([path, file]) => listedAs(path, file));
    const place = { folder: '/w/out', atMs: Date.now() };
    return {
      ...place,
      files,
      others: [],
      isCut: false,
      tellsWrites: true,
    } as unknown as ResultList;
  }

  look(facts: EndFacts | null, instance: string | null): Result<FoundOnBox, Problem> {
    const state = this.#state;
    this.#looks += 1;
    this.#seen = state;
    if (state.isSilent) return err(problem('not-connected', 'The box is not connected.'));
    const nothing = foundNothing(Date.now());
    const listed = Object.entries(state.files).map(([path, file]) => listedAs(path, file));
    const proven = Object.entries(state.home ?? {}).map(([path, file]) => provenAs(path, file));
    return ok({
      ...nothing,
      profile: facts,
      machine: { hostKey: 'SHA256:same', life: String(state.life), instance },
      runs: [{ id: `r-${String(state.run ?? 0)}`, name: 'base', isOver: state.run === null }],
      processes:
        state.process === null
          ? []
          : [{ key: `p-${String(state.process)}`, pid: 7, command: 'python', holdsGpu: true }],
      results: [
        {
          ...{ runId: 'r-0', runName: 'base', path: '/w/out', listed, others: [] },
          proven:
            state.home === null
              ? null
              : {
                  ...{ evidence: 1, to: this.#to, files: proven, listed, sets: [] },
                  tellsWrites: true,
                },
        },
      ],
    });
  }

  /** A person sees these, of the box as the last look found it. */
  shows(blockers: readonly Blocker[]): void {
    for (const { id, kind, loss } of blockers) {
      if (loss !== null) this.#shown.set(`${id} ${loss}`, this.#dangers(this.#seen, kind));
    }
  }

  accepted(id: string, loss: string): void {
    const dangers = this.#shown.get(`${id} ${loss}`);
    if (dangers === undefined) throw new Error(`a loss was accepted that nobody was shown: ${id}`);
    for (const each of dangers) this.#givenUp.add(each);
  }

  approved(app: number, said: Pick<Yes, 'verb' | 'typed' | 'monoMs'>): void {
    this.#yes.set(app, { ...said, state: JSON.stringify(this.#seen), looks: this.#looks });
  }

  /** A yes is over with it. */
  takenBack(app: number): void {
    this.#yes.delete(app);
  }

  copiesRead(app: number, monoMs: number): void {
    this.#read.set(app, { monoMs, life: this.#seen?.life ?? 0 });
  }

  restarted(app: number): void {
    this.#yes.delete(app);
    this.#read.delete(app);
  }

  isOver(): void {
    this.isActing = false;
  }

  gone(): void {
    this.isActing = false;
    this.#givenUp.clear();
  }

  /** What is wrong with it that this box is being ended now; null: nothing is. */
  judge(act: Act, monoMs: number): string | null {
    const found = [...this.#yes].map(([app, yes]) => this.#judgeYes(app, yes, act, monoMs));
    this.#yes.clear();
    if (this.isActing) return 'it was being ended already';
    this.isActing = true;
    return found.includes(null) ? null : found.join(', and ') || 'nobody said yes';
  }

  #judgeYes(app: number, yes: Yes, { verb }: Act, monoMs: number): string | null {
    const [seen, read] = [this.#seen, this.#read.get(app) ?? null];
    if (yes.verb !== verb) return `the yes was to ${yes.verb}`;
    if (yes.typed !== this.name(app)) return `the yes was to ${yes.typed}`;
    if (monoMs - yes.monoMs >= APPROVAL_LASTS_MS) return 'the yes is old';
    if (this.#looks <= yes.looks || seen === null) return 'nobody looked since the yes';
    if (JSON.stringify(seen) !== yes.state) return 'something changed since the yes';
    if (seen.isSilent) return 'it could not be looked at';
    for (const kind of ['run', 'process', 'file', 'elsewhere']) {
      const lost = this.#dangers(seen, kind).find((each) => !this.#givenUp.has(each));
      if (lost !== undefined) return `${lost} would be lost`;
    }
    for (const [path, file] of Object.entries(seen.files)) {
      if (!this.#isHome(seen, path, file)) continue;
      if (read === null || monoMs - read.monoMs > HOUR_MS) return 'nobody read the copies';
      if (read.life !== seen.life) return 'the copies were read of another life';
      if (this.#copyOf(path) !== file.content) return `the copy of ${path} is not what it was`;
    }
    return null;
  }

  /** What would be lost with a box in this state, by the kind of blocker that tells of it, or by its own. */
  #dangers(state: State | null, kind: string): readonly string[] {
    if (state === null) return [];
    const { files, run, process } = state;
    switch (kind) {
      case 'run':
      case 'run-alive':
        return run === null ? [] : [`run ${String(run)}`];
      case 'process':
      case 'process-alive':
        return process === null ? [] : [`process ${String(process)}`];
      case 'elsewhere':
        return ['what lies elsewhere'];
      case 'file':
      case 'never-pulled':
      case 'not-home':
      case 'not-there':
        return Object.entries(files).flatMap(([path, file]) =>
          this.#isHome(state, path, file) ? [] : [`${path} ${String(file.version)}`],
        );
      default:
        return [];
    }
  }

  #isHome({ home }: State, path: string, { version }: BoxFile): boolean {
    return home?.[path]?.version === version;
  }

  #copyOf(path: string): string | null {
    try {
      return readFileSync(join(this.#to, path), 'utf8');
    } catch {
      return null;
    }
  }
}

const listedAs = (path: string, { content, version }: BoxFile) => ({
  ...{ path, bytes: content.length, modifiedAtMs: version },
  stamp: `${String(version)} ${String(version)} 1`,
});

const provenAs = (path: string, file: BoxFile): PulledFile => ({
  ...listedAs(path, file),
  ...{ keep: 'unknown', mark: 'equal', level: 'hashed', loaded: null, says: null },
  sha256: createHash('sha256').update(file.content).digest('hex'),
});
