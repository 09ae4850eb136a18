import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OnboxScripts, type OnboxScript } from './onbox-scripts.ts';

/** The scripts as they ship. */
export const onboxFolder = fileURLToPath(new URL('../../../resources/onbox', import.meta.url));
export const onboxScripts = new OnboxScripts(onboxFolder);

/** The same in this folder, where `words` of one script are others. */
export function changedScripts(
  folder: string,
  script: OnboxScript,
  words: string,
  others: string,
): OnboxScripts {
  cpSync(onboxFolder, folder, { recursive: true });
  const place = join(folder, script);
  const text = readFileSync(place, 'utf8');
  if (!text.includes(words)) throw new Error(`${script} has no “${words}”`);
  writeFileSync(
    place,
    text.replace(words, () => others),
  );
  return new OnboxScripts(folder);
}

const SHELLS = [['sh'], ['dash'], ['bash'], ['busybox', 'sh']] as const;
export type BoxShell = (typeof SHELLS)[number];

/** As on Debian and Ubuntu: there, what the one does is what the other does. */
const isShDash = pathOf('sh') === pathOf('dash');

/** The shells that a box may have as its `sh`, each once; those that are installed here are tried. */
export const BOX_SHELLS = SHELLS.filter(([name]) => name !== 'dash' || !isShDash).map((shell) => ({
  name: shell.join(' '),
  shell,
  isInstalled: spawnSync(shell[0], [...shell.slice(1), '-c', ':']).status === 0,
}));

function pathOf(program: string): string | null {
  const found = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' });
  return found.status === 0 ? realpathSync(found.stdout.trim()) : null;
}

/** Tests may run as root, whom no folder is closed to. */
export const ORDINARY_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Runs a script here as it is run on a box: over stdin, its values in the environment. */
export async function runOnboxScript(
  shell: BoxShell,
  script: OnboxScript,
  env: Readonly<Record<string, string>>,
  as: { readonly uid?: number; readonly gid?: number } = {},
): Promise<string> {
  const { stdout, error } = spawnSync(shell[0], [...shell.slice(1), '-s'], {
    encoding: 'utf8',
    env,
    ...as,
    input: await onboxScripts.textOf(script),
  });
  // A script may end before all of it was read.
  if (error !== undefined && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  return stdout;
}
