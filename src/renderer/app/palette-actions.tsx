import {
  Archive,
  ArrowLeft,
  BookOpen,
  CalendarClock,
  Coins,
  Download,
  FileText,
  FolderOpen,
  Grid3x3,
  Info,
  KeyRound,
  LayoutGrid,
  ListChecks,
  LogOut,
  Monitor,
  Moon,
  Plus,
  Power,
  Printer,
  Save,
  Scale,
  Settings as SettingsIcon,
  Sun,
} from 'lucide-react';
import { isInSums } from '../../shared/demo/demo-platform.ts';
import { spentAt } from '../../shared/meter/live.ts';
import { questionTitle } from '../../shared/questions/question.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { emptyEntryBegun } from '../handbook/writing.ts';
import { SETTING_PARTS, type SettingsPart } from '../settings/setting-parts.ts';
import {
  logRequested,
  printRequested,
  profileFolderRequested,
  quitRequested,
  run,
  settingsChanged,
} from '../state/actions.ts';
import { call } from '../state/bridge.ts';
import {
  selectAllEntries,
  selectMeters,
  selectQuestions,
  useFleet,
  useMeter,
  useQuestions,
  useSettings,
} from '../state/feeds.ts';
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
  timelineChosen,
  useView,
  type PagePart,
} from '../state/view.ts';
import { actionsOf, type Offer, type PaletteAction } from './palette-action.tsx';
import { alertActions } from './palette-alerts.tsx';
import { boxActions } from './palette-box-actions.tsx';
import { clockActions } from './palette-clocks.tsx';
import { NO_RUNS, runActions, type KnownRuns } from './palette-run-actions.tsx';
import { tabActions } from './palette-tab-actions.tsx';

/** What can be done now; actions on a box are about the one that is shown. */
export function paletteActions(
  shown: FleetEntry | undefined,
  nowMs: number,
  runs: KnownRuns = NO_RUNS,
): readonly PaletteAction[] {
  const ofBox =
    shown === undefined
      ? []
      : [
          ...boxActions(shown),
          ...tabActions(shown),
          ...runActions(shown, runs),
          ...alertActions(shown.box, nowMs),
          ...clockActions(shown.box, nowMs),
        ];
  return [
    ...ofBox,
    ...actionsOf(null, (offer) => {
      offerPlaces(offer);
      offerPage(offer);
      offerMoney(offer, nowMs);
      offerSettings(offer);
    }),
  ];
}

function offerPlaces(offer: Offer): void {
  offer('Add box…', Plus, () => overlayOpened({ kind: 'add-box' }));
  const importBoxes = (): void => overlayOpened({ kind: 'add-box', way: 'import' });
  offer('Import boxes from SSH config…', Plus, importBoxes);
  const [question] = selectQuestions(useQuestions.getState());
  if (question !== undefined) {
    const answer = (): void => overlayOpened({ kind: 'question', questionId: question.id });
    offer('Answer…', KeyRound, answer, [questionTitle(question)]);
  }
  if (selectCanGoBack(useView.getState())) {
    offer('Back', ArrowLeft, backChosen, ['previous page']);
  }
  offer('Show fleet', LayoutGrid, fleetChosen);
  const launchSweep = (): void => overlayOpened({ kind: 'launch-sweep' });
  offer('Launch a sweep…', Grid3x3, launchSweep);
  offer('Sweeps', Grid3x3, () => sweepsChosen());
  offer('Archive', Archive, archiveChosen);
  offer('Costs', Coins, () => costsChosen(null), ['spend']);
  offer('Handbook', BookOpen, () => handbookChosen());
  offer('New entry', BookOpen, () => void emptyEntryBegun(), ['handbook']);
  offer('Facts about platforms', Scale, factsChosen, ['compare platforms']);
  const ofProfiles = ['profiles', 'facts'];
  offer('Open the folder with your own profiles', FolderOpen, profileFolderRequested, ofProfiles);
  offer('Timeline: the next 14 days', CalendarClock, timelineChosen);
}

/** What the page that is shown has in its head. */
function offerPage(offer: Offer): void {
  const { page } = useView.getState();
  if (page.kind === 'handbook' && page.entry !== null) offer('Print', Printer, printRequested);
  if (page.kind === 'teardowns') {
    const check = (): void => overlayOpened({ kind: 'on-page', part: 'check-all' });
    offer('Check all boxes', ListChecks, check, ['teardown']);
  }
  if (page.kind === 'receipt') {
    const { seq } = page;
    const save = (format: { readonly format?: 'json' }) => (): void => {
      void run(call('evidence:receipt', { seq, ...format }));
    };
    offer('Save receipt…', Save, save({}));
    offer('Save as JSON…', Save, save({ format: 'json' }), ['receipt']);
    const savePdf = (): void => {
      void run(call('app:save-pdf', { name: `receipt-${String(seq)}` }));
    };
    offer('Save as PDF…', Save, savePdf, ['receipt']);
    offer('Print…', Printer, printRequested, ['receipt']);
  }
}

function offerMoney(offer: Offer, nowMs: number): void {
  const { page } = useView.getState();
  const onCosts = (part: PagePart, boxId: string | null) => (): void => {
    costsChosen(boxId);
    overlayOpened({ kind: 'on-page', part });
  };
  offer('Add budget…', Coins, newBudgetChosen, ['new budget']);
  const csv = onCosts('costs-csv', page.kind === 'costs' ? page.boxId : null);
  offer('Export CSV…', Download, csv, ['costs', 'ledger']);
  // With one currency there is nothing that a rate would add up.
  if (countCurrencies(nowMs) < 2) return;
  const settings = useSettings.getState();
  const hasRates = settings.kind === 'live' && settings.state.costs.sumIn !== null;
  const rates = onCosts('rates', null);
  offer(hasRates ? 'Change rates…' : 'Enter rates…', Coins, rates, ['currency', 'costs']);
}

function countCurrencies(nowMs: number): number {
  const meters = selectMeters(useMeter.getState());
  const spent = selectAllEntries(useFleet.getState()).flatMap(({ box }) => {
    const meter = isInSums(box) ? meters[box.id] : undefined;
    return meter === undefined ? [] : spentAt(meter, 'total', nowMs).known;
  });
  return new Set(spent.map(({ currency }) => currency)).size;
}

const PART_KEYWORDS: Partial<Readonly<Record<SettingsPart, readonly string[]>>> = {
  reminders: ['alarms', 'danger clocks'],
  webhook: ['set a webhook', 'alarms'],
  secrets: ['forget all stored secrets'],
  patrols: ['checks', 'patrols'],
  'pull-limit': ['rules', 'bandwidth'],
  demo: ['simulated GPU'],
};

function offerSettings(offer: Offer): void {
  const settings = useSettings.getState();
  if (settings.kind === 'live' && !settings.state.demo.isOn) {
    offer('Switch the demo box on', Power, () => settingsChanged({ demo: { isOn: true } }));
  }
  offer('Settings', SettingsIcon, () => settingsChosen('settings'));
  const theme = (choice: 'system' | 'dark' | 'light') => () => settingsChanged({ theme: choice });
  offer('Theme: follow the system', Monitor, theme('system'));
  offer('Theme: dark', Moon, theme('dark'));
  offer('Theme: light', Sun, theme('light'));
  for (const part of Object.keys(SETTING_PARTS) as SettingsPart[]) {
    if (part === 'about') continue;
    const lead = (): void => settingsChosen(part);
    offer(`Settings: ${SETTING_PARTS[part]}`, SettingsIcon, lead, PART_KEYWORDS[part]);
  }
  offer('Show log', FileText, logRequested);
  offer('About Leasehold', Info, () => settingsChosen('about'));
  offer('Quit Leasehold', LogOut, quitRequested);
}
