import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import type { LaunchedRuns } from '../../shared/runs/launch/launched-run.ts';
import type { BoxChange, ByBox } from '../../shared/streams/meter-stream.ts';
import { behindStream } from '../../shared/streams/runs-stream.ts';
import type { KeepRulesOf } from '../../shared/transfer/keep-rules.ts';
import type { BoxBehind, PullRate } from '../../shared/transfer/behind.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { BoxWatches } from '../boxes/box-watches.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import type { Followed, OfBox } from '../streams/source.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import { BoxBehindWatch } from './box-behind.ts';
import type { Pulled } from './box-pulls.ts';
import type { NamedFolders } from './named-folders.ts';

const KEPT_AS = 'pull-rate';
const keptRate = z.strictObject({
  bytesPerS: z.number().positive(),
  atMs: z.number(),
}) satisfies z.ZodType<PullRate>;

export interface BehindWatchOptions {
  readonly hub: StreamHub;
  readonly roster: BoxRoster;
  readonly scripts: OnboxScripts;
  readonly evidence: Pick<EvidenceTable, 'pullsOf'>;
  readonly keepRules?: KeepRulesOf;
  readonly entries: Pick<EntriesTable, 'read' | 'write'>;
  readonly looked: Followed<OfBox<LaunchedRuns>>;
  readonly pulled: Followed<OfBox<Pulled>>;
  readonly folders: Pick<NamedFolders, 'rootsOf' | 'changed'>;
  readonly onProblem: (found: Problem) => void;
}

/** How far this computer is behind each box (stream `behind`): what its runs have left there, and no pull has proven to be here. */
export class BehindWatch {
  readonly #options: BehindWatchOptions;
  readonly #topic: Topic<ByBox<BoxBehind>, BoxChange<BoxBehind>>;
  readonly #watches: BoxWatches<BoxBehindWatch>;
  readonly #stops: readonly (() => void)[];

  constructor(options: BehindWatchOptions) {
    this.#options = options;
    const { hub, roster, looked, pulled, folders } = options;
    this.#topic = hub.addTopic('behind', '', {
      kind: behindStream,
      initial: { boxes: {} },
    });
    this.#watches = new BoxWatches({
      roster,
      open: (boxId) => this.#open(boxId),
      // The look at the runs waits for the link, and this waits for that look.
      linkIs: () => undefined,
    });
    this.#stops = [
      looked.follow(({ boxId, value }) => this.#watches.of(boxId)?.looked(value)),
      folders.changed.follow(({ boxId, value }) => this.#watches.of(boxId)?.named(value)),
      pulled.follow(({ boxId, value }) => void this.#pulled(boxId, value)),
    ];
  }

  /** As it is known now; null: not at all. */
  of(boxId: string): BoxBehind | null {
    return this.#topic.state.boxes[boxId] ?? null;
  }

  /** Resolves when nothing is under way any more. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#watches.close();
    this.#options.hub.removeTopic('behind', '');
  }

  #open(boxId: string): BoxBehindWatch {
    const { roster, scripts, evidence, entries, folders, keepRules, onProblem } = this.#options;
    const rate = entries.read(boxId, KEPT_AS, keptRate);
    if (!rate.ok) onProblem(rate.error);
    return new BoxBehindWatch({
      ...{ boxId, roster, scripts, evidence, keepRules, onProblem },
      named: folders.rootsOf(boxId),
      rate: rate.ok ? rate.value : null,
      onBehind: (value) => this.#topic.publish({ boxId, value }),
    });
  }

  async #pulled(boxId: string, { proof, rate }: Pulled): Promise<void> {
    const { entries, onProblem } = this.#options;
    if (rate !== null) {
      const written = entries.write(boxId, KEPT_AS, rate, rate.atMs);
      if (!written.ok) onProblem(written.error);
    }
    await this.#watches.of(boxId)?.pulled(proof, rate);
  }
}
