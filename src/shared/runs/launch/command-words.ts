import type { Steps } from '../../steps.ts';
import { firstWord, scriptOf } from './job-script.ts';
import { pythonOf } from './python-of.ts';
import { unheardIn, type Unheard } from './unheard.ts';

/** What the commands of the cells that run have in them, or the one of a run, that is asked of its box or judged before a launch. */
export interface CommandWords {
  /**
   * What further ones begin with, each once, where the shell finds it by its name: the program of the first is looked for by itself. A
   * command that says what to do instead is not asked about.
   */
  readonly programs: readonly string[];
  /** The shell scripts that further ones begin with. */
  readonly scripts: readonly string[];
  /** The Pythons that they run, each once; the first of them is asked. */
  readonly pythons: readonly string[];
  readonly namesWandb: boolean;
  /** Whether each step of srun is told how many CPUs it gets; null: none of them runs srun. */
  readonly srun: 'told' | 'untold' | null;
  /** Of the first hundred, since cells are alike: a command whose failure nobody hears of; null: none is seen. */
  readonly unheard: Unheard | null;
}

const MOST_READ = 100;
const COMMANDS_A_STEP = 400;

/** All of it in one way through them: a queue has ten thousand. */
export function* commandWords(commands: readonly string[]): Steps<CommandWords> {
  const [first = ''] = commands;
  const [programs, scripts, pythons] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let namesWandb = false;
  let srun: CommandWords['srun'] = null;
  let unheard: Unheard | null = null;
  for (const [at, command] of commands.entries()) {
    if (at < MOST_READ) unheard ??= unheardIn(command);
    add(programs, programOf(command));
    add(scripts, scriptOf(command));
    add(pythons, pythonOf(command));
    namesWandb ||= /\bwandb\b/i.test(command);
    if (srun !== 'untold') srun = srunOf(command) ?? srun;
    if (at % COMMANDS_A_STEP === COMMANDS_A_STEP - 1) yield undefined;
  }
  programs.delete(programOf(first) ?? '');
  scripts.delete(scriptOf(first) ?? '');
  return {
    programs: [...programs],
    scripts: [...scripts],
    pythons: [...pythons],
    namesWandb,
    srun,
    unheard,
  };
}

function add(to: Set<string>, word: string | null): void {
  if (word !== null) to.add(word);
}

function programOf(command: string): string | null {
  if (command.includes('||')) return null;
  const word = firstWord(command);
  return word !== null && /^[\w.-]{1,40}$/.test(word) ? word : null;
}

const SRUN = /(?:^|[\s;&|(])srun\s([^\n;&|]{0,2000})/g;
const ASKS_FOR_CPUS = /(?:^|\s)(?:-c\s*\d|--cpus-per-task\b)/;

function srunOf(command: string): CommandWords['srun'] {
  const steps = [...command.matchAll(SRUN)];
  if (steps.length === 0) return null;
  return steps.every(([, words = '']) => ASKS_FOR_CPUS.test(words)) ? 'told' : 'untold';
}
