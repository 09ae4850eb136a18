import { z } from 'zod';
import { boxConnection, type Box } from '../boxes/box.ts';
import { proxy } from '../boxes/route.ts';
import type {
  ConfigListing,
  ConfigState,
  ImportOutcome,
} from '../boxes/ssh-config/config-listing.ts';
import { demoFaults, type DemoState } from '../demo/faults.ts';
import type { Problem } from '../problem.ts';
import type { Result } from '../result.ts';
import { settingsPatchSchema, type Settings } from '../settings/settings.ts';
import type { Notice } from '../streams/app-streams.ts';
import type { FleetDelta, FleetState } from '../streams/fleet-stream.ts';
import type { ReadingsDelta, ReadingsWire } from '../streams/readings-stream.ts';
import type { StreamBatch, StreamSnapshot } from '../streams/stream.ts';
import type { EventName } from './names.ts';

/** Larger messages from the window are refused before they are looked at. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** More would hold up everything else while they are written. */
export const MAX_IMPORT = 200;

/** The streams by name. `key` says which one of several: a box id, or '' where there is only one. */
export interface IpcStreams {
  readonly fleet: { readonly state: FleetState; readonly delta: FleetDelta };
  readonly readings: { readonly state: ReadingsWire; readonly delta: ReadingsDelta };
  readonly settings: { readonly state: Settings; readonly delta: Settings };
  readonly notices: { readonly state: readonly Notice[]; readonly delta: readonly Notice[] };
  readonly demo: { readonly state: DemoState; readonly delta: DemoState };
  readonly 'ssh-config': { readonly state: ConfigState; readonly delta: ConfigState };
}
export type StreamName = keyof IpcStreams;
export const streamNames = [
  'fleet',
  'readings',
  'settings',
  'notices',
  'demo',
  'ssh-config',
] as const satisfies readonly StreamName[];

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
  'app:show-log': null;
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
  'box:forget': null;
  'link:connect': null;
  'link:disconnect': null;
  'link:trust-host-key': null;
  'demo:set-fault': null;
  'secret:keep-proxy-password': null;
  'secret:forget-all': null;
}

const boxId = z.uuid();
const configHost = z.string().min(1).max(255);
const configDigest = z.string().min(1).max(100);
const boxName = z.string().trim().min(1).max(80);

/** Main parses every input with these. A channel missing from either table does not compile. */
export const ipcInputs = {
  'app:info': z.strictObject({}),
  /** Opens the system browser; main refuses everything outside its allow-list. */
  'app:open-external': z.strictObject({ url: z.string().max(2000) }),
  /** Shows the log file in the system's file manager. */
  'app:show-log': z.strictObject({}),
  /** The window tells main what broke in it, so that it reaches the log. */
  'app:report-crash': z.strictObject({
    message: z.string().max(2000),
    stack: z.string().max(20_000),
  }),
  'app:quit': z.strictObject({}),
  /** Answers the snapshot and starts the deltas; the way to heal a gap is to open again. */
  'stream:open': z.strictObject({ stream: z.enum(streamNames), key: z.string().max(100) }),
  'stream:close': z.strictObject({ subscription: z.int().min(1) }),
  'settings:change': z.strictObject({ patch: settingsPatchSchema }),
  'notice:dismiss': z.strictObject({ id: z.string().max(100) }),
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
  /** Forgets the box in Leasehold. The machine itself is not touched and goes on billing. */
  'box:forget': z.strictObject({ boxId }),
  'link:connect': z.strictObject({ boxId }),
  'link:disconnect': z.strictObject({ boxId }),
  /** The person compared this very fingerprint. Main stores it only if the server still offers it. */
  'link:trust-host-key': z.strictObject({ boxId, fingerprint: z.string().max(100) }),
  'demo:set-fault': z.strictObject({ fault: z.enum(demoFaults), isOn: z.boolean() }),
  /** For every box that goes through this proxy under this user name. */
  'secret:keep-proxy-password': z.strictObject({ proxy, password: z.string().min(1).max(255) }),
  'secret:forget-all': z.strictObject({}),
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
  | { readonly kind: 'show-box'; readonly boxId: string }
  | { readonly kind: 'show-fleet' };

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
