import type { ContinuousNews } from '../../../shared/news/kinds/continuous-news.ts';
import type { PlanRef } from '../../../shared/plan/plan.ts';
import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { LaunchedRuns } from '../../../shared/runs/launch/launched-run.ts';
import { nameOf } from '../../../shared/runs/launch/run-words.ts';
import type { BoxChange, ByBox } from '../../../shared/streams/meter-stream.ts';
import { continuousPullsStream } from '../../../shared/streams/runs-stream.ts';
import type {
  ContinuousPlan,
  ContinuousPull,
} from '../../../shared/transfer/continuous/continuous-pull.ts';
import { pullWaits } from '../../../shared/transfer/pull.ts';
import type { BoxRoster } from '../../boxes/box-roster.ts';
import { BoxWatches } from '../../boxes/box-watches.ts';
import { PlanKeeper } from '../../plan/plan-keeper.ts';
import { placeOfResults } from '../../../shared/transfer/result-root.ts';
import { listResults, LONG_LIST } from '../../runs/list-results.ts';
import type { RunWatch } from '../../runs/run-watch.ts';
import type { EntriesTable } from '../../storage/entries-table.ts';
import type { Followed, OfBox } from '../../streams/source.ts';
import type { StreamHub, Topic } from '../../streams/stream-hub.ts';
import { listApart } from '../apart.ts';
import type { Pulled } from '../box-pulls.ts';
import { idOf } from '../folder-id.ts';
import { makeRoot } from '../make-folders.ts';
import { freeBytesOf, type KeptPull } from '../plan-pull.ts';
import { waited } from '../waited.ts';
import { BoxContinuous } from './box-continuous.ts';
import { BroughtFiles } from './brought-files.ts';
import type { RoundMeans } from './one-continuous.ts';
import { planRound } from './plan-round.ts';

/** A file that somebody writes to changes by then; its times are told in seconds. */
const BETWEEN_LOOKS_MS = 5000;

export interface ContinuousPullsOptions extends Pick<
  RoundMeans,
  'scripts' | 'pulls' | 'evidence' | 'keepRules' | 'onProblem'
> {
  readonly hub: StreamHub;
  readonly roster: BoxRoster;
  readonly watch: Pick<RunWatch, 'runOf' | 'look'> & {
    readonly looked: Followed<OfBox<LaunchedRuns>>;
  };
  readonly pulled: Followed<OfBox<Pulled>>;
  readonly entries: Pick<EntriesTable, 'read' | 'write'>;
  /** The system's own dialog; null: cancelled. */
  readonly chooseFolder: () => Promise<string | null>;
  readonly onLongFailure: (news: ContinuousNews) => void;
  readonly betweenLooks?: RoundMeans['betweenLooks'];
  readonly now?: () => number;
  readonly uptime?: () => number;
}

interface Chosen {
  readonly runId: string;
  readonly runName: string;
  readonly to: string;
}

export interface ContinuousSettings {
  readonly everyMin: number;
  readonly limitMBps: number | null;
}

/** Runs whose new results come home by themselves (stream `continuous-pulls`). */
export class ContinuousPulls {
  readonly #options: ContinuousPullsOptions;
  readonly #plans = new PlanKeeper<Chosen>();
  readonly #topic: Topic<ByBox<readonly ContinuousPull[]>, BoxChange<readonly ContinuousPull[]>>;
  readonly #watches: BoxWatches<BoxContinuous>;
  readonly #stops: readonly (() => void)[];

  constructor(options: ContinuousPullsOptions) {
    this.#options = options;
    const { hub, roster, watch, pulled } = options;
    this.#topic = hub.addTopic('continuous-pulls', '', {
      ...{ kind: continuousPullsStream, initial: { boxes: {} } },
    });
    this.#watches = new BoxWatches({
      roster,
      open: (boxId) => this.#open(boxId),
      // The look at the runs waits for the link, and this waits for that look.
      linkIs: () => undefined,
    });
    this.#stops = [
      watch.looked.follow(({ boxId, value }) => this.#watches.of(boxId)?.looked(value)),
      pulled.follow(({ boxId, value }) => void this.#watches.of(boxId)?.pulled(value.proof)),
    ];
  }

  /** SECURITY: where to is asked here, in the system's own dialog, so that no page can name a folder. Null: cancelled. */
  async plan(boxId: string, runId: string): Promise<Result<ContinuousPlan | null, Problem>> {
    const { chooseFolder, roster, watch, scripts, evidence, entries } = this.#options;
    const { keepRules, onProblem } = this.#options;
    const to = await chooseFolder();
    if (to === null) return ok(null);
    const connection = roster.connectionOf(boxId);
    const run = watch.runOf(boxId, runId);
    if (connection === null || run === null) return err(gone());
    const list = await listApart(to, () =>
      listResults(connection, scripts, placeOfResults(run), { bounds: LONG_LIST }),
    );
    if (!list.ok) return list;
    const { folder: from } = list.value;
    const of = { boxId, runId, from, to };
    const brought = await BroughtFiles.read(evidence, entries, of, onProblem);
    // One look: what is being written shows itself in the rounds.
    const lists = { before: list.value, now: list.value };
    const planned = await planRound(run, lists, { to, brought, rules: keepRules?.(boxId) });
    if (!planned.ok) return planned;
    const runName = nameOf(run);
    const shown = {
      ...{ runName, from, to, ...sumsOf(planned.value) },
      freeBytes: await freeBytesOf(to),
    };
    const plan = this.#plans.keep(boxId, { runId, runName, to }, JSON.stringify(shown));
    return ok({ ...shown, plan });
  }

  /** Switches on what the plan has shown; the first round comes with the next look at the box. */
  start(
    boxId: string,
    plan: PlanRef,
    settings: ContinuousSettings,
  ): Promise<Result<null, Problem>> {
    return this.#plans.carryOut(boxId, plan, async (chosen) => {
      const made = await makeRoot(chosen.to);
      if (!made.ok) return made;
      const toId = await idOf(chosen.to);
      const fresh = {
        last: null,
        brought: null,
        failure: null,
        isFinished: false,
        isTold: false,
      };
      const of = { ...chosen, ...(toId !== null && { toId }) };
      return this.#watches.of(boxId)?.put({ ...of, ...settings, ...fresh }) ?? err(gone());
    });
  }

  /** What has come stays, here and in the evidence. */
  stop(boxId: string, runId: string): Result<null, Problem> {
    return this.#watches.of(boxId)?.drop(runId) ?? err(gone());
  }

  roundNow(boxId: string, runId: string): void {
    this.#watches.of(boxId)?.roundNow(runId);
  }

  /** Resolves when nothing is under way any more. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.#plans.close();
    await this.#watches.close();
    this.#options.hub.removeTopic('continuous-pulls', '');
  }

  #open(boxId: string): BoxContinuous {
    const { roster, watch, scripts, pulls, evidence, entries } = this.#options;
    const { keepRules, onProblem, onLongFailure } = this.#options;
    const { betweenLooks = waitBetween, now = Date.now, uptime = upSince } = this.#options;
    return new BoxContinuous({
      ...{ boxId, roster, scripts, pulls, evidence, entries, onProblem },
      ...{ keepRules, betweenLooks, now, uptime },
      look: (id) => watch.look(id),
      onPulls: (value) => this.#topic.publish({ boxId, value }),
      onLongFailure: (pull) => {
        const box = roster.boxOf(boxId);
        if (box !== null) onLongFailure({ box, pull });
      },
    });
  }
}

type Sums = Pick<ContinuousPlan, 'files' | 'bytes' | 'missingBytes' | 'waiting'>;

function sumsOf(kept: KeptPull | null): Sums {
  const wanted = kept?.shown.files.filter(({ refused }) => refused === null) ?? [];
  const others = kept?.round?.others ?? [];
  return {
    files: wanted.length,
    bytes: kept?.shown.bytes ?? 0,
    missingBytes: kept?.shown.missingBytes ?? 0,
    waiting: pullWaits.flatMap((because) => {
      const of = others.filter(({ waits }) => waits === because);
      const bytes = of.reduce((sum, file) => sum + file.bytes, 0);
      return of.length === 0 ? [] : { because, files: of.length, bytes };
    }),
  };
}

const upSince = (): number => performance.now();

const waitBetween = (signal: AbortSignal): Promise<void> => waited(BETWEEN_LOOKS_MS, signal);

function gone(): Problem {
  return problem('not-connected', 'The box is not connected, or the run is not known any more.');
}
