import { create } from 'zustand';
import type {
  AgentLending,
  AgentUse,
  TerminalState,
  TmuxSession,
} from '../../../shared/terminal/terminal.ts';
import type { FilteredEscape } from './escape-filter.ts';

/** What the person should know about a terminal and can dismiss. */
export type NoteKind =
  | FilteredEscape
  | 'input-refused'
  | 'paste-too-large'
  | `agent-${Exclude<AgentLending, 'off'> | AgentUse}`;

export interface TerminalTab {
  readonly id: string;
  readonly boxId: string;
  /** Counts from 1 in each box: two shells need two names. */
  readonly number: number;
  /** What the person calls it. */
  readonly name: string | null;
  /** What the program calls itself; already one harmless line. */
  readonly title: string;
  /** The name of the session that it makes, which the box lists only once it is made; null: it makes none. */
  readonly making: string | null;
  /** The tmux session that it shows; null for a plain shell. */
  readonly session: TmuxSession | null;
  readonly state: TerminalState;
  readonly notes: Readonly<Partial<Record<NoteKind, number>>>;
  /** The bell rang while it was not looked at. */
  readonly hasRung: boolean;
}

interface TerminalsState {
  readonly tabs: readonly TerminalTab[];
  /** Per box. Null or absent: the page on which a new one is opened. */
  readonly selected: Readonly<Record<string, string | null>>;
}

export const useTerminals = create<TerminalsState>(() => ({ tabs: [], selected: {} }));

const NO_TABS: readonly TerminalTab[] = [];

export function selectTabs(boxId: string): (state: TerminalsState) => readonly TerminalTab[] {
  return ({ tabs }) => {
    const own = tabs.filter((tab) => tab.boxId === boxId);
    return own.length === 0 ? NO_TABS : own;
  };
}

export const selectShown =
  (boxId: string) =>
  ({ tabs, selected }: TerminalsState): TerminalTab | null =>
    tabs.find(({ id }) => id === selected[boxId]) ?? null;

export function tabAdded(tab: TerminalTab): void {
  useTerminals.setState(({ tabs, selected }) => ({
    tabs: [...tabs, tab],
    selected: { ...selected, [tab.boxId]: tab.id },
  }));
}

export function tabChanged(tabId: string, part: Partial<Omit<TerminalTab, 'id' | 'boxId'>>): void {
  useTerminals.setState(({ tabs }) => ({
    tabs: tabs.map((tab) => (tab.id === tabId ? { ...tab, ...part } : tab)),
  }));
}

export function tabRemoved(tabId: string): void {
  useTerminals.setState(({ tabs, selected }) => {
    const removed = tabs.find(({ id }) => id === tabId);
    if (removed === undefined) return {};
    const own = tabs.filter(({ boxId }) => boxId === removed.boxId);
    const at = own.indexOf(removed);
    const neighbour = own[at + 1] ?? own[at - 1] ?? null;
    const isShown = selected[removed.boxId] === tabId;
    return {
      tabs: tabs.filter((tab) => tab !== removed),
      ...(isShown && { selected: { ...selected, [removed.boxId]: neighbour?.id ?? null } }),
    };
  });
}

/** Null: the page on which a new one is opened. */
export function terminalSelected(boxId: string, tabId: string | null): void {
  useTerminals.setState(({ selected }) => ({ selected: { ...selected, [boxId]: tabId } }));
  if (tabId !== null) tabChanged(tabId, { hasRung: false });
}

export function neighbourSelected(boxId: string, step: 1 | -1): void {
  const { tabs, selected } = useTerminals.getState();
  const own = tabs.filter((tab) => tab.boxId === boxId);
  const at = own.findIndex(({ id }) => id === selected[boxId]);
  const next = own[(at + step + own.length) % own.length];
  if (next !== undefined) terminalSelected(boxId, next.id);
}

export function notesAdded(tabId: string, counts: ReadonlyMap<NoteKind, number>): void {
  const tab = useTerminals.getState().tabs.find(({ id }) => id === tabId);
  if (tab === undefined) return;
  const notes = { ...tab.notes };
  for (const [kind, count] of counts) notes[kind] = (notes[kind] ?? 0) + count;
  tabChanged(tabId, { notes });
}

export function noteDismissed(tabId: string, kind: NoteKind): void {
  const tab = useTerminals.getState().tabs.find(({ id }) => id === tabId);
  if (tab === undefined) return;
  tabChanged(tabId, { notes: { ...tab.notes, [kind]: 0 } });
}
