import { join } from 'node:path';
import type { Gotcha, Gotchas } from '../../shared/gotchas/gotcha.ts';
import { loadGotchas, OWN_GOTCHAS } from '../gotchas/load-gotchas.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import type { CommandContext } from './command.ts';

/** The shipped catalog with the person's own entries over it, as the window sees it. */
export function gotchasFor({
  root,
  env,
  platform,
}: Pick<CommandContext, 'root' | 'env' | 'platform'>): Promise<Gotchas> {
  return loadGotchas({
    shipped: shippedGotchas(root),
    own: join(dataFolder(env, platform), OWN_GOTCHAS),
  });
}

export function shippedGotchas(root: string): string {
  return join(root, 'resources', 'gotchas');
}

/** What is not used is said beside every answer that would otherwise look complete. */
export async function tellGotchaFaults(
  { faults }: Gotchas,
  { err }: CommandContext,
): Promise<void> {
  await err.lines(faults.map(faultSentence));
}

export function entriesOf({ all }: Gotchas): readonly Gotcha[] {
  return all.map(({ gotcha }) => gotcha);
}
