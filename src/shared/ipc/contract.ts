import { z } from 'zod';
import type { Box } from '../boxes/box.ts';
import type { BoxIdentity } from '../boxes/host-key.ts';
import type { ConfigListing, ImportOutcome } from '../boxes/ssh-config/config-listing.ts';
import type { ClockEntries } from '../clocks/clock.ts';
import type { AccountEntry } from '../clocks/clock-entries.ts';
import type { EntryDraft, EntryExport, PreviewAnswer } from '../gotchas/entry-draft.ts';
import type { Gotchas } from '../gotchas/gotcha.ts';
import type { InstalledKey, PublicKeyChoice, StoredSecret } from '../login/public-key.ts';
import type { Ledger } from '../meter/ledger.ts';
import type { FollowedBudget } from '../meter/budget-course.ts';
import type { LedgerExport } from '../meter/ledger-csv.ts';
import type { SpendDays } from '../meter/spend-days.ts';
import type { BoxMounts } from '../mounts/mount.ts';
import type { Note, NoteAnswer } from '../notes/note.ts';
import type { Profiles } from '../profiles/loaded.ts';
import type { Problem } from '../problem.ts';
import type { RecoveryPage } from '../recovery/recovery-page.ts';
import type { PostOutcome } from '../push/post-outcome.ts';
import type { CellFigures } from '../runs/sweep/cell-figures.ts';
import type { SweepLaunched, SweepPlan } from '../runs/sweep/sweep-plan.ts';
import type { PushPlan, PushView } from '../push/push-plan.ts';
import type { Result } from '../result.ts';
import type { LaunchPlan } from '../runs/launch/launch-plan.ts';
import type { Interruptions } from '../runs/checkpoints/interruptions.ts';
import type { LaunchedRuns, ResultList } from '../runs/launch/launched-run.ts';
import type { LogFinds, LogPart } from '../runs/launch/log-part.ts';
import type { Rehearsed } from '../runs/request/rehearsal.ts';
import type { OpenedRequest, SavedRequest } from '../runs/request/opened-request.ts';
import type { SecretsOnBox } from '../secrets/secret-on-box.ts';
import type { SendSecretOutcome } from '../secrets/sent-secret.ts';
import type { Settings } from '../settings/settings.ts';
import type { ProviderAccount } from '../teardown/provider-account.ts';
import type { EndReport, ListedHolders } from '../telemetry/gpu-holders.ts';
import type { ExportOutcome, HistoryAnswer, PictureOutcome } from '../telemetry/history.ts';
import type { StreamBatch, StreamSnapshot } from '../streams/stream.ts';
import type { OpenedTerminal, TmuxListing } from '../terminal/terminal.ts';
import type { JupyterListing, OpenedService } from '../tunnels/jupyter.ts';
import type { TensorboardReport } from '../tunnels/tensorboard.ts';
import type { ListeningPorts } from '../tunnels/listening.ts';
import type { Tunnel } from '../tunnels/tunnel.ts';
import { boxInputs } from './box-inputs.ts';
import type { FolderNames, FolderPart, LinkEnd } from '../files/box-file.ts';
import type { DeletePlan, DeleteReport } from '../files/delete-plan.ts';
import type { TransferReport } from '../files/file-transfer.ts';
import type { EvidenceCheck } from '../evidence/chain.ts';
import type { FileNumbers, KeptReread, RereadNow } from '../evidence/reread.ts';
import { evidenceInputs } from './evidence-inputs.ts';
import type { FilePreview } from '../files/preview.ts';
import { fileInputs } from './file-inputs.ts';
import { foundationInputs } from './foundation-inputs.ts';
import { handbookInputs } from './handbook-inputs.ts';
import { loginInputs } from './login-inputs.ts';
import { moneyInputs } from './money-inputs.ts';
import { serviceInputs } from './service-inputs.ts';
import { watchInputs } from './watch-inputs.ts';
import type { EventName } from './names.ts';
import { pushInputs } from './push-inputs.ts';
import { runInputs } from './run-inputs.ts';
import { sentinelInputs } from './sentinel-inputs.ts';
import type { Block } from '../recovery/page.ts';
import type { SecretsPlan } from '../teardown/secrets-found.ts';
import type { ArchivedBox } from '../teardown/archived-box.ts';
import { teardownInputs } from './teardown-inputs.ts';
import type { ContinuousPlan } from '../transfer/continuous/continuous-pull.ts';
import type { NamedFolder } from '../transfer/result-root.ts';
import type { WeighedFolder } from '../transfer/weighed-folder.ts';
import type { PullPlan, RunProof } from '../transfer/pull.ts';
import type { PythonAnswer } from '../verify/python-answer.ts';

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
    | { readonly isKept: true }
    | { readonly isKept: false; readonly because: string };
}

/** The output of each channel that the window may call. */
export interface IpcOutputs {
  'app:info': AppInfo;
  'app:open-external': null;
  'app:open-box-link': null;
  'app:show-log': null;
  'app:print': null;
  'app:save-pdf': PictureOutcome;
  'app:shown': null;
  'app:report-crash': null;
  'app:quit': null;
  'stream:open': StreamSnapshot<unknown>;
  'stream:close': null;
  'settings:change': Settings;
  'remembered:change': null;
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
  'runs:look': LaunchedRuns;
  'runs:open-request': OpenedRequest;
  'runs:save-request': SavedRequest;
  /** Null: cancelled. */
  'runs:choose-folder': string | null;
  'runs:stop-push': null;
  'runs:rehearse': Rehearsed;
  'runs:stop-rehearsal': null;
  'runs:plan': LaunchPlan;
  'runs:plan-resume': LaunchPlan;
  'runs:decline-resume': LaunchedRuns;
  'runs:machine-gone': LaunchedRuns;
  'runs:wish-queue': LaunchedRuns;
  'runs:add-cells': LaunchedRuns;
  'runs:launch': LaunchedRuns;
  'runs:end': LaunchedRuns;
  'runs:results': ResultList;
  'runs:name-folder': NamedFolder;
  'runs:unname-folder': null;
  'runs:weigh-folders': readonly WeighedFolder[];
  'runs:interruptions': Interruptions;
  /** Null: cancelled. */
  'runs:plan-pull': PullPlan | null;
  'runs:pull': RunProof;
  'runs:stop-pull': null;
  'runs:pause-pull': null;
  'runs:resume-pull': RunProof;
  'runs:try-pull-now': null;
  'runs:plan-continuous': ContinuousPlan | null;
  'runs:start-continuous': null;
  'runs:stop-continuous': null;
  'runs:round-now': null;
  /** Null: they never were. */
  'runs:proof': RunProof | null;
  'runs:plan-sweep': SweepPlan;
  'runs:plan-again': SweepPlan;
  'runs:launch-sweep': SweepLaunched;
  'runs:reconcile': null;
  'runs:cell-figures': Readonly<Record<number, CellFigures>>;
  'runs:read-log': LogPart;
  'runs:find-in-log': LogFinds;
  'runs:stop-finding': null;
  'runs:choose-metrics': null;
  'runs:save-picture': PictureOutcome;
  'runs:save-values': PictureOutcome;
  'teardown:archive': readonly ArchivedBox[];
  'teardown:inspect': null;
  'teardown:read-copies': null;
  'teardown:stop': null;
  'teardown:accept': null;
  'teardown:look-for-secrets': null;
  'teardown:plan-secrets': SecretsPlan;
  'teardown:remove-secrets': null;
  'teardown:leave-secrets': null;
  'teardown:approve': null;
  'teardown:withdraw': null;
  'teardown:begin': null;
  'teardown:confirm': null;
  'teardown:begin-again': null;
  'teardown:call-off': null;
  'teardown:account': ProviderAccount | null;
  'evidence:check': EvidenceCheck;
  'evidence:export': PictureOutcome;
  'evidence:receipt': PictureOutcome;
  'evidence:receipt-page': readonly Block[] | null;
  'evidence:numbers': FileNumbers;
  'evidence:reread': KeptReread;
  'evidence:accept': RunProof;
  'evidence:reported': RereadNow | null;
  'evidence:python': string | null;
  'evidence:choose-python': string | null;
  'evidence:ask-python': PythonAnswer;
  'evidence:stop-python': null;
  'files:list': FolderPart;
  'files:more': FolderPart;
  'files:stop-listing': null;
  'files:folders': FolderNames;
  'files:find': FolderPart;
  'files:find-more': FolderPart;
  'files:stop-finding': null;
  'files:follow': readonly LinkEnd[];
  'files:preview': FilePreview;
  'files:make-folder': null;
  'files:rename': null;
  'files:plan-delete': DeletePlan;
  'files:delete': DeleteReport;
  /** Null: cancelled. */
  'files:download': TransferReport | null;
  'files:fetch-for-drag': TransferReport;
  'files:drag': null;
  'files:upload': TransferReport | null;
  'files:stop-transfer': null;
  'push:look': PushView;
  'push:plan': PushPlan;
  'push:test': PostOutcome;
  'push:arm': PushView;
  'push:end': PushView;
  'sentinels:arm': null;
  'sentinels:remove': null;
  'gpu-holders:look': ListedHolders;
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
  'meter:budgets': readonly FollowedBudget[];
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
  'tunnel:listening': ListeningPorts;
  'tensorboard:look': TensorboardReport;
  'tensorboard:open': null;
  'tensorboard:start': TensorboardReport;
  'tensorboard:stop': TensorboardReport;
  'tensorboard:link': TensorboardReport;
  'jupyter:list': readonly JupyterListing[];
  'jupyter:open': OpenedService;
}

/** Main parses every input with these. A channel missing from either table does not compile. */
export const ipcInputs = {
  ...foundationInputs,
  ...boxInputs,
  ...watchInputs,
  ...handbookInputs,
  ...moneyInputs,
  ...loginInputs,
  ...serviceInputs,
  ...sentinelInputs,
  ...teardownInputs,
  ...pushInputs,
  ...runInputs,
  ...evidenceInputs,
  ...fileInputs,
  'app:info': z.strictObject({}),
  /** Asks with the system's own dialog, then prints what the window shows; null also when the person cancelled. */
  'app:print': z.strictObject({}),
  /** Asks where to, then writes the page there as it would be printed. */
  'app:save-pdf': z.strictObject({ name: z.string().regex(/^[a-z0-9-]{1,60}$/) }),
  /** Opens the system browser; main refuses everything outside its allow-list. */
  'app:open-external': z.strictObject({ url: z.string().max(2000) }),
  /** An address that a box printed. Main shows it to the person in full and opens it only after their yes. */
  'app:open-box-link': z.strictObject({ url: z.string().max(2000) }),
  /** The facts of every platform, and the files that cannot be used. */
  'profiles:list': z.strictObject({}),
  /** Shows the folder for the person's own profiles in the system's file manager; makes it where there is none. */
  'profiles:open-folder': z.strictObject({}),
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
  | { readonly kind: 'show-runs'; readonly boxId: string }
  /** Where its results come home, on the way to its end. */
  | { readonly kind: 'show-pull'; readonly boxId: string }
  /** The step of its end that is next. */
  | { readonly kind: 'show-teardown'; readonly boxId: string }
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
