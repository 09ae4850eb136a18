import { firstWord, scriptOf } from './job-script.ts';

/** Programs that a Python environment brings along, and that run the Python beside them. */
const LAUNCHERS = /^(?:torchrun|accelerate|deepspeed|composer|lightning|wandb|jupyter|pytest)$/;

/** The Python that a command runs, as far as its words tell; null: none. */
export function pythonOf(command: string): string | null {
  const word = firstWord(command);
  const name = word?.split('/').at(-1) ?? '';
  if (/^python[\d.]*$/.test(name)) return word;
  // A script most likely runs what is called so.
  return LAUNCHERS.test(name) || scriptOf(command) !== null ? 'python' : null;
}
