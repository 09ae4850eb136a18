import { z } from 'zod';
import { boxConnection, type Box } from '../boxes/box.ts';
import type { BoxIdentity } from '../boxes/host-key.ts';
import { MAX_EXPECTED_CHARS } from '../boxes/known-hosts/compare-expected.ts';
import { proxy } from '../boxes/route.ts';
import { tags } from '../boxes/tags.ts';
import type { ConfigListing, ImportOutcome } from '../boxes/ssh-config/config-listing.ts';
import type { ClockEntries } from '../clocks/clock.ts';
import { accountEntry, clockEntries, type AccountEntry } from '../clocks/clock-entries.ts';
import { demoFaults } from '../demo/faults.ts';
import type { EntryDraft, EntryExport, PreviewAnswer } from '../gotchas/entry-draft.ts';
import { draftInput, incidentInput } from '../gotchas/entry-input.ts';
import type { Gotchas } from '../gotchas/gotcha.ts';
import { GOTCHA_ID, MAX_ID_CHARS } from '../gotchas/ids.ts';
import type { InstalledKey, PublicKeyChoice, StoredSecret } from '../login/public-key.ts';
import { phases } from '../meter/interval.ts';
import type { Ledger } from '../meter/ledger.ts';
import type { JudgedBudget } from '../meter/budget.ts';
import type { LedgerExport } from '../meter/ledger-csv.ts';
import { budgetEntries, priceEntries, typedLine } from '../meter/price-entries.ts';
import { MAX_DAYS, type SpendDays } from '../meter/spend-days.ts';
import type { BoxMounts } from '../mounts/mount.ts';
import { MAX_NOTE_CHARS, type Note, type NoteAnswer } from '../notes/note.ts';
import type { Profiles } from '../profiles/loaded.ts';
import type { Problem } from '../problem.ts';
import { MAX_ANSWER_CHARS, MAX_PROMPTS } from '../questions/question.ts';
import type { RecoveryPage } from '../recovery/recovery-page.ts';
import type { PostOutcome } from '../push/post-outcome.ts';
import { pushWaiterId, pushWanted } from '../push/push-input.ts';
import type { PushPlan, PushView } from '../push/push-plan.ts';
import type { Result } from '../result.ts';
import { secretToSend } from '../secrets/secret-to-send.ts';
import type { SecretsOnBox } from '../secrets/secret-on-box.ts';
import type { SendSecretOutcome } from '../secrets/sent-secret.ts';
import type { Settings } from '../settings/settings.ts';
import { endProcessesInput } from '../telemetry/end-processes-input.ts';
import type { EndReport, HoldersLook } from '../telemetry/gpu-holders.ts';
import { historyExport, historyPicture, historyQuery } from '../telemetry/history-requests.ts';
import type { ExportOutcome, HistoryAnswer, PictureOutcome } from '../telemetry/history.ts';
import type { StreamBatch, StreamSnapshot } from '../streams/stream.ts';
import {
  terminalSize,
  terminalTarget,
  tmuxSessionKey,
  type OpenedTerminal,
  type TmuxListing,
} from '../terminal/terminal.ts';
import type { JupyterListing, OpenedService } from '../tunnels/jupyter.ts';
import { linkFolderInput, startTensorboardInput } from '../tunnels/tensorboard-input.ts';
import type { TensorboardReport } from '../tunnels/tensorboard.ts';
import { tunnelDraft, type Tunnel } from '../tunnels/tunnel.ts';
import { webhookKinds } from '../webhook/webhook-kinds.ts';
import { foundationInputs } from './foundation-inputs.ts';
import type { EventName } from './names.ts';

/** More would hold up everything else while they are written. */
export const MAX_IMPORT = 200;

/** What the About and Settings pages show of this installation. */
export interface AppInfo {
  readonly version: string;
  readonly electron: string;
  readonly chrome: string;
  readonly node: string;
  readonly platform: string;
  /** True when an old runtime from the registry stands in for the official one: development and tests only. */
  readonly isFallbackRuntime: boolean;
  readonly dataFolder: string;
  readonly logFile: string;
  /** Whether secrets outlive the session; `because` says why not. */
  readonly keyring:
    { readonly isKept: true } | { readonly isKept: false; readonly because: string };
}

/** The output of each channel that the window may call. */
export interface IpcOutputs {
  'app:info': AppInfo;
  'app:open-external': null;
  'app:open-box-link': null;
  'app:show-log': null;
  'app:print': null;
  'app:shown': null;
  'app:report-crash': null;
  'app:quit': null;
  'stream:open': StreamSnapshot<unknown>;
  'stream:close': null;
  'settings:change': Settings;
  'notice:dismiss': null;
  'box:add': Box;
  'box:edit': Box;
  'ssh-config:read': ConfigListing;
  'ssh-config:import': ImportOutcome;
  'ssh-config:apply': Box;
  'ssh-config:decline': Box;
  'box:rename': Box;
  'box:tag': Box;
  'box:set-platform': Box;
  'box:forget': null;
  'link:connect': null;
  'link:disconnect': null;
  'link:trust-host-key': null;
  'link:replace-host-key': null;
  'box:identity': BoxIdentity;
  'box:check-ssh': null;
  'history:query': HistoryAnswer;
  'history:export': ExportOutcome;
  'patrol:now': null;
  'patrol:dismiss': null;
  'push:look': PushView;
  'push:plan': PushPlan;
  'push:test': PostOutcome;
  'push:arm': PushView;
  'push:end': PushView;
  'gpu-holders:look': HoldersLook;
  'gpu-holders:end': EndReport;
  'history:picture': PictureOutcome;
  'box:mounts': BoxMounts;
  'profiles:list': Profiles;
  'gotchas:list': Gotchas;
  'recovery:read': RecoveryPage;
  'recovery:set-copy': RecoveryPage;
  'gotchas:draft': EntryDraft;
  'gotchas:preview': PreviewAnswer;
  /** The id under which it is kept. */
  'gotchas:keep': string;
  'gotchas:remove': null;
  'gotchas:export': EntryExport;
  'gotchas:open-folder': null;
  'note:read': Note;
  'note:keep': NoteAnswer;
  'profiles:open-folder': null;
  'meter:set-prices': null;
  'meter:set-phase': null;
  'meter:ledger': Ledger;
  'meter:add-line': null;
  'meter:take-out': null;
  'meter:correct': null;
  'meter:settle': null;
  'meter:add-transfer': null;
  'meter:days': SpendDays;
  'meter:export': LedgerExport;
  'meter:budgets': readonly JudgedBudget[];
  'meter:set-budgets': null;
  'clocks:entries': ClockEntries;
  'clocks:set-entries': null;
  'clocks:account': AccountEntry | null;
  'clocks:set-account': null;
  'clocks:snooze': null;
  'alerts:seen': null;
  'alerts:snooze': null;
  'alerts:dismiss': null;
  'webhook:set': null;
  'webhook:forget': null;
  'webhook:test': null;
  'demo:set-fault': null;
  'terminal:open': OpenedTerminal;
  'tmux:list': TmuxListing;
  'tmux:kill': null;
  'question:answer': null;
  'question:dismiss': null;
  'key:choices': readonly PublicKeyChoice[];
  'key:install': InstalledKey;
  'key:dismiss-offer': null;
  'secret:list': readonly StoredSecret[];
  'secret:send': SendSecretOutcome;
  'secret:stop-sending': null;
  'secret:on-box': SecretsOnBox;
  'secret:remove-from-box': SecretsOnBox;
  'secret:forget': null;
  'secret:keep-proxy-password': null;
  'secret:forget-all': null;
  'tunnel:add': Tunnel;
  'tunnel:change': Tunnel;
  'tunnel:remove': null;
  'tunnel:start': null;
  'tunnel:stop': null;
  'tunnel:check': null;
  'tunnel:open': OpenedService;
  'tensorboard:look': TensorboardReport;
  'tensorboard:open': null;
  'tensorboard:start': TensorboardReport;
  'tensorboard:stop': TensorboardReport;
  'tensorboard:link': TensorboardReport;
  'jupyter:list': readonly JupyterListing[];
  'jupyter:open': OpenedService;
}

const boxId = z.uuid();
const tunnelOfBox = z.strictObject({ boxId, tunnelId: z.uuid() });
const gotchaId = z.string().max(MAX_ID_CHARS).regex(GOTCHA_ID);
const digest = z.string().max(100);
/** An entry of the person's own as it was when they began to change it. */
const editing = z.strictObject({ id: gotchaId, digest });
const configHost = z.string().min(1).max(255);
const configDigest = z.string().min(1).max(100);
const boxName = z.string().trim().min(1).max(80);

/** Main parses every input with these. A channel missing from either table does not compile. */
export const ipcInputs = {
  ...foundationInputs,
  'app:info': z.strictObject({}),
  /** Asks with the system's own dialog, then prints what the window shows; null also when the person cancelled. */
  'app:print': z.strictObject({}),
  /** Opens the system browser; main refuses everything outside its allow-list. */
  'app:open-external': z.strictObject({ url: z.string().max(2000) }),
  /** An address that a box printed. Main shows it to the person in full and opens it only after their yes. */
  'app:open-box-link': z.strictObject({ url: z.string().max(2000) }),
  /** Remembers a box. Nothing is sent to it. */
  'box:add': z.strictObject({
    name: boxName,
    connection: boxConnection,
  }),
  /** Changes where and how a box is reached; a link that is up is made anew. */
  'box:edit': z.strictObject({ boxId, connection: boxConnection }),
  /** Reads the SSH config of this machine. Nothing in it is run, and no box is touched. */
  'ssh-config:read': z.strictObject({}),
  /** Remembers these entries as boxes, as far as they still say what the person saw. */
  'ssh-config:import': z.strictObject({
    hosts: z
      .array(z.strictObject({ host: configHost, digest: configDigest }))
      .min(1)
      .max(MAX_IMPORT),
  }),
  /** A box from the SSH config takes over what its entry says now. */
  'ssh-config:apply': z.strictObject({ boxId, digest: configDigest }),
  /** The box stays as it is, and this content is not offered again. */
  'ssh-config:decline': z.strictObject({ boxId, digest: configDigest }),
  'box:rename': z.strictObject({ boxId, name: boxName }),
  /** The person's own words for it, instead of those it had. */
  'box:tag': z.strictObject({ boxId, tags }),
  /** Says whose machine it is; main takes the id of a profile and nothing else. */
  'box:set-platform': z.strictObject({ boxId, platform: z.string().min(1).max(100) }),
  /** Forgets the box in Leasehold. The machine itself is not touched and goes on billing. */
  'box:forget': z.strictObject({ boxId }),
  'link:connect': z.strictObject({ boxId }),
  'link:disconnect': z.strictObject({ boxId }),
  /**
   * The person compared this very fingerprint. Main stores it only if it is the one in question, and `expected` (what
   * they pasted to compare, or nothing) does not contradict it.
   */
  'link:trust-host-key': z.strictObject({
    boxId,
    fingerprint: z.string().max(100),
    expected: z.string().max(MAX_EXPECTED_CHARS),
  }),
  /**
   * "This is a new machine": gives the box a new identity. Main compares `phrase`, asks the server again, and replaces
   * the key only when the server proves that it owns this one.
   */
  'link:replace-host-key': z.strictObject({
    boxId,
    fingerprint: z.string().max(100),
    phrase: z.string().max(MAX_EXPECTED_CHARS),
  }),
  /** Every host key the box was known by. */
  'box:identity': z.strictObject({ boxId }),
  /** Asks the box again what its SSH can do: one short command, one tunnel to nowhere, one hello to its file channel. */
  'box:check-ssh': z.strictObject({ boxId }),
  /** Opens a terminal; before the answer its port arrives in the page as a message of its own (decision 13). */
  'terminal:open': z.strictObject({
    terminalId: z.uuid(),
    boxId,
    target: terminalTarget,
    size: terminalSize,
  }),
  'tmux:list': z.strictObject({ boxId }),
  /** Ends the session and every program in it; main kills only the very one that was listed. */
  'tmux:kill': z.strictObject({ boxId, session: tmuxSessionKey }),
  /** At most `maxPoints` per series, with minimum and maximum kept. */
  'history:query': historyQuery,
  /** Asks where to, then writes every stored point of the range as CSV. */
  'history:export': historyExport,
  /** Read-only: looks at once at what runs on the box; answers when that is over. */
  'patrol:now': z.strictObject({ boxId }),
  /** The person is done with a run that is gone: it is not shown any more. */
  'patrol:dismiss': z.strictObject({ boxId, key: z.string().min(1).max(200) }),
  /** Read-only: which waiters are on the box, and what came of each. */
  'push:look': z.strictObject({ boxId }),
  /** Exactly what arming would put on the box. Changes nothing there; an address that was typed stays in main. */
  'push:plan': pushWanted.extend({ boxId }),
  /** Posts one message from the box at once. */
  'push:test': z.strictObject({ boxId, planId: z.uuid() }),
  /** Arms what the plan has shown, and nothing else; answers after the waiter was read back. */
  'push:arm': z.strictObject({ boxId, planId: z.uuid() }),
  /** Ends exactly this waiter and removes what it left on the box; read back after it. */
  'push:end': z.strictObject({ boxId, id: pushWaiterId }),
  /** Read-only: which processes have a GPU's device node open, and what each of them is. */
  'gpu-holders:look': z.strictObject({ boxId }),
  /**
   * Ends processes that the person named one by one, of those that the last look listed. Each is compared again on the box
   * right before the signal, and read back after it.
   */
  'gpu-holders:end': endProcessesInput.extend({ boxId }),
  /** Asks where to, then writes the charts as the window painted them. */
  'history:picture': historyPicture,
  /** Read-only: what is mounted on the box, how full it is, and where the folders of its platform's tiers lie. */
  'box:mounts': z.strictObject({ boxId }),
  /** The facts of every platform, and the files that cannot be used. */
  'profiles:list': z.strictObject({}),
  /** The catalog, with the person's own entries; read anew each time. */
  'gotchas:list': z.strictObject({}),
  /** The recovery handbook of a box, from what is known at this moment; the box is not asked. */
  'recovery:read': z.strictObject({ boxId }),
  /** The person agrees that a copy is kept on the box, or takes that back, which removes it. */
  'recovery:set-copy': z.strictObject({ boxId, isWanted: z.boolean() }),
  /** An entry from what was seen, without secrets, for the person to complete. Nothing is written. */
  'gotchas:draft': incidentInput,
  /** What keeping it would write, or what it lacks. Nothing is written. */
  'gotchas:preview': z.strictObject({ draft: draftInput, editing: editing.nullable() }),
  /** Writes the very text that was previewed, which `approved` names, into the person's own folder; any other is refused. */
  'gotchas:keep': z.strictObject({
    draft: draftInput,
    editing: editing.nullable(),
    approved: digest,
  }),
  /** Removes an entry that Leasehold wrote, if its file still is what the person saw. */
  'gotchas:remove': editing,
  /** An entry as Markdown and as YAML, without secrets. */
  'gotchas:export': z.strictObject({ id: gotchaId }),
  /** Shows the folder for the person's own entries in the system's file manager; makes it where there is none. */
  'gotchas:open-folder': z.strictObject({}),
  /** What the person wrote about a box, or (null) about their project. */
  'note:read': z.strictObject({ boxId: boxId.nullable() }),
  /** Keeps the note, or says which of its lines look like a secret and keeps nothing. */
  'note:keep': z.strictObject({
    boxId: boxId.nullable(),
    text: z.string().max(MAX_NOTE_CHARS * 4),
  }),
  /** Shows the folder for the person's own profiles in the system's file manager; makes it where there is none. */
  'profiles:open-folder': z.strictObject({}),
  /** What was before stays as it was priced then. */
  'meter:set-prices': z.strictObject({
    boxId,
    prices: priceEntries,
    /** Since when they have held already; null: from now on. */
    fromMs: z.int().min(0).nullable(),
  }),
  /** The person did it at the platform, or saw it there. Nothing is done to the box. */
  'meter:set-phase': z.strictObject({ boxId, phase: z.enum(phases) }),
  /** Every line that was ever written, also those that count no more. */
  'meter:ledger': z.strictObject({ boxId }),
  /** A line of the person's own, for time that nobody saw. */
  'meter:add-line': typedLine.extend({ boxId }),
  /** Takes a line out of all sums; it stays, with the reason. */
  'meter:take-out': z.strictObject({
    boxId,
    no: z.int().min(1),
    reason: z.string().trim().min(1).max(500),
  }),
  /** Takes a line out and puts in its place what the person says was true. */
  'meter:correct': typedLine.extend({
    boxId,
    no: z.int().min(1),
    reason: z.string().trim().min(1).max(500),
  }),
  /** How the box was in a time that nobody saw. */
  'meter:settle': z.strictObject({ boxId, no: z.int().min(1), as: z.enum(phases) }),
  /** Bytes out of the datacenter, which the person read somewhere. */
  'meter:add-transfer': z.strictObject({
    boxId,
    atMs: z.int().min(0),
    what: z.string().trim().min(1).max(200),
    bytes: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  }),
  /** What each of the last days cost, of one box or of all that there ever were. */
  'meter:days': z.strictObject({ boxId: boxId.nullable(), days: z.int().min(1).max(MAX_DAYS) }),
  /** Asks where to, then writes every line of the ledger as CSV, of one box or of all. */
  'meter:export': z.strictObject({ boxId: boxId.nullable() }),
  /** Each with whether it is kept. */
  'meter:budgets': z.strictObject({}),
  'meter:set-budgets': z.strictObject({ budgets: budgetEntries }),
  'clocks:entries': z.strictObject({ boxId }),
  'clocks:set-entries': z.strictObject({ boxId, entries: clockEntries }),
  'clocks:account': z.strictObject({ platform: z.string().min(1).max(100) }),
  /** What the platform's page says of the account; null takes it back. */
  'clocks:set-account': z.strictObject({
    platform: z.string().min(1).max(100),
    account: accountEntry.nullable(),
  }),
  /** Tells nothing of this clock before that moment, which must come before the clock runs out; null takes it back. */
  'clocks:snooze': z.strictObject({
    boxId,
    clockId: z.string().min(1).max(200),
    untilMs: z.int().min(0).nullable(),
  }),
  /** The person looks at what is found on this box. */
  'alerts:seen': z.strictObject({ boxId }),
  /** Tells nothing of this alert before that moment, unless it gets worse; null takes it back. */
  'alerts:snooze': z.strictObject({
    boxId,
    alertId: z.uuid(),
    untilMs: z.int().min(0).nullable(),
  }),
  /** The person says that it is over. Main refuses while a check still sees it. */
  'alerts:dismiss': z.strictObject({ boxId, alertId: z.uuid() }),
  /** Alarms are posted there from now on. Address and token are secrets: they go into the secrets, and never back to the window. */
  'webhook:set': z.strictObject({
    kind: z.enum(webhookKinds),
    url: z.string().min(1).max(2000),
    /** Of the header Authorization; empty: none, and one that was kept is forgotten. */
    token: z.string().max(4000),
    isPlainAllowed: z.boolean(),
  }),
  /** Forgets the address, and gives up what was not delivered yet. */
  'webhook:forget': z.strictObject({}),
  'webhook:test': z.strictObject({}),
  'demo:set-fault': z.strictObject({ fault: z.enum(demoFaults), isOn: z.boolean() }),
  /** What the person typed, one value for each prompt. Secret: goes to whoever asked, and nowhere else. */
  'question:answer': z.strictObject({
    id: z.uuid(),
    values: z.array(z.string().max(MAX_ANSWER_CHARS)).min(1).max(MAX_PROMPTS),
    isToBeKept: z.boolean(),
  }),
  'question:dismiss': z.strictObject({ id: z.uuid() }),
  /** The public keys in ~/.ssh. */
  'key:choices': z.strictObject({}),
  /** Adds a public key on the box and logs in with it. `publicKeyFile` is one of the choices; null: Leasehold's own. */
  'key:install': z.strictObject({ boxId, publicKeyFile: z.string().min(1).max(1000).nullable() }),
  /** No key is offered for this box again. */
  'key:dismiss-offer': z.strictObject({ boxId }),
  /** What is kept, never what it is. */
  'secret:list': z.strictObject({}),
  /**
   * Writes a secret into a file on the box, over stdin. Where a file is in its place, or the place is shared with other
   * machines, the answer asks first and nothing was changed.
   */
  'secret:send': secretToSend.extend({ boxId }),
  'secret:stop-sending': z.strictObject({ boxId }),
  /** What was sent to the box, and how each file is there now. Read-only, and reads none of the files. */
  'secret:on-box': z.strictObject({ boxId }),
  /** Removes a file that a secret was sent into; main knows which ones those are. */
  'secret:remove-from-box': z.strictObject({ boxId, path: z.string().max(500) }),
  'secret:forget': z.strictObject({ name: z.string().max(100) }),
  /** For every box that goes through this proxy under this user name. */
  'secret:keep-proxy-password': z.strictObject({ proxy, password: z.string().min(1).max(255) }),
  'secret:forget-all': z.strictObject({}),
  /** Keeps a tunnel and opens it as soon as the box is connected. */
  'tunnel:add': z.strictObject({ boxId, draft: tunnelDraft }),
  /** Cuts its connections and opens it anew with these values. */
  'tunnel:change': tunnelOfBox.extend({ draft: tunnelDraft }),
  'tunnel:remove': tunnelOfBox,
  'tunnel:start': tunnelOfBox,
  /** Frees its port at once; it stays stopped until it is started again. */
  'tunnel:stop': tunnelOfBox,
  /** Sends one small request through it now; the answer appears in its row. */
  'tunnel:check': tunnelOfBox,
  /**
   * Opens our own end of it, http://127.0.0.1 and its port, in a window of its own that knows nothing of Leasehold or in the
   * system browser; a Jupyter as `jupyter:open` does.
   */
  'tunnel:open': tunnelOfBox.extend({ where: z.enum(['window', 'browser']) }),
  /** Read-only: what of TensorBoard runs on the box, what it shows, and why it may show nothing. */
  'tensorboard:look': z.strictObject({ boxId }),
  /** Makes a tunnel to the TensorBoard that answers and opens it there. */
  'tensorboard:open': z.strictObject({ boxId, where: z.enum(['window', 'browser']) }),
  /** Starts one on the box that outlives the link. Only on a person's click. */
  'tensorboard:start': startTensorboardInput.extend({ boxId }),
  /** Ends one that Leasehold started; the box refuses for every other process. */
  'tensorboard:stop': z.strictObject({ boxId, pid: z.int().min(1) }),
  /** Makes one symlink inside its log folder; replaces and removes nothing. */
  'tensorboard:link': linkFolderInput.extend({ boxId }),
  /** The Jupyter servers of the box, without their tokens. */
  'jupyter:list': z.strictObject({ boxId }),
  /**
   * Opens one in a window of its own, logged in, or in the system browser with its token in the clipboard. Main fetches the
   * token and tells the window nothing of it.
   */
  'jupyter:open': z.strictObject({
    boxId,
    port: z.int().min(1).max(65535),
    where: z.enum(['window', 'browser']),
  }),
} satisfies Record<keyof IpcOutputs, z.ZodType>;

export type Channel = keyof IpcOutputs;
export type ChannelInput<C extends Channel> = z.output<(typeof ipcInputs)[C]>;

export const channels = Object.keys(ipcInputs) as readonly Channel[];

/** What the menu, the tray and notifications ask of the window. */
export type WindowCommand =
  | { readonly kind: 'open-palette' }
  | { readonly kind: 'add-box' }
  | { readonly kind: 'open-settings' }
  | { readonly kind: 'open-about' }
  | { readonly kind: 'open-handbook' }
  | { readonly kind: 'show-box'; readonly boxId: string }
  | { readonly kind: 'show-alerts'; readonly boxId: string }
  | { readonly kind: 'show-fleet' }
  | { readonly kind: 'show-costs' };

/** What main sends by itself. */
export interface IpcEvents extends Record<EventName, unknown> {
  'stream:batch': StreamBatch<unknown>;
  command: WindowCommand;
}

export type Call = <C extends Channel>(
  channel: C,
  input: z.input<(typeof ipcInputs)[C]>,
) => Promise<Result<IpcOutputs[C], Problem>>;

/** Returns how to stop listening. */
export type On = <E extends EventName>(
  event: E,
  listener: (payload: IpcEvents[E]) => void,
) => () => void;

/** All that preload gives to the window, as `window.leasehold`. */
export interface LeaseholdBridge {
  readonly call: Call;
  readonly on: On;
}
