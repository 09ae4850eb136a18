import { create } from 'zustand';
import type { Problem } from '../../shared/problem.ts';
import type { PushedRun } from '../box/runs/push/push-dialog.tsx';
import type { SettingsPart } from '../settings/setting-parts.ts';
import type { TeardownStepId } from '../box/teardown/teardown-steps.ts';

export const boxTabs = [
  'overview',
  'runs',
  'tunnels',
  'terminal',
  'files',
  'alerts',
  'teardown',
  'facts',
] as const;
export type BoxTab = (typeof boxTabs)[number];

/** All of it, from the top, or the part that the page leads to. */
export type SettingsSection = 'settings' | SettingsPart;

/** What only the page that shows it can open or do, because it alone has what that needs. */
export type PagePart =
  | 'new-budget'
  | 'rates'
  | 'costs-csv'
  | 'new-line'
  | 'new-transfer'
  | 'check-all'
  | 'name-folder'
  | 'start-tensorboard'
  | 'find-in-terminal'
  | 'rename-terminal'
  | 'terminal-shortcuts'
  | 'upload-files'
  | 'upload-folder'
  | 'go-to-folder'
  | 'rented-from'
  | 'measure-again'
  | 'pause-charts'
  | 'chart-summary'
  | 'copy-values'
  | 'charts-csv'
  | 'charts-picture';

/** What the main area shows. `start`: nobody has chosen yet. */
export type Page =
  | { readonly kind: 'start' }
  | { readonly kind: 'fleet' }
  /** `step`: of the teardown, where one is asked for. */
  | {
      readonly kind: 'box';
      readonly boxId: string;
      readonly tab: BoxTab;
      readonly step?: TeardownStepId;
    }
  /** What is known of every platform. */
  | { readonly kind: 'facts' }
  /** Several boxes on the way to their end, those of a sweep or those that a person chose. */
  | {
      readonly kind: 'teardowns';
      readonly boxIds: readonly string[];
      readonly sweepId: string | null;
    }
  /** One entry of the evidence as a page to print, opened from the page of this box; null: from the archive. */
  | { readonly kind: 'receipt'; readonly seq: number; readonly boxId: string | null }
  /** The boxes that are gone. */
  | { readonly kind: 'archive' }
  /** What comes to every box if nobody does anything. */
  | { readonly kind: 'timeline' }
  /** One sweep; null: the list of them. */
  | { readonly kind: 'sweeps'; readonly sweepId: string | null }
  /** Of one box, or of all. */
  | { readonly kind: 'costs'; readonly boxId: string | null }
  | { readonly kind: 'settings'; readonly section: SettingsSection }
  /** `entry`: the id of the one that is read; null: none yet. */
  | { readonly kind: 'handbook'; readonly entry: string | null };

/** The three ways to add a box. */
export type AddBoxWay = 'command' | 'form' | 'import';

/** What lies over it. */
export type Overlay =
  | { readonly kind: 'none' }
  | { readonly kind: 'palette' }
  | { readonly kind: 'add-box'; readonly way?: AddBoxWay }
  /** `clockId`: the one that the person wants to say something about. `isOwn`: a new one of their own. */
  | {
      readonly kind: 'clocks';
      readonly boxId: string;
      readonly clockId?: string;
      readonly isOwn?: boolean;
    }
  | { readonly kind: 'rename-box'; readonly boxId: string }
  | { readonly kind: 'tags'; readonly boxId: string }
  | { readonly kind: 'edit-connection'; readonly boxId: string }
  | { readonly kind: 'forget-box'; readonly boxId: string }
  | { readonly kind: 'new-machine'; readonly boxId: string }
  | { readonly kind: 'install-key'; readonly boxId: string }
  | { readonly kind: 'flavour'; readonly boxId: string }
  | { readonly kind: 'send-secret'; readonly boxId: string }
  /** `isToCopy`: its text goes to the clipboard at once. */
  | { readonly kind: 'recovery'; readonly boxId: string; readonly isToCopy?: boolean }
  | { readonly kind: 'set-price'; readonly boxId: string }
  /** Over the page that is shown, and by it. */
  | { readonly kind: 'on-page'; readonly part: PagePart }
  /** `targetPort`: of the box, where it is known. */
  | { readonly kind: 'add-tunnel'; readonly boxId: string; readonly targetPort?: number }
  /** `run`: the key of the process that it is to be about. */
  | { readonly kind: 'new-watch'; readonly boxId: string; readonly run?: string }
  | { readonly kind: 'push'; readonly boxId: string; readonly run: PushedRun }
  | {
      readonly kind: 'end-run';
      readonly boxId: string;
      readonly runId: string;
      readonly name: string;
    }
  | { readonly kind: 'holders'; readonly boxId: string }
  /** `isQueue`: of cells, until the person chooses otherwise. `isFromFile`: a request file is asked for at once. */
  | {
      readonly kind: 'launch';
      readonly boxId: string;
      readonly isQueue?: boolean;
      readonly isFromFile?: boolean;
    }
  | { readonly kind: 'launch-sweep' }
  | { readonly kind: 'question'; readonly questionId: string };

interface ViewState {
  readonly page: Page;
  /** The pages before this one, the newest last. */
  readonly past: readonly Page[];
  readonly overlay: Overlay;
  /** Problems of actions that have no place of their own to show them, newest last. */
  readonly failures: readonly Problem[];
}

/** Nobody goes back further than that. */
const MAX_PAST = 50;

/** More at once would bury the rest of the window; the oldest go. */
const MAX_FAILURES = 3;

export const useView = create<ViewState>(() => ({
  page: { kind: 'start' },
  past: [],
  overlay: { kind: 'none' },
  failures: [],
}));

/** Shows another page. The one before it is where "Back" leads. */
function go(
  page: Page,
  part: Pick<ViewState, 'overlay'> | null = { overlay: { kind: 'none' } },
): void {
  useView.setState(({ page: before, past }) => {
    const isSame = JSON.stringify(before) === JSON.stringify(page);
    return { page, ...part, ...(!isSame && { past: [...past, before].slice(-MAX_PAST) }) };
  });
}

export const selectCanGoBack = ({ past }: ViewState): boolean => past.length > 0;

export function backChosen(): void {
  useView.setState(({ past }) => {
    const page = past.at(-1);
    return page === undefined ? {} : { page, past: past.slice(0, -1), overlay: { kind: 'none' } };
  });
}

export function fleetChosen(): void {
  go({ kind: 'fleet' });
}

export function boxChosen(boxId: string): void {
  go({ kind: 'box', boxId, tab: 'overview' });
}

export function tabChosen(boxId: string, tab: BoxTab): void {
  go({ kind: 'box', boxId, tab }, null);
}

export function teardownChosen(boxId: string, step: TeardownStepId): void {
  go({ kind: 'box', boxId, tab: 'teardown', step });
}

export function teardownsChosen(boxIds: readonly string[], sweepId: string | null = null): void {
  go({ kind: 'teardowns', boxIds, sweepId });
}

export function alertsChosen(boxId: string): void {
  go({ kind: 'box', boxId, tab: 'alerts' });
}

export function runsChosen(boxId: string): void {
  go({ kind: 'box', boxId, tab: 'runs' });
}

export function factsChosen(): void {
  go({ kind: 'facts' });
}

export function receiptChosen(seq: number, boxId: string | null): void {
  go({ kind: 'receipt', seq, boxId });
}

export function archiveChosen(): void {
  go({ kind: 'archive' });
}

export function timelineChosen(): void {
  go({ kind: 'timeline' });
}

export function costsChosen(boxId: string | null): void {
  go({ kind: 'costs', boxId });
}

export function newBudgetChosen(): void {
  go({ kind: 'costs', boxId: null }, { overlay: { kind: 'on-page', part: 'new-budget' } });
}

export function sweepsChosen(sweepId: string | null = null): void {
  go({ kind: 'sweeps', sweepId });
}

export function settingsChosen(section: SettingsSection): void {
  go({ kind: 'settings', section });
}

export function handbookChosen(entry: string | null = null): void {
  go({ kind: 'handbook', entry });
}

export function overlayOpened(overlay: Exclude<Overlay, { kind: 'none' }>): void {
  useView.setState({ overlay });
}

/** What the page offers by itself waits while something lies over it. */
export function isOverlayOpen(): boolean {
  return useView.getState().overlay.kind !== 'none';
}

export function overlayClosed(): void {
  useView.setState({ overlay: { kind: 'none' } });
}

export function actionFailed(problem: Problem): void {
  useView.setState(({ failures }) => ({ failures: [...failures, problem].slice(-MAX_FAILURES) }));
}

export function failureDismissed(problem: Problem): void {
  useView.setState(({ failures }) => ({ failures: failures.filter((each) => each !== problem) }));
}
