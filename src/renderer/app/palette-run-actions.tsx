import { BellPlus, BellRing, Square, SquareTerminal } from 'lucide-react';
import type { PatrolSeen } from '../../shared/patrol/patrol-state.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { isAlive, keeperOf, nameOf, sessionOf } from '../../shared/runs/launch/run-words.ts';
import { processKey, processRefOf } from '../../shared/runs/process-ref.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { attachTo } from '../box/runs/attach.ts';
import type { PushedRun } from '../box/runs/push/push-dialog.tsx';
import { commandOf, titleOf } from '../box/runs/run-card.tsx';
import { withoutLaunched } from '../box/runs/without-launched.ts';
import { overlayOpened } from '../state/view.ts';
import { actionsOf, type PaletteAction } from './palette-action.tsx';

/** The runs of the shown box that are known while the palette is open. */
export interface KnownRuns {
  /** What the last check saw; null: none has told yet. */
  readonly seen: PatrolSeen | null;
  readonly launched: readonly LaunchedRun[];
}

export const NO_RUNS: KnownRuns = { seen: null, launched: [] };

/** What can be done with a run that lives. What ends one only leads to the question. */
export function runActions(
  { box: { id: boxId, name }, link }: FleetEntry,
  { seen, launched }: KnownRuns,
): readonly PaletteAction[] {
  const isUp = link.kind === 'up';
  return actionsOf(name, (offer) => {
    const offerNotify = (run: PushedRun, title: string): void => {
      if (!isUp) return;
      const notify = (): void => overlayOpened({ kind: 'push', boxId, run });
      offer(`Notify from the box when it ends…: ${title}`, BellRing, notify, ['webhook', 'push']);
    };
    const offerAttach = (session: string | null, title: string): void => {
      if (!isUp || session === null) return;
      offer(`Attach: ${title}`, SquareTerminal, () => void attachTo(boxId, session), ['tmux']);
    };
    for (const run of isUp ? launched.filter(isAlive) : []) {
      const title = nameOf(run);
      offerAttach(sessionOf(run), title);
      if (keeperOf(run) !== null) offerNotify({ of: { launched: run.id }, title }, title);
      const end = (): void => overlayOpened({ kind: 'end-run', boxId, runId: run.id, name: title });
      offer(`End run…: ${title}`, Square, end, ['stop', 'kill']);
    }
    for (const run of seen === null ? [] : withoutLaunched(seen, launched).runs) {
      const title = titleOf(run) ?? commandOf(run);
      offerAttach(run.tmuxSession, title);
      const tell = (): void => overlayOpened({ kind: 'new-watch', boxId, run: processKey(run) });
      offer(`Tell me when…: ${title}`, BellPlus, tell, ['watch', 'ends']);
      offerNotify({ of: processRefOf(run), title: commandOf(run) }, title);
    }
  });
}
