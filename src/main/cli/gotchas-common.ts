import { join } from 'node:path';
import type { Gotcha, Gotchas, LoadedGotcha } from '../../shared/gotchas/gotcha.ts';
import { GotchaBook } from '../gotchas/gotcha-book.ts';
import { OWN_GOTCHAS } from '../gotchas/load-gotchas.ts';
import { redactText } from '../../shared/secrets/redact-text.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import type { CommandContext } from './command.ts';

type Places = Pick<CommandContext, 'root' | 'env' | 'platform'>;

/** What the keyring holds is known to the window only: here a secret is known by its shape alone. */
export function gotchaBookFor({ root, env, platform }: Places): GotchaBook {
  const own = join(dataFolder(env, platform), OWN_GOTCHAS);
  return new GotchaBook({ shipped: shippedGotchas(root), own }, redactText);
}

/** The shipped catalog with the person's own entries over it, as the window sees it. */
export function gotchasFor(places: Places): Promise<Gotchas> {
  return gotchaBookFor(places).list();
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

/** What is the person's own is marked wherever it is listed. */
export function titleOf({ gotcha, origin }: LoadedGotcha): string {
  return origin === 'shipped' ? gotcha.title : `${gotcha.title} (yours)`;
}

export function entriesOf({ all }: Gotchas): readonly Gotcha[] {
  return all.map(({ gotcha }) => gotcha);
}
