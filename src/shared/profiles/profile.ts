import { z } from 'zod';
import { GOTCHA_ID, MAX_ID_CHARS } from '../gotchas/ids.ts';
import { DEMO_SOURCE } from '../demo/demo-platform.ts';
import { parsePrice } from './price.ts';
import { parseSpan } from './span.ts';
import { stampsOf } from './stamps.ts';

/** A file of another number was written for another Leasehold. */
export const PROFILE_FORMAT = 1;

const text = z.string().trim().min(1).max(2000);
const texts = z.array(text).max(100);
/** True, false, not known, or what it depends on. */
const yesNo = z.union([z.boolean(), text]).nullable();
export type YesNo = z.infer<typeof yesNo>;

const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Write the month as YYYY-MM, as in 2026-06.');

/**
 * When a fact that can rot was last compared with its source. Null only with the source "general": true of any rented
 * machine, no platform's price, timer or limit; and with "demo": invented. "sources" means the list at the top as a whole.
 */
const UNDATED_SOURCES: readonly string[] = ['general', DEMO_SOURCE];
const stamp = { verified: month.nullable(), source: text };

const price = z.string().transform((raw, context) => {
  const parsed = parsePrice(raw);
  if (parsed.ok) return parsed.value;
  context.addIssue({ code: 'custom', message: parsed.error });
  return z.NEVER;
});

const spanMs = z.string().transform((raw, context) => {
  const parsed = parseSpan(raw);
  if (parsed !== null) return parsed;
  context.addIssue({
    code: 'custom',
    message: 'Write a time as "15 d", "24 h", "90 min" or "5 s".',
  });
  return z.NEVER;
});

const storageRate = z.union([z.literal('free'), z.literal('unpriced'), price]).nullable();

/** One place for data on the platform, and what it outlives. */
const storageTier = z.strictObject({
  name: text,
  path: text.nullable(),
  survivesStop: yesNo,
  survivesDestroy: yesNo,
  cap: text.nullable(),
  /** "unpriced": it costs something, and the sources do not say how much. Null: whether it costs is not known. */
  rates: z.strictObject({ running: storageRate, stopped: storageRate, destroyed: storageRate }),
  freeGB: z.number().min(0).max(1e6).nullable(),
  billing: text.nullable(),
  note: text.nullable(),
  ...stamp,
});

/** What for a place of the platform is looked at, by what it means there and not by the rule that asks. */
export const placeUses = [
  /** Counts inodes apart from bytes, with a limit that is reached first. */
  'inode-limit',
  /** Fills up with a model cache that nobody sees there. */
  'hidden-cache',
  /** The volume beside a small container disk. */
  'volume',
  /** All of these together have one quota. */
  'quota',
  /** The platform keeps its snapshots here, beside the data. */
  'snapshots',
  /** What is saved here stays. */
  'kept',
  /** A disk that scripts name and that not every machine has. */
  'netdisk',
  /** Fills up for all that the person has there. */
  'room',
  /** Event files of TensorBoard, besides those below the home folder and in `ports.tensorboard.logdir`. */
  'event-files',
] as const;
export type PlaceUse = (typeof placeUses)[number];

/** As it is on the box, letter by letter: it is compared with what the box tells, and searched there. */
const wholePath = z
  .string()
  .max(1000)
  .regex(
    /^(?:\/[^/\s\p{C}$<>]+)+$/u,
    'Write one whole path without blanks, "$" and "<…>", such as /data/runs.',
  );
export const isWholePath = (path: string | null): path is string =>
  wholePath.safeParse(path).success;

/** A host, without a port: it is compared with the proxies that a box names. */
const hostName = z
  .string()
  .max(253)
  .regex(
    /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/,
    'Write a host alone, in small letters, such as proxy.example.com.',
  );

/** What a look at a box tells besides, and only where a platform makes it worth the look (parts/platform-look.sh). */
export const extraLooks = [
  /** Which copies of torch a run can import, and the last upgrade of everything. */
  'python-mix',
  /** Which keys process 1 was given, by their names. */
  'pod-names',
] as const;
export type ExtraLook = (typeof extraLooks)[number];

export const actionKinds = [
  'start',
  'start-without-gpu',
  'restart',
  'stop',
  'destroy',
  'end-job',
  'delete-storage',
  /** Looks like an end, and ends no bill. */
  'no-end',
  'other',
] as const;

/** An entry of the catalog of gotchas. */
const entryId = z
  .string()
  .max(MAX_ID_CHARS)
  .regex(GOTCHA_ID, 'Write the id of an entry, such as RP6.');

/** A verb of the platform and what it does to data and money. */
const action = z.strictObject({
  verb: text,
  kind: z.enum(actionKinds),
  stopsCompute: yesNo,
  stopsStorage: yesNo,
  deletes: text.nullable(),
  isReversible: yesNo,
  how: text.nullable(),
  note: text.nullable(),
  /** The entries of the catalog that tell of what it takes along at once, what a clock takes that begins with it, and what it leaves to be paid for. */
  takes: entryId.nullable().default(null),
  later: entryId.nullable().default(null),
  goesOn: entryId.nullable().default(null),
  /** What is billed after it besides the storage, such as an address. */
  leaves: z
    .array(z.strictObject({ what: text, rate: storageRate }))
    .max(20)
    .default([]),
  ...stamp,
});

/** What starts a timer. */
export const timerStarts = [
  'stopped',
  'started',
  'idle',
  'job-started',
  'free-notebook-started',
  'paid-notebook-started',
  'in-arrears',
  'invoiced',
] as const;
/** Moments that only the box or the person can tell. */
export const setTimes = [
  'walltime',
  'job-deadline',
  'ttl',
  'rental-end',
  'stop-timer',
  'idle-stop',
] as const;

/** How the moment is found. Where a platform needs another way, the way gets a kind here and no platform an `if`. */
const clockRule = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('after'),
    from: z.enum(timerStarts),
    for: spanMs,
    isEstimate: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('set'), what: z.enum(setTimes) }),
  z.strictObject({ kind: z.literal('warning'), before: z.enum(setTimes) }),
  z.strictObject({ kind: z.literal('balance') }),
  z.strictObject({ kind: z.literal('spot'), grace: spanMs.nullable() }),
  z.strictObject({
    kind: z.literal('cost'),
    while: z.enum(['running', 'stopped', 'destroyed', 'always']),
  }),
  z.strictObject({ kind: z.literal('quota'), for: spanMs, per: z.enum(['week', 'month']) }),
  z.strictObject({ kind: z.literal('stopwatch') }),
  /** Nothing that can be counted: shown as a sentence. */
  z.strictObject({ kind: z.literal('note') }),
]);
export type ClockRule = z.infer<typeof clockRule>;
export type TimerStart = (typeof timerStarts)[number];
export type SetTime = (typeof setTimes)[number];

/** Something that the platform does to a box by itself. */
const profileClock = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9-]+$/),
  /** What happens, in as few words as a chip has room for: "Auto release". Null: the consequence names it. */
  event: z.string().trim().min(1).max(28).nullable().default(null),
  trigger: text,
  after: text.nullable(),
  consequence: text,
  readAt: text,
  rule: clockRule,
  danger: z.enum(['data', 'run', 'money', 'none']),
  /** Names of the tiers that are gone afterwards. */
  loses: texts,
  /** What ends it, where the sources say so. */
  stops: text.nullable(),
  ...stamp,
});

const flavour = z.strictObject({
  name: text,
  endpoint: text.nullable(),
  canCopy: yesNo,
  /** A gateway that opens terminals and runs no commands: the entry that tells the way out. Null: it is none. */
  terminalsOnly: entryId.nullable().default(null),
  note: text.nullable(),
});

/** The facts of one platform, in the order of the file. */
export const profileSchema = z
  .strictObject({
    format: z.literal(PROFILE_FORMAT),
    id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    name: text,
    kind: z.enum(['ssh', 'ssh-rental', 'cloud-api', 'slurm', 'kubernetes', 'notebook']),
    sources: texts,
    billing: z.strictObject({
      stopVerb: text,
      isIrreversible: yesNo,
      steps: text.nullable(),
      ...stamp,
    }),
    prices: z
      .array(z.strictObject({ what: text, price, note: text.nullable(), ...stamp }))
      .max(200),
    storage: z.array(storageTier).max(50),
    // Files of the person's own may be older than these four.
    watched: z
      .array(z.strictObject({ path: wholePath, for: z.enum(placeUses) }))
      .max(50)
      .default([]),
    looks: z.array(z.enum(extraLooks)).max(20).default([]),
    accelerators: z.array(hostName).max(20).default([]),
    traps: z.array(entryId).max(100).default([]),
    actions: z.array(action).max(50),
    clocks: z.array(profileClock).max(50),
    spot: z.strictObject({
      isAvailable: yesNo,
      grace: text.nullable(),
      signal: text.nullable(),
      note: text.nullable(),
      ...stamp,
    }),
    detach: z.strictObject({
      primitive: text,
      survivesSshDrop: yesNo,
      survivesReboot: yesNo,
      survivesStop: yesNo,
    }),
    sharedFs: z.strictObject({ isAvailable: yesNo, scope: text.nullable(), note: text.nullable() }),
    inodeCap: z.strictObject({
      count: z.int().min(1).nullable(),
      note: text.nullable(),
      ...stamp,
    }),
    egress: z.strictObject({
      isFree: yesNo,
      price: price.nullable(),
      note: text.nullable(),
      ...stamp,
    }),
    needsChinaMirror: yesNo,
    hasLocalNvme: yesNo,
    ssh: z.strictObject({
      user: text.nullable(),
      port: text.nullable(),
      canCopy: yesNo,
      flavours: z.array(flavour).max(20),
      note: text.nullable(),
      ...stamp,
    }),
    ports: z.strictObject({
      tensorboard: z.strictObject({
        logdir: text.nullable(),
        port: z.int().min(1).max(65535).nullable(),
        how: text.nullable(),
      }),
      urlPatterns: texts,
      timeouts: texts,
      note: text.nullable(),
      ...stamp,
    }),
    conveniences: texts,
    launch: z.strictObject({ endpoints: texts, cli: texts, notes: texts }),
    overrides: z.strictObject({
      DATA_DIR: text.nullable(),
      DURABLE_DIR: text.nullable(),
      PROXY_HOOK: text.nullable(),
      CRED_FILE: text.nullable(),
      HF_HOME: text.nullable(),
      DETACH: text.nullable(),
      SCRATCH: text.nullable(),
      extra: z.record(z.string().min(1).max(100), text).nullable(),
    }),
    doubts: texts,
  })
  .superRefine((profile, context) => {
    const complain = (path: readonly (string | number)[], message: string): void => {
      context.addIssue({ code: 'custom', path: [...path], message });
    };
    const tiers = new Set(profile.storage.map(({ name }) => name));
    for (const [index, { id, loses }] of profile.clocks.entries()) {
      const stranger = loses.findIndex((name) => !tiers.has(name));
      if (stranger >= 0) {
        complain(
          ['clocks', index, 'loses', stranger],
          `Name a tier from "storage": ${[...tiers].join(', ')}.`,
        );
      }
      if (profile.clocks.findIndex((other) => other.id === id) !== index) {
        complain(
          ['clocks', index, 'id'],
          `Give each clock an id of its own: "${id}" stands twice.`,
        );
      }
    }
    for (const [key, list] of [
      ['storage', profile.storage.map(({ name }) => name)],
      ['actions', profile.actions.map(({ verb }) => verb)],
    ] as const) {
      const twice = list.findIndex((name, index) => list.indexOf(name) !== index);
      if (twice >= 0)
        complain([key, twice], `Name each one once: "${list[twice] ?? ''}" stands twice.`);
    }
    for (const { path, verified, source } of stampsOf(profile)) {
      if ((verified === null) !== UNDATED_SOURCES.includes(source)) {
        complain(
          [...path, 'verified'],
          'Say when this was verified (YYYY-MM); only what is true of any machine (source: general) has no month.',
        );
      }
    }
  });

export type Profile = z.infer<typeof profileSchema>;
export type StorageTier = Profile['storage'][number];
export type ProfileAction = Profile['actions'][number];
export type ProfileClock = Profile['clocks'][number];
