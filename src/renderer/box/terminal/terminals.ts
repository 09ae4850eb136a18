import type { Settings } from '../../../shared/settings/settings.ts';
import { FONT_SIZE_PX, TERMINAL_DEFAULTS } from '../../../shared/settings/terminal-defaults.ts';
import type { PasteJudgement } from '../../../shared/terminal/paste.ts';
import type { TerminalNews } from '../../../shared/terminal/port-messages.ts';
import type { TerminalState, TerminalTarget } from '../../../shared/terminal/terminal.ts';
import { settingsChanged } from '../../state/actions.ts';
import { call } from '../../state/bridge.ts';
import { useFleet, useSettings } from '../../state/feeds.ts';
import { actionFailed, overlayOpened } from '../../state/view.ts';
import type { Shortcut } from './shortcuts.ts';
import { listenForPorts, takeLink, type TerminalLink } from './terminal-link.ts';
import {
  neighbourSelected,
  notesAdded,
  tabAdded,
  tabChanged,
  tabRemoved,
  useTerminals,
  type NoteKind,
  type TerminalTab,
} from './terminals-store.ts';
import { XtermView } from './xterm-view.ts';

/** Notes of a flood are counted and shown together. */
const NOTES_EVERY_MS = 200;

/** What the page that shows a terminal does for it. */
export interface Stage {
  readonly askPaste: (judgement: Extract<PasteJudgement, { kind: 'ask' }>) => void;
  readonly showLink: (address: string | null) => void;
  readonly openFind: () => void;
  readonly openNew: () => void;
  readonly showMatches: (found: { readonly index: number; readonly count: number }) => void;
  readonly leave: () => void;
}

/** What a tab has besides its facts: things that cannot lie in a store. */
interface Instance {
  readonly view: XtermView;
  link: TerminalLink | null;
  stage: Stage | null;
  readonly newNotes: Map<NoteKind, number>;
  notesTimer: ReturnType<typeof setTimeout> | undefined;
}

const instances = new Map<string, Instance>();
let isFollowing = false;

/** Opens a terminal in a new tab and shows it. `typed` stands at its first prompt, for the person to run or to change. */
export function openTerminal(boxId: string, target: TerminalTarget, typed = ''): void {
  listenForPorts();
  follow();
  const id = crypto.randomUUID();
  // Those that show a session are called by its name.
  const own = useTerminals
    .getState()
    .tabs.filter((tab) => tab.boxId === boxId && tab.session === null);
  tabAdded({
    id,
    boxId,
    number: Math.max(0, ...own.map(({ number }) => number)) + 1,
    name: null,
    title: '',
    making: target.kind === 'new-tmux' ? target.name : null,
    session: null,
    state: { kind: 'opening' },
    notes: {},
    hasRung: false,
  });
  instances.set(id, createInstance(id));
  void connect(id, boxId, target, typed);
}

/** After its end: the same tab and screen, a new shell, or the same tmux session. */
export function reopenTerminal({ id, boxId, session }: TerminalTab): void {
  const instance = instances.get(id);
  if (instance === undefined) return;
  instance.link?.close();
  instance.link = null;
  instance.view.startFresh();
  instance.view.focus(); // the button that was pressed is going away
  tabChanged(id, { state: { kind: 'opening' } });
  void connect(
    id,
    boxId,
    session === null ? { kind: 'shell' } : { kind: 'tmux', session: keyOf(session) },
  );
}

/** Closes tab and terminal. A shell ends by it; a tmux session goes on. */
export function closeTerminal(tabId: string): void {
  const instance = instances.get(tabId);
  instances.delete(tabId);
  clearTimeout(instance?.notesTimer);
  instance?.link?.close();
  instance?.view.dispose();
  tabRemoved(tabId);
}

/** Shows a tab's screen in an element of the page; returns how to take it out again. */
export function stageTerminal(tabId: string, slot: HTMLElement, stage: Stage): () => void {
  const instance = instances.get(tabId);
  if (instance === undefined) return () => undefined;
  instance.stage = stage;
  const hide = instance.view.show(slot);
  return () => {
    hide();
    instance.stage = null;
  };
}

export function openFind(tabId: string): void {
  instances.get(tabId)?.stage?.openFind();
}

export const viewOf = (tabId: string): XtermView | null => instances.get(tabId)?.view ?? null;

export function fontSizeChanged(change: 'larger' | 'smaller' | 'reset-size'): void {
  const { fontSizePx } = terminalSettings();
  const step = change === 'larger' ? 1 : -1;
  const next = change === 'reset-size' ? TERMINAL_DEFAULTS.fontSizePx : fontSizePx + step;
  settingsChanged({
    terminal: { fontSizePx: Math.min(FONT_SIZE_PX.max, Math.max(FONT_SIZE_PX.min, next)) },
  });
}

export function keyOf({ id, createdAtS }: { id: string; createdAtS: number }) {
  return { id, createdAtS };
}

function createInstance(tabId: string): Instance {
  const here = (): Instance | undefined => instances.get(tabId);
  const note = (kind: NoteKind): void => noteHappened(tabId, kind, 1);
  const view = new XtermView(terminalSettings(), {
    onInput: (text) => here()?.link?.send('input', text),
    onBinary: (text) => here()?.link?.send('binary', text),
    onSize: (size) => here()?.link?.resize(size),
    onFiltered: note,
    onTitle: (title) => tabChanged(tabId, { title }),
    onBell: () => {
      if (here()?.stage === null) tabChanged(tabId, { hasRung: true });
    },
    onPaste: (judgement) => {
      if (judgement.kind === 'ask') here()?.stage?.askPaste(judgement);
      else note('paste-too-large');
    },
    onShortcut: (shortcut) => obey(tabId, shortcut),
    onLinkUnderPointer: (address) => here()?.stage?.showLink(address),
    onLinkChosen: (url) => void openLink(url),
    onMatches: (found) => here()?.stage?.showMatches(found),
  });
  return { view, link: null, stage: null, newNotes: new Map(), notesTimer: undefined };
}

async function connect(
  tabId: string,
  boxId: string,
  target: TerminalTarget,
  typed = '',
): Promise<void> {
  const instance = instances.get(tabId);
  if (instance === undefined) return;
  const { view } = instance;
  const terminalId = crypto.randomUUID();
  const askedSize = view.size;
  const opened = await call('terminal:open', { terminalId, boxId, target, size: askedSize });
  if (!opened.ok) {
    tabChanged(tabId, { state: { kind: 'ended', because: 'failed', problem: opened.error } });
    return;
  }
  let untyped = typed;
  const link = await takeLink(terminalId, {
    onBytes: (bytes, done) => {
      view.write(bytes, done);
      // Before the shell has said anything it would be echoed twice: by the terminal, and by the shell.
      if (untyped !== '') instances.get(tabId)?.link?.send('input', untyped);
      untyped = '';
    },
    onNews: (news) => takeNews(tabId, news),
  });
  // Closed while it opened: whoever closed it could not close this yet.
  if (instances.get(tabId) !== instance) {
    link.close();
    return;
  }
  instance.link = link;
  const { session, agent } = opened.value;
  tabChanged(tabId, { session });
  if (agent !== 'off') noteHappened(tabId, `agent-${agent}`, 1);
  const { cols, rows } = view.size;
  if (cols !== askedSize.cols || rows !== askedSize.rows) link.resize({ cols, rows });
}

function takeNews(tabId: string, news: TerminalNews): void {
  switch (news.kind) {
    case 'state':
      return takeState(tabId, news.state);
    case 'input-refused':
      return noteHappened(tabId, 'input-refused', news.bytes);
    case 'agent-use':
      return noteHappened(tabId, `agent-${news.use}`, 1);
  }
}

function takeState(tabId: string, state: TerminalState): void {
  tabChanged(tabId, { state });
  const instance = instances.get(tabId);
  if (instance === undefined || (state.kind !== 'lost' && state.kind !== 'ended')) return;
  instance.view.calm();
  if (state.kind !== 'ended') return;
  instance.link?.close();
  instance.link = null;
}

function noteHappened(tabId: string, kind: NoteKind, count: number): void {
  const instance = instances.get(tabId);
  if (instance === undefined) return;
  const { newNotes } = instance;
  newNotes.set(kind, (newNotes.get(kind) ?? 0) + count);
  instance.notesTimer ??= setTimeout(() => {
    instance.notesTimer = undefined;
    notesAdded(tabId, new Map(newNotes));
    newNotes.clear();
  }, NOTES_EVERY_MS);
}

function obey(tabId: string, shortcut: Shortcut): void {
  const instance = instances.get(tabId);
  const tab = useTerminals.getState().tabs.find(({ id }) => id === tabId);
  if (instance === undefined || tab === undefined) return;
  switch (shortcut) {
    case 'copy':
      return instance.view.copySelection();
    case 'paste':
      return; // the browser brings it as an event of its own
    case 'find':
      return instance.stage?.openFind();
    case 'new':
      return instance.stage?.openNew();
    case 'close':
      return closeTerminal(tabId);
    case 'next':
      return neighbourSelected(tab.boxId, 1);
    case 'previous':
      return neighbourSelected(tab.boxId, -1);
    case 'leave':
      return instance.stage?.leave();
    case 'palette':
      return overlayOpened({ kind: 'palette' });
    case 'larger':
    case 'smaller':
    case 'reset-size':
      return fontSizeChanged(shortcut);
  }
}

async function openLink(url: string): Promise<void> {
  const opened = await call('app:open-box-link', { url: url.slice(0, 2000) });
  if (!opened.ok) actionFailed(opened.error);
}

function terminalSettings(): Settings['terminal'] {
  const feed = useSettings.getState();
  return feed.kind === 'live' ? feed.state.terminal : TERMINAL_DEFAULTS;
}

/** Settings reach every terminal; a box that leaves the list takes its terminals along. */
function follow(): void {
  if (isFollowing) return;
  isFollowing = true;
  useSettings.subscribe((feed) => {
    if (feed.kind !== 'live') return;
    for (const { view } of instances.values()) view.applySettings(feed.state.terminal);
  });
  useFleet.subscribe((feed) => {
    if (feed.kind !== 'live') return;
    const known = new Set(feed.state.entries.map(({ box }) => box.id));
    for (const { id, boxId } of useTerminals.getState().tabs) {
      if (!known.has(boxId)) closeTerminal(id);
    }
  });
}
