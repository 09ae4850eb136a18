import {
  BellPlus,
  BookOpen,
  Cable,
  Coins,
  Copy,
  FileDown,
  FileLock,
  FileText,
  FlaskConical,
  KeyRound,
  ListChecks,
  ListPlus,
  MemoryStick,
  NotebookText,
  PanelTop,
  Pencil,
  Play,
  Plug,
  Power,
  Radar,
  RotateCw,
  Route,
  Server,
  SquareTerminal,
  Tags,
  Trash2,
  Unplug,
} from 'lucide-react';
import { isKeyQuestion } from '../../shared/boxes/host-key.ts';
import type { LinkState } from '../../shared/boxes/box.ts';
import { isSignInFailed } from '../../shared/boxes/sign-in-failed.ts';
import { sshCommandOf } from '../../shared/boxes/ssh-command-of.ts';
import { DEMO_PLATFORM } from '../../shared/demo/demo-platform.ts';
import { demoFaultInfos } from '../../shared/demo/faults.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { judgeTimeToSave } from '../../shared/teardown/time-to-save.ts';
import { bothFingerprints } from '../box/host-key/both-fingerprints.ts';
import { jupytersRequested } from '../box/tunnels/services.ts';
import {
  connectRequested,
  disconnectRequested,
  faultSwitched,
  patrolRequested,
  settingsChanged,
} from '../state/actions.ts';
import { selectBehindOf, useBehind, useDemo } from '../state/feeds.ts';
import {
  costsChosen,
  overlayOpened,
  tabChosen,
  teardownChosen,
  type BoxTab,
} from '../state/view.ts';
import { copyText } from '../ui/copy-text.ts';
import { actionsOf, type Offer, type PaletteAction } from './palette-action.tsx';

/** The views of a box, and what they are looked for by. */
const TABS: readonly {
  readonly tab: BoxTab;
  readonly label: string;
  readonly keywords: readonly string[];
}[] = [
  { tab: 'overview', label: 'Overview', keywords: ['charts'] },
  { tab: 'runs', label: 'Runs', keywords: ['results'] },
  { tab: 'tunnels', label: 'Tunnels', keywords: ['jupyter', 'ports'] },
  { tab: 'files', label: 'Files', keywords: [] },
  { tab: 'alerts', label: 'Alerts', keywords: ['snooze', 'checks'] },
  { tab: 'teardown', label: 'Teardown', keywords: ['end', 'destroy', 'stop'] },
  { tab: 'facts', label: 'Facts', keywords: ['provider', 'platform', 'notes'] },
  { tab: 'terminal', label: 'Terminal', keywords: [] },
];

/** Those that need no more than their box. */
type DialogOfBox =
  | 'set-price'
  | 'new-watch'
  | 'add-tunnel'
  | 'flavour'
  | 'rename-box'
  | 'edit-connection'
  | 'forget-box'
  | 'tags'
  | 'install-key';

/** What the header of the shown box, its menus and its cards have. */
export function boxActions({ box, link }: FleetEntry): readonly PaletteAction[] {
  const boxId = box.id;
  const over = (kind: DialogOfBox) => (): void => overlayOpened({ kind, boxId });
  return actionsOf(box.name, (offer) => {
    offerLink(boxId, link, offer);
    const recovery = (isToCopy: boolean) => (): void =>
      overlayOpened({ kind: 'recovery', boxId, isToCopy });
    offer('Recovery handbook…', BookOpen, recovery(false));
    offer('Copy recovery handbook', BookOpen, recovery(true));
    offer('Set price…', Coins, over('set-price'), ['cost']);
    offer('Costs of this box', Coins, () => costsChosen(boxId), ['ledger', 'details']);
    offer('New watch…', BellPlus, over('new-watch'), ['tell me', 'wait']);
    offer('Add tunnel…', Cable, over('add-tunnel'), ['forward', 'port']);
    offer('SSH capabilities…', ListChecks, over('flavour'));
    offer('Copy ssh command', Copy, () => copyText(sshCommandOf(box)));
    // How much time is left changes its words there, and nothing of where it leads.
    if (judgeTimeToSave(selectBehindOf(boxId)(useBehind.getState()), Infinity).kind !== 'nothing') {
      const bring = (): void => teardownChosen(boxId, 'pulled');
      offer('Bring results home…', FileDown, bring, ['pull', 'download', 'back up']);
    }
    for (const { tab, label, keywords } of TABS) {
      const icon = tab === 'terminal' ? SquareTerminal : PanelTop;
      offer(label, icon, () => tabChosen(boxId, tab), keywords);
    }
    if (link.kind === 'up') offerConnected(boxId, offer);
    if (box.platform === DEMO_PLATFORM) {
      offerFaults(offer);
      const off = (): void => settingsChanged({ demo: { isOn: false } });
      offer('Switch the demo box off', Power, off);
      return;
    }
    offer('Rename…', Pencil, over('rename-box'), ['box', 'name']);
    offer('Edit connection…', Route, over('edit-connection'), ['key', 'address']);
    offer('Remove from Leasehold…', Trash2, over('forget-box'), ['forget']);
    offer('Tags…', Tags, over('tags'));
    if (link.kind === 'up') offer('Install a public key…', KeyRound, over('install-key'));
  });
}

function offerLink(boxId: string, link: LinkState, offer: Offer): void {
  const connect = (): void => connectRequested(boxId);
  const disconnect = (): void => disconnectRequested(boxId);
  if (link.kind === 'idle' || link.kind === 'down') offer('Connect', Plug, connect);
  if (link.kind === 'waiting') offer('Retry now', RotateCw, connect);
  if (link.kind === 'down' && isSignInFailed(link.problem)) {
    const edit = (): void => overlayOpened({ kind: 'edit-connection', boxId });
    offer('Choose another key…', KeyRound, edit, ['sign-in failed']);
  }
  // Nothing here accepts a key: that stays with the screen that shows it.
  if (isKeyQuestion(link)) {
    offer('Do not connect', Unplug, disconnect, ['host key']);
    if (link.kind === 'host-key-changed') {
      offer('Copy both fingerprints', Copy, () => copyText(bothFingerprints(link)), ['host key']);
      const replace = (): void => overlayOpened({ kind: 'new-machine', boxId });
      offer('This is a new machine…', Server, replace, ['host key']);
    }
    if (link.kind === 'host-key-revoked') {
      const { fingerprint } = link.offered;
      offer('Copy fingerprint', Copy, () => copyText(fingerprint), ['host key']);
      offer('Check again', RotateCw, connect, ['host key']);
    }
  } else if (link.kind !== 'idle' && link.kind !== 'down') {
    offer('Disconnect', Unplug, disconnect);
  }
}

function offerConnected(boxId: string, offer: Offer): void {
  const launch =
    (part: { readonly isQueue?: true; readonly isFromFile?: true } = {}) =>
    (): void =>
      overlayOpened({ kind: 'launch', boxId, ...part });
  offer('Launch…', Play, launch(), ['start', 'a run', 'train']);
  offer('Launch later: a queue…', ListPlus, launch({ isQueue: true }), ['cells']);
  const ofFile = ['leasehold.yaml', 'launch'];
  offer('Open a request file…', FileText, launch({ isFromFile: true }), ofFile);
  offer('Check now', Radar, () => {
    tabChosen(boxId, 'runs');
    patrolRequested(boxId);
  });
  offer('Send a secret…', FileLock, () => overlayOpened({ kind: 'send-secret', boxId }));
  const findJupyter = (): void => {
    tabChosen(boxId, 'tunnels');
    void jupytersRequested(boxId);
  };
  offer('Find Jupyter', NotebookText, findJupyter, ['notebook']);
  const findHolders = (): void => overlayOpened({ kind: 'holders', boxId });
  offer('Find what holds VRAM…', MemoryStick, findHolders, ['processes', 'holders']);
}

function offerFaults(offer: Offer): void {
  const demo = useDemo.getState();
  const active = demo.kind === 'live' ? demo.state.active : [];
  for (const { fault, label } of Object.values(demoFaultInfos)) {
    const isOn = active.includes(fault);
    const words = isOn ? `Switch off: ${label}` : label;
    offer(words, FlaskConical, () => faultSwitched(fault, !isOn), ['break something', 'faults']);
  }
}
