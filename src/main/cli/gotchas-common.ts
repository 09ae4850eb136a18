import { join } from 'node:path';
import { catalogOf, type Catalog } from '../../shared/detectors/alert-words.ts';
import type { Gotcha, Gotchas, LoadedGotcha } from '../../shared/gotchas/gotcha.ts';
import { GotchaBook } from '../gotchas/gotcha-book.ts';
import { OWN_GOTCHAS } from '../gotchas/load-gotchas.ts';
import { redactText } from '../../shared/secrets/redact-text.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import type { CommandContext } from './command.ts';

type Places = Pick<CommandContext, 'root' | 'env' | 'platform'>;

/** One for each pair of folders: a book reads what ships once, which takes longer than most commands do. */
const books = new Map<string, GotchaBook>();

/** What the keyring holds is known to the window only: here a secret is known by its shape alone. */
export function gotchaBookFor({ root, env, platform }: Places): GotchaBook {
  const folders = {
    shipped: shippedGotchas(root),
    own: join(dataFolder(env, platform), OWN_GOTCHAS),
  };
  const key = `${folders.shipped}\n${folders.own}`;
  const book = books.get(key) ?? new GotchaBook(folders, redactText);
  books.set(key, book);
  return book;
}

/** The shipped catalog with the person's own entries over it, as the window sees it. */
export function gotchasFor(places: Places): Promise<Gotchas> {
  return gotchaBookFor(places).list();
}

/** The entries that findings are told by. */
export async function catalogFor(places: Places): Promise<Catalog> {
  return catalogOf(await gotchasFor(places));
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
