import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { OnboxScripts, type OnboxScript } from './onbox-scripts.ts';

/** The scripts as they ship. */
export const onboxFolder = fileURLToPath(new URL('../../../resources/onbox', import.meta.url));
export const onboxScripts = new OnboxScripts(onboxFolder);

/** The shells that a box may have as its `sh`; those that are installed here are tried. */
const SHELLS = [['sh'], ['dash'], ['bash'], ['busybox', 'sh']] as const;
export type BoxShell = (typeof SHELLS)[number];
export const BOX_SHELLS = SHELLS.map((shell) => {
  const isInstalled = spawnSync(shell[0], [...shell.slice(1), '-c', ':']).status === 0;
  return { name: shell.join(' '), shell, isInstalled };
});

/** Runs a script here as it is run on a box: over stdin, its values in the environment. */
export async function runOnboxScript(
  shell: BoxShell,
  script: OnboxScript,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout, error } = spawnSync(shell[0], [...shell.slice(1), '-s'], {
    encoding: 'utf8',
    env,
    input: await onboxScripts.textOf(script),
  });
  // A script may end before all of it was read.
  if (error !== undefined && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  return stdout;
}
