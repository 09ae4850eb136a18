import type { RunProcess } from './run.ts';

/** tmux counts the sessions that nobody named. */
const UNNAMED = /^\d+$/;
/** What configures a run names it better than the program that all of them share. */
const CONFIG = /\.(?:ya?ml|toml|json|gin|cfg)$/i;
/** These take a configuration of their own before the program that they start, which is that of the machine and not of the run. */
const LAUNCHER = /(?:^|\/)(?:accelerate|deepspeed|torchrun)$/;
const PROGRAM = /\.py$/;
const OF_CONFIG = /^--?(?:config|cfg|config[-_](?:name|file|path))(?:=|$)/i;

/**
 * What a person calls a run: the tmux session that they named, or the configuration that its command names. Null: neither, so only its
 * command tells it from others. Hostile, like what it is made of.
 */
export function runTitle({
  command,
  tmuxSession,
}: Pick<RunProcess, 'command' | 'tmuxSession'>): string | null {
  if (tmuxSession !== null && tmuxSession !== '' && !UNNAMED.test(tmuxSession)) return tmuxSession;
  const words = ownWords(command?.split(' ').filter((word) => word !== '') ?? []);
  const place = words.findIndex((word) => OF_CONFIG.test(word));
  const named = place === -1 ? undefined : valueAt(words, place);
  const config = named ?? words.slice(1).find((word) => CONFIG.test(word));
  return config === undefined ? null : nameOf(config);
}

/** Of a launcher's command the program that it starts, and what that is given. */
function ownWords(words: readonly string[]): readonly string[] {
  const launcher = words.findIndex((word) => LAUNCHER.test(word));
  const own = words.findIndex((word, place) => place > launcher && PROGRAM.test(word));
  return launcher === -1 || own === -1 ? words : words.slice(own);
}

function valueAt(words: readonly string[], place: number): string | undefined {
  const [, value] = words[place]?.split('=') ?? [];
  const next = value ?? words[place + 1];
  return next === undefined || next === '' || next.startsWith('-') ? undefined : next;
}

const nameOf = (path: string): string => {
  const value = path.slice(path.indexOf('=') + 1);
  return value.slice(value.lastIndexOf('/') + 1).replace(CONFIG, '') || value;
};
