import {
  ChartLine,
  ClipboardCopy,
  Eye,
  FileSpreadsheet,
  FolderPen,
  FolderPlus,
  HardDrive,
  House,
  Image,
  Keyboard,
  KeyRound,
  ListChecks,
  ListTree,
  Pause,
  Pencil,
  Play,
  Scale,
  Search,
  SquareTerminal,
  Upload,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { isKeyQuestion } from '../../shared/boxes/host-key.ts';
import { DEMO_PLATFORM } from '../../shared/demo/demo-platform.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import {
  folderChosen,
  hiddenShown,
  selectFilesView,
  useFilesView,
} from '../box/files/files-view.ts';
import { liveChosen, rangeChosen, useTimeWindows } from '../box/overview/time-window-store.ts';
import { ranges } from '../box/overview/time-window.ts';
import { runLeft } from '../box/runs/launch/launch-view.ts';
import {
  chooserShown,
  lettersChanged,
  openShell,
  sessionOpened,
  terminalAdded,
} from '../box/terminal/open-shell.ts';
import { selectShown, useTerminals } from '../box/terminal/terminals-store.ts';
import { tensorboardRequested, useServices } from '../box/tunnels/services.ts';
import { run } from '../state/actions.ts';
import { call } from '../state/bridge.ts';
import {
  costsChosen,
  overlayOpened,
  tabChosen,
  teardownChosen,
  type BoxTab,
  type PagePart,
} from '../state/view.ts';
import { actionsOf, type Offer, type PaletteAction } from './palette-action.tsx';

/** What the tabs of the shown box have above what they list. */
export function tabActions(entry: FleetEntry): readonly PaletteAction[] {
  const { box, link, telemetry } = entry;
  const isUp = link.kind === 'up';
  return actionsOf(box.name, (offer) => {
    if (telemetry.kind === 'live') offerCharts(box.id, offer);
    if (isUp) {
      offerTerminal(box.id, offer);
      offerFiles(box.id, offer);
      offerTensorboard(box.id, offer);
      const nameFolder = (): void => {
        runLeft(box.id);
        onTab(box.id, 'runs', 'name-folder')();
      };
      offer('Add a folder to bring home…', FolderPlus, nameFolder, ['results']);
      offerTeardown(box.id, offer);
      const measure = onTab(box.id, 'facts', 'measure-again');
      offer('Measure again', HardDrive, measure, ['disks', 'storage', 'mounts']);
    }
    // A host key in question stands in the place of all tabs.
    if (box.platform !== DEMO_PLATFORM && !isKeyQuestion(link)) {
      const rentedFrom = onTab(box.id, 'facts', 'rented-from');
      offer('Rented from…', Scale, rentedFrom, ['provider', 'platform']);
    }
    const inLedger = (part: PagePart) => (): void => {
      costsChosen(box.id);
      overlayOpened({ kind: 'on-page', part });
    };
    offer('Add a line…', FileSpreadsheet, inLedger('new-line'), ['ledger', 'cost']);
    offer('Add a transfer…', FileSpreadsheet, inLedger('new-transfer'), ['ledger', 'egress']);
  });
}

const onTab = (boxId: string, tab: BoxTab, part: PagePart) => (): void => {
  tabChosen(boxId, tab);
  overlayOpened({ kind: 'on-page', part });
};

function offerCharts(boxId: string, offer: Offer): void {
  const held = useTimeWindows.getState()[boxId]?.held ?? null;
  const ofCharts = ['charts'];
  const onCharts = (part: PagePart) => onTab(boxId, 'overview', part);
  const inWindow = (change: () => void) => (): void => {
    tabChosen(boxId, 'overview');
    change();
  };
  if (held === null) offer('Pause', Pause, onCharts('pause-charts'), ofCharts);
  else
    offer(
      'Back to live',
      Play,
      inWindow(() => liveChosen(boxId)),
      ofCharts,
    );
  for (const { value, label } of ranges) {
    offer(
      `Time range: ${label}`,
      ChartLine,
      inWindow(() => rangeChosen(boxId, value)),
      ofCharts,
    );
  }
  offer('Summary', ListTree, onCharts('chart-summary'), ofCharts);
  offer('Export: Copy values', ClipboardCopy, onCharts('copy-values'), ofCharts);
  offer('Export: CSV…', FileSpreadsheet, onCharts('charts-csv'), ofCharts);
  offer('Export: Picture (PNG)…', Image, onCharts('charts-picture'), ofCharts);
}

function offerTerminal(boxId: string, offer: Offer): void {
  offer('New terminal', SquareTerminal, () => void terminalAdded(boxId));
  offer('New tmux session', SquareTerminal, () => void sessionOpened(boxId));
  offer('New shell', SquareTerminal, () => void openShell(boxId));
  offer('Choose a session or a shell', SquareTerminal, () => chooserShown(boxId), [
    'attach',
    'tmux',
  ]);
  if (selectShown(boxId)(useTerminals.getState()) === null) return;
  const onTerminal = (part: PagePart) => onTab(boxId, 'terminal', part);
  offer('Find in this terminal', Search, onTerminal('find-in-terminal'), ['search']);
  offer('Larger letters', ZoomIn, () => void lettersChanged('larger'), ['font size', 'zoom']);
  offer('Smaller letters', ZoomOut, () => void lettersChanged('smaller'), ['font size', 'zoom']);
  offer('Keyboard shortcuts…', Keyboard, onTerminal('terminal-shortcuts'), ['keys', 'terminal']);
  offer('Rename…: this terminal', Pencil, onTerminal('rename-terminal'));
}

function offerFiles(boxId: string, offer: Offer): void {
  const onFiles = (part: PagePart) => onTab(boxId, 'files', part);
  offer('Upload: Files…', Upload, onFiles('upload-files'), ['send']);
  offer('Upload: A folder…', Upload, onFiles('upload-folder'), ['send']);
  offer('Go to a folder…', FolderPen, onFiles('go-to-folder'), ['path']);
  const inView = (change: () => void) => (): void => {
    tabChosen(boxId, 'files');
    change();
  };
  offer(
    'Places: Root',
    House,
    inView(() => folderChosen(boxId, '/')),
  );
  offer(
    'Home folder',
    House,
    inView(() => folderChosen(boxId, null)),
  );
  const { showsHidden } = selectFilesView(boxId)(useFilesView.getState());
  offer(
    'Hidden files',
    Eye,
    inView(() => hiddenShown(boxId, !showsHidden)),
    ['dot files'],
  );
}

function offerTensorboard(boxId: string, offer: Offer): void {
  offer('Open TensorBoard', ChartLine, () => void tensorboardRequested(boxId));
  offer('Open TensorBoard in the system browser', ChartLine, () => {
    void tensorboardRequested(boxId, 'browser');
  });
  const looked = useServices.getState().tensorboards[boxId];
  if (looked?.kind !== 'seen' || looked.value.serving !== null) return;
  // Its form asks for the folder.
  if (looked.value.finding.cause !== 'not-running') return;
  const start = onTab(boxId, 'tunnels', 'start-tensorboard');
  offer('Start it on the box', ChartLine, start, ['TensorBoard']);
}

/** What only looks. Approving, going ahead, giving up and deleting stay with their buttons. */
function offerTeardown(boxId: string, offer: Offer): void {
  offer(
    'Check the box',
    ListChecks,
    () => {
      teardownChosen(boxId, 'inventory');
      void run(call('teardown:inspect', { boxId }));
    },
    ['teardown'],
  );
  offer(
    'Read the copies again',
    ListChecks,
    () => {
      teardownChosen(boxId, 'proven');
      void run(call('teardown:read-copies', { boxId }));
    },
    ['teardown', 'proof', 'verify'],
  );
  offer(
    'Search for secrets',
    KeyRound,
    () => {
      teardownChosen(boxId, 'secrets');
      void run(call('teardown:look-for-secrets', { boxId }));
    },
    ['teardown', 'tokens'],
  );
}
