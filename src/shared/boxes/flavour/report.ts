interface Unknown {
  readonly answer: 'unknown';
  readonly because: string;
}

/** One thing that SSH to a box can or cannot do. Three answers: what could not be found out is never taken for a yes. */
export type Fact = { readonly answer: 'yes' | 'no'; readonly clue: string } | Unknown;

/** The same for what has a name instead of a yes. */
export type NamedFact =
  | { readonly answer: 'named'; readonly name: string; readonly clue: string }
  | Unknown;

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
export interface FlavourReport {
  readonly atMs: number;
  /** The entry of the catalog about the gateway that its address is known to be; null: it is known for none. */
  readonly gateway: string | null;
  /** Why commands run or do not. */
  readonly commandWay: CommandWay;
  readonly commands: Fact;
  /** A wrapper stands before every command and lets ours through. */
  readonly forcedCommand: Fact;
  readonly loginShell: NamedFact;
  readonly bash: Fact;
  readonly tools: NamedFact;
  /** Something prints around the output of every command. */
  readonly noise: Fact;
  readonly sftp: Fact;
  /** Start-up files print into the file channel, so that nobody can use it. */
  readonly isSftpBroken: boolean;
  readonly tunnels: Fact;
  /** Some ports are refused and others not (PermitOpen): a tunnel works where the server allows it. */
  readonly areTunnelsLimited: boolean;
  readonly banner: Fact;
  /** Learnt from terminals that people open; none is opened to find out. */
  readonly terminals: Fact;
}

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
