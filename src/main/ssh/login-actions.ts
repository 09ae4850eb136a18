import type { Box } from '../../shared/boxes/box.ts';
import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import type { InstalledKey, PublicKeyChoice, StoredSecret } from '../../shared/login/public-key.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { KeyOffers } from './key-offers.ts';
import type { Persons } from './persons.ts';

/** What the window can do about logging in, besides answering questions. */
export interface LoginActions {
  keyChoices(): Promise<Result<readonly PublicKeyChoice[], Problem>>;
  installKey(boxId: string, publicKeyFile: string | null): Promise<Result<InstalledKey, Problem>>;
  dismissOffer(boxId: string): void;
  /** What is kept, and what is remembered until the app ends. */
  secrets(): readonly StoredSecret[];
  forgetSecret(name: string): Promise<Result<null, Problem>>;
  forgetAllSecrets(): Promise<Result<null, Problem>>;
  /** After a box was taken off the list: nothing of its log-in stays. */
  forgetBox(boxId: string): Promise<void>;
  /** Ends what is under way; for quitting. */
  close(): void;
}

export interface LoginActionsOptions {
  readonly roster: BoxRoster;
  readonly persons: Persons;
  readonly secrets: Secrets;
  readonly offers: KeyOffers;
  readonly env: NodeJS.ProcessEnv;
}

export function openLoginActions(options: LoginActionsOptions): LoginActions {
  const { roster, persons, secrets, offers, env } = options;
  const stopper = new AbortController();
  /** One installation per box: a second click must not race the first. */
  const installing = new Set<string>();

  async function install(
    box: Box,
    publicKeyFile: string | null,
  ): Promise<Result<InstalledKey, Problem>> {
    // Loaded when needed: it brings the SSH library.
    const { installKey, listPublicKeys } = await import('./key-installer.ts');
    const link = roster.linkOf(box.id);
    if (link === null) return noSuchBox();
    // SECURITY: the window names one of the files that it was shown, not any path.
    const isListed =
      publicKeyFile === null || (await listPublicKeys()).some(({ file }) => file === publicKeyFile);
    if (!isListed) return err(problem('bad-input', 'That public key is not in ~/.ssh any more.'));
    const person = persons.forBox(box);
    const { signal } = stopper;
    const installed = await installKey({ box, link, person, env, publicKeyFile, signal });
    if (!installed.ok) return installed;
    offers.installed(box.id, installed.value.keyFile);
    return installed;
  }

  return {
    keyChoices: async () => {
      const { listPublicKeys } = await import('./key-installer.ts');
      return ok(await listPublicKeys());
    },
    installKey: async (boxId, publicKeyFile) => {
      const box = roster.boxOf(boxId);
      if (box === null) return noSuchBox();
      if (installing.has(boxId)) {
        return err(
          problem('key-not-installed', `A key is being installed on ${box.name} already.`),
        );
      }
      installing.add(boxId);
      try {
        return await install(box, publicKeyFile);
      } finally {
        installing.delete(boxId);
      }
    },
    dismissOffer: (boxId) => offers.dismiss(boxId),
    secrets: () => {
      const kept = secrets.names();
      const remembered = persons.remembered().filter((name) => !kept.includes(name));
      return [
        ...kept.map((name) => ({ name, isKept: secrets.keeping().isKept })),
        ...remembered.map((name) => ({ name, isKept: false })),
      ];
    },
    forgetSecret: (name) => {
      persons.forgetRemembered(name);
      return secrets.forget(name);
    },
    forgetAllSecrets: () => {
      persons.forgetRemembered(null);
      return secrets.forgetAll();
    },
    forgetBox: async (boxId) => {
      await persons.forgetBox(boxId);
      offers.forgetBox(boxId);
    },
    close: () => stopper.abort(),
  };
}
