import {
  Archive,
  BookOpen,
  CalendarClock,
  ChartLine,
  Coins,
  FileLock,
  FileText,
  Grid3x3,
  Info,
  KeyRound,
  LayoutGrid,
  LogOut,
  Monitor,
  Moon,
  Pencil,
  Play,
  Plug,
  Plus,
  Radar,
  RotateCw,
  Scale,
  Settings as SettingsIcon,
  SquareTerminal,
  Sun,
  Tags,
  Unplug,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { openShell } from '../box/terminal/open-shell.ts';
import { tensorboardRequested } from '../box/tunnels/services.ts';
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
  costsChosen,
  factsChosen,
  fleetChosen,
  handbookChosen,
  overlayOpened,
  settingsChosen,
  sweepsChosen,
  tabChosen,
  timelineChosen,
} from '../state/view.ts';

export interface PaletteAction {
  readonly label: string;
  readonly icon: ReactNode;
  readonly hint?: string;
  readonly run: () => void;
}

const SIZE = 15;

/** What can be done now; actions on a box are about the one that is shown. */
export function paletteActions(shown: FleetEntry | undefined): readonly PaletteAction[] {
  return [
    ...(shown === undefined ? [] : boxActions(shown)),
    {
      label: 'Add box…',
      icon: <Plus size={SIZE} />,
      run: () => overlayOpened({ kind: 'add-box' }),
    },
    { label: 'Show fleet', icon: <LayoutGrid size={SIZE} />, run: fleetChosen },
    {
      label: 'Launch a sweep…',
      icon: <Grid3x3 size={SIZE} />,
      run: () => overlayOpened({ kind: 'launch-sweep' }),
    },
    { label: 'Sweeps', icon: <Grid3x3 size={SIZE} />, run: () => sweepsChosen() },
    { label: 'Archive', icon: <Archive size={SIZE} />, run: archiveChosen },
    { label: 'Costs', icon: <Coins size={SIZE} />, run: () => costsChosen(null) },
    { label: 'Handbook', icon: <BookOpen size={SIZE} />, run: () => handbookChosen() },
    { label: 'Facts about platforms', icon: <Scale size={SIZE} />, run: factsChosen },
    {
      label: 'If you do nothing: the next 14 days',
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

function boxActions({ box, link }: FleetEntry): readonly PaletteAction[] {
  const onBox = (label: string, icon: ReactNode, run: () => void): PaletteAction => ({
    label,
    icon,
    hint: box.name,
    run,
  });
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
  actions.push(onBox('Clocks…', <CalendarClock size={SIZE} />, showClocks));
  const recovery = (isToCopy: boolean) => (): void =>
    overlayOpened({ kind: 'recovery', boxId: box.id, isToCopy });
  actions.push(
    onBox('Recovery handbook…', <BookOpen size={SIZE} />, recovery(false)),
    onBox('Copy recovery handbook', <BookOpen size={SIZE} />, recovery(true)),
  );
  const showTerminal = (): void => tabChosen(box.id, 'terminal');
  actions.push(onBox('Terminal', <SquareTerminal size={SIZE} />, showTerminal));
  if (link.kind === 'up') {
    actions.push(onBox('New shell', <SquareTerminal size={SIZE} />, () => void openShell(box.id)));
    const launch = (): void => overlayOpened({ kind: 'launch', boxId: box.id });
    actions.push(onBox('Launch a run…', <Play size={SIZE} />, launch));
    const patrol = (): void => {
      tabChosen(box.id, 'runs');
      patrolRequested(box.id);
    };
    actions.push(onBox('Patrol now', <Radar size={SIZE} />, patrol));
    const sendSecret = (): void => overlayOpened({ kind: 'send-secret', boxId: box.id });
    actions.push(onBox('Send a secret…', <FileLock size={SIZE} />, sendSecret));
    const open = (): void => void tensorboardRequested(box.id);
    actions.push(onBox('Open TensorBoard', <ChartLine size={SIZE} />, open));
  }
  if (box.platform !== DEMO_PLATFORM) {
    const rename = (): void => overlayOpened({ kind: 'rename-box', boxId: box.id });
    actions.push(onBox('Rename box…', <Pencil size={SIZE} />, rename));
    const tag = (): void => overlayOpened({ kind: 'tags', boxId: box.id });
    actions.push(onBox('Tags…', <Tags size={SIZE} />, tag));
    const install = (): void => overlayOpened({ kind: 'install-key', boxId: box.id });
    if (link.kind === 'up') {
      actions.push(onBox('Install a public key…', <KeyRound size={SIZE} />, install));
    }
  }
  return actions;
}
