import { z } from 'zod';

const said = z.string().min(1).max(600);

/** One thing that SSH to a box can or cannot do. Three answers: what could not be found out is never taken for a yes. */
const fact = z.discriminatedUnion('answer', [
  z.strictObject({ answer: z.literal('yes'), evidence: said }),
  z.strictObject({ answer: z.literal('no'), evidence: said }),
  z.strictObject({ answer: z.literal('unknown'), because: said }),
]);
export type Fact = Readonly<z.infer<typeof fact>>;

/** The same for what has a name instead of a yes. */
const namedFact = z.discriminatedUnion('answer', [
  z.strictObject({ answer: z.literal('named'), name: z.string().min(1).max(40), evidence: said }),
  z.strictObject({ answer: z.literal('unknown'), because: said }),
]);
export type NamedFact = Readonly<z.infer<typeof namedFact>>;

/** What a command does that is sent to the box, in one word; `unknown` where that could not be read. */
export const commandWays = [
  'run',
  'refused',
  'terminal-only',
  'restricted',
  'closed',
  'not-posix',
  'replaced',
  'unknown',
] as const;
export type CommandWay = (typeof commandWays)[number];

/** Which flavour of SSH a box has: what was asked, what it answered, and when. */
export const flavourReport = z.strictObject({
  atMs: z.number(),
  /** Why commands run or do not. */
  commandWay: z.enum(commandWays),
  commands: fact,
  /** A wrapper stands before every command and lets ours through. */
  forcedCommand: fact,
  loginShell: namedFact,
  bash: fact,
  tools: namedFact,
  /** Something prints around the output of every command. */
  noise: fact,
  sftp: fact,
  /** Start-up files print into the file channel, so that nobody can use it. */
  isSftpBroken: z.boolean(),
  tunnels: fact,
  banner: fact,
  /** Learnt from terminals that people open; none is opened to find out. */
  terminals: fact,
});
export type FlavourReport = Readonly<z.infer<typeof flavourReport>>;

export type FlavourState =
  | { readonly kind: 'unknown' }
  /** `before`: what was known until now. */
  | { readonly kind: 'checking'; readonly before: FlavourReport | null }
  | { readonly kind: 'known'; readonly report: FlavourReport };

export function reportOf(state: FlavourState): FlavourReport | null {
  if (state.kind === 'known') return state.report;
  return state.kind === 'checking' ? state.before : null;
}

/** Whether asking again could tell more. Terminals are not asked about. */
export function isComplete(report: FlavourReport): boolean {
  const { commandWay, sftp, tunnels } = report;
  return commandWay !== 'unknown' && sftp.answer !== 'unknown' && tunnels.answer !== 'unknown';
}
