import {
  Archive,
  ArrowLeft,
  BellPlus,
  BookOpen,
  Cable,
  CalendarClock,
  ChartLine,
  Coins,
  Copy,
  FileLock,
  FileText,
  Grid3x3,
  Info,
  KeyRound,
  LayoutGrid,
  ListChecks,
  ListPlus,
  LogOut,
  MemoryStick,
  Monitor,
  Moon,
  NotebookText,
  PanelTop,
  Pencil,
  Play,
  Plug,
  Plus,
  Power,
  Radar,
  RotateCw,
  Route,
  Scale,
  Settings as SettingsIcon,
  SquareTerminal,
  Sun,
  Tags,
  Trash2,
  Unplug,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { sshCommandOf } from '../../shared/boxes/ssh-command-of.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { openShell } from '../box/terminal/open-shell.ts';
import { jupytersRequested, tensorboardRequested } from '../box/tunnels/services.ts';
import { DEMO_PLATFORM } from '../../shared/demo/demo-platform.ts';
import {
  connectRequested,
  disconnectRequested,
  logRequested,
  patrolRequested,
  quitRequested,
  settingsChanged,
} from '../state/actions.ts';
import {
  archiveChosen,
  backChosen,
  costsChosen,
  factsChosen,
  fleetChosen,
  handbookChosen,
  newBudgetChosen,
  overlayOpened,
  selectCanGoBack,
  settingsChosen,
  sweepsChosen,
  tabChosen,
  timelineChosen,
  useView,
  type BoxTab,
} from '../state/view.ts';
import { copyText } from '../ui/copy-text.ts';
import { snoozeActions } from './palette-snoozes.tsx';

export interface PaletteAction {
  readonly label: string;
  readonly icon: ReactNode;
  readonly hint?: string;
  /** Other words by which it is looked for. */
  readonly keywords?: readonly string[];
  readonly run: () => void;
}

const SIZE = 15;

/** What can be done now; actions on a box are about the one that is shown. */
export function paletteActions(
  shown: FleetEntry | undefined,
  nowMs: number,
): readonly PaletteAction[] {
  return [
    ...(shown === undefined ? [] : [...boxActions(shown), ...snoozeActions(shown.box, nowMs)]),
    {
      label: 'Add box…',
      icon: <Plus size={SIZE} />,
      run: () => overlayOpened({ kind: 'add-box' }),
    },
    {
      label: 'Import boxes from SSH config…',
      icon: <Plus size={SIZE} />,
      run: () => overlayOpened({ kind: 'add-box', way: 'import' }),
    },
    ...(selectCanGoBack(useView.getState())
      ? [{ label: 'Back', icon: <ArrowLeft size={SIZE} />, run: backChosen }]
      : []),
    { label: 'Show fleet', icon: <LayoutGrid size={SIZE} />, run: fleetChosen },
    {
      label: 'Launch a sweep…',
      icon: <Grid3x3 size={SIZE} />,
      run: () => overlayOpened({ kind: 'launch-sweep' }),
    },
    { label: 'Sweeps', icon: <Grid3x3 size={SIZE} />, run: () => sweepsChosen() },
    { label: 'Archive', icon: <Archive size={SIZE} />, run: archiveChosen },
    { label: 'Costs', icon: <Coins size={SIZE} />, run: () => costsChosen(null) },
    { label: 'New budget…', icon: <Coins size={SIZE} />, run: newBudgetChosen },
    { label: 'Handbook', icon: <BookOpen size={SIZE} />, run: () => handbookChosen() },
    { label: 'Facts about platforms', icon: <Scale size={SIZE} />, run: factsChosen },
    {
      label: 'Timeline: the next 14 days',
      icon: <CalendarClock size={SIZE} />,
      run: timelineChosen,
    },
    {
      label: 'Settings',
      icon: <SettingsIcon size={SIZE} />,
      run: () => settingsChosen('settings'),
    },
    {
      label: 'Theme: follow the system',
      icon: <Monitor size={SIZE} />,
      run: () => settingsChanged({ theme: 'system' }),
    },
    {
      label: 'Theme: dark',
      icon: <Moon size={SIZE} />,
      run: () => settingsChanged({ theme: 'dark' }),
    },
    {
      label: 'Theme: light',
      icon: <Sun size={SIZE} />,
      run: () => settingsChanged({ theme: 'light' }),
    },
    { label: 'Show log', icon: <FileText size={SIZE} />, run: logRequested },
    { label: 'About Leasehold', icon: <Info size={SIZE} />, run: () => settingsChosen('about') },
    { label: 'Quit Leasehold', icon: <LogOut size={SIZE} />, run: quitRequested },
  ];
}

/** The pages of a box that have no action of their own here. */
const TABS: readonly {
  readonly tab: BoxTab;
  readonly label: string;
  readonly keywords: readonly string[];
}[] = [
  { tab: 'overview', label: 'Overview', keywords: ['charts'] },
  { tab: 'runs', label: 'Runs', keywords: ['folder to bring home', 'results'] },
  { tab: 'tunnels', label: 'Tunnels', keywords: ['jupyter', 'ports'] },
  { tab: 'files', label: 'Files', keywords: [] },
  { tab: 'alerts', label: 'Alerts', keywords: ['snooze'] },
  { tab: 'teardown', label: 'Teardown', keywords: ['end', 'destroy', 'stop'] },
  { tab: 'facts', label: 'Facts', keywords: ['provider', 'platform', 'notes'] },
];

function boxActions({ box, link }: FleetEntry): readonly PaletteAction[] {
  const onBox = (
    label: string,
    icon: ReactNode,
    run: () => void,
    keywords: readonly string[] = [],
  ): PaletteAction => ({ label, icon, hint: box.name, keywords, run });
  const connect = (): void => connectRequested(box.id);
  const actions: PaletteAction[] = [];
  if (link.kind === 'idle' || link.kind === 'down') {
    actions.push(onBox('Connect', <Plug size={SIZE} />, connect));
  } else {
    const disconnect = (): void => disconnectRequested(box.id);
    if (link.kind === 'waiting') {
      actions.push(onBox('Retry now', <RotateCw size={SIZE} />, connect));
    }
    actions.push(onBox('Disconnect', <Unplug size={SIZE} />, disconnect));
  }
  const showClocks = (): void => overlayOpened({ kind: 'clocks', boxId: box.id });
  const ofClocks = ['deadline', 'balance', 'rental end'];
  actions.push(onBox('Clocks…', <CalendarClock size={SIZE} />, showClocks, ofClocks));
  const recovery = (isToCopy: boolean) => (): void =>
    overlayOpened({ kind: 'recovery', boxId: box.id, isToCopy });
  actions.push(
    onBox('Recovery handbook…', <BookOpen size={SIZE} />, recovery(false)),
    onBox('Copy recovery handbook', <BookOpen size={SIZE} />, recovery(true)),
  );
  const over = (kind: 'set-price' | 'add-tunnel' | 'flavour' | 'new-watch') => (): void =>
    overlayOpened({ kind, boxId: box.id });
  actions.push(
    onBox('Set price…', <Coins size={SIZE} />, over('set-price'), ['cost']),
    onBox('Costs of this box', <Coins size={SIZE} />, () => costsChosen(box.id), ['ledger']),
    onBox('New watch…', <BellPlus size={SIZE} />, over('new-watch'), ['tell me', 'wait']),
    onBox('Add tunnel…', <Cable size={SIZE} />, over('add-tunnel'), ['forward', 'port']),
    onBox('SSH capabilities…', <ListChecks size={SIZE} />, over('flavour')),
    onBox('Copy ssh command', <Copy size={SIZE} />, () => copyText(sshCommandOf(box))),
  );
  for (const { tab, label, keywords } of TABS) {
    actions.push(onBox(label, <PanelTop size={SIZE} />, () => tabChosen(box.id, tab), keywords));
  }
  const showTerminal = (): void => tabChosen(box.id, 'terminal');
  actions.push(onBox('Terminal', <SquareTerminal size={SIZE} />, showTerminal));
  if (link.kind === 'up') {
    actions.push(onBox('New shell', <SquareTerminal size={SIZE} />, () => void openShell(box.id)));
    const launch = (): void => overlayOpened({ kind: 'launch', boxId: box.id });
    const launchQueue = (): void => overlayOpened({ kind: 'launch', boxId: box.id, isQueue: true });
    actions.push(
      onBox('Launch a run…', <Play size={SIZE} />, launch),
      onBox('Launch later: a queue…', <ListPlus size={SIZE} />, launchQueue, ['cells']),
    );
    const patrol = (): void => {
      tabChosen(box.id, 'runs');
      patrolRequested(box.id);
    };
    actions.push(onBox('Check now', <Radar size={SIZE} />, patrol));
    const sendSecret = (): void => overlayOpened({ kind: 'send-secret', boxId: box.id });
    actions.push(onBox('Send a secret…', <FileLock size={SIZE} />, sendSecret));
    const open = (): void => void tensorboardRequested(box.id);
    const findJupyter = (): void => {
      tabChosen(box.id, 'tunnels');
      void jupytersRequested(box.id);
    };
    const findHolders = (): void => overlayOpened({ kind: 'holders', boxId: box.id });
    actions.push(
      onBox('Open TensorBoard', <ChartLine size={SIZE} />, open),
      onBox('Find Jupyter', <NotebookText size={SIZE} />, findJupyter, ['notebook']),
      onBox('Find what holds VRAM…', <MemoryStick size={SIZE} />, findHolders, ['processes']),
    );
  }
  if (box.platform === DEMO_PLATFORM) {
    const off = (): void => settingsChanged({ demo: { isOn: false } });
    actions.push(onBox('Switch the demo box off', <Power size={SIZE} />, off));
  } else {
    const rename = (): void => overlayOpened({ kind: 'rename-box', boxId: box.id });
    actions.push(onBox('Rename box…', <Pencil size={SIZE} />, rename));
    const edit = (): void => overlayOpened({ kind: 'edit-connection', boxId: box.id });
    actions.push(onBox('Edit connection…', <Route size={SIZE} />, edit, ['key', 'address']));
    const forget = (): void => overlayOpened({ kind: 'forget-box', boxId: box.id });
    actions.push(onBox('Remove from Leasehold…', <Trash2 size={SIZE} />, forget, ['forget']));
    const tag = (): void => overlayOpened({ kind: 'tags', boxId: box.id });
    actions.push(onBox('Tags…', <Tags size={SIZE} />, tag));
    const install = (): void => overlayOpened({ kind: 'install-key', boxId: box.id });
    if (link.kind === 'up') {
      actions.push(onBox('Install a public key…', <KeyRound size={SIZE} />, install));
    }
  }
  return actions;
}
