import { create } from 'zustand';
import type { Problem } from '../../shared/problem.ts';
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

export type SettingsSection = 'settings' | 'about';

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
  /** `clockId`: the one that the person wants to say something about. */
  | { readonly kind: 'clocks'; readonly boxId: string; readonly clockId?: string }
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
  | { readonly kind: 'launch'; readonly boxId: string }
  | { readonly kind: 'launch-sweep' }
  | { readonly kind: 'question'; readonly questionId: string };

interface ViewState {
  readonly page: Page;
  readonly overlay: Overlay;
  /** Problems of actions that have no place of their own to show them, newest last. */
  readonly failures: readonly Problem[];
}

/** More at once would bury the rest of the window; the oldest go. */
const MAX_FAILURES = 3;

export const useView = create<ViewState>(() => ({
  page: { kind: 'start' },
  overlay: { kind: 'none' },
  failures: [],
}));

export function fleetChosen(): void {
  useView.setState({ page: { kind: 'fleet' }, overlay: { kind: 'none' } });
}

export function boxChosen(boxId: string): void {
  useView.setState({ page: { kind: 'box', boxId, tab: 'overview' }, overlay: { kind: 'none' } });
}

export function tabChosen(boxId: string, tab: BoxTab): void {
  useView.setState({ page: { kind: 'box', boxId, tab } });
}

export function teardownChosen(boxId: string, step: TeardownStepId): void {
  useView.setState({
    page: { kind: 'box', boxId, tab: 'teardown', step },
    overlay: { kind: 'none' },
  });
}

export function teardownsChosen(boxIds: readonly string[], sweepId: string | null = null): void {
  useView.setState({ page: { kind: 'teardowns', boxIds, sweepId }, overlay: { kind: 'none' } });
}

export function alertsChosen(boxId: string): void {
  useView.setState({ page: { kind: 'box', boxId, tab: 'alerts' }, overlay: { kind: 'none' } });
}

export function runsChosen(boxId: string): void {
  useView.setState({ page: { kind: 'box', boxId, tab: 'runs' }, overlay: { kind: 'none' } });
}

export function factsChosen(): void {
  useView.setState({ page: { kind: 'facts' }, overlay: { kind: 'none' } });
}

export function receiptChosen(seq: number, boxId: string | null): void {
  useView.setState({ page: { kind: 'receipt', seq, boxId }, overlay: { kind: 'none' } });
}

export function archiveChosen(): void {
  useView.setState({ page: { kind: 'archive' }, overlay: { kind: 'none' } });
}

export function timelineChosen(): void {
  useView.setState({ page: { kind: 'timeline' }, overlay: { kind: 'none' } });
}

export function costsChosen(boxId: string | null): void {
  useView.setState({ page: { kind: 'costs', boxId }, overlay: { kind: 'none' } });
}

export function sweepsChosen(sweepId: string | null = null): void {
  useView.setState({ page: { kind: 'sweeps', sweepId }, overlay: { kind: 'none' } });
}

export function settingsChosen(section: SettingsSection): void {
  useView.setState({ page: { kind: 'settings', section }, overlay: { kind: 'none' } });
}

export function handbookChosen(entry: string | null = null): void {
  useView.setState({ page: { kind: 'handbook', entry }, overlay: { kind: 'none' } });
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
