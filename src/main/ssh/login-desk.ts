import type { Box } from '../../shared/boxes/box.ts';
import type { InstalledKey, PublicKeyChoice, StoredSecret } from '../../shared/login/public-key.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Fleet } from '../boxes/fleet.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { KeyOffers } from './key-offers.ts';
import type { Persons } from './persons.ts';

/** What the window can do about logging in, besides answering questions. */
export interface LoginDesk {
  keyChoices(): Promise<Result<readonly PublicKeyChoice[], Problem>>;
  installKey(boxId: string, publicKeyFile: string | null): Promise<Result<InstalledKey, Problem>>;
  dismissOffer(boxId: string): Promise<Result<null, Problem>>;
  /** What is kept, and what is remembered until the app ends. */
  secrets(): readonly StoredSecret[];
  forgetSecret(name: string): Promise<Result<null, Problem>>;
  forgetAllSecrets(): Promise<Result<null, Problem>>;
  /** After a box was taken off the list: nothing of its log-in stays. */
  forgetBox(boxId: string): Promise<void>;
  /** Ends what is under way; for quitting. */
  close(): void;
}

export interface LoginDeskOptions {
  readonly fleet: Fleet;
  readonly persons: Persons;
  readonly secrets: Secrets;
  readonly offers: KeyOffers;
  readonly env: NodeJS.ProcessEnv;
  readonly onProblem: (problem: Problem) => void;
}

export function openLoginDesk(options: LoginDeskOptions): LoginDesk {
  const { fleet, persons, secrets, offers, env, onProblem } = options;
  const stopper = new AbortController();
  /** One installation per box: a second click must not race the first. */
  const installing = new Set<string>();

  async function install(
    box: Box,
    publicKeyFile: string | null,
  ): Promise<Result<InstalledKey, Problem>> {
    // Loaded when needed: it brings the SSH library.
    const { installKey, listPublicKeys } = await import('./key-installer.ts');
    const link = fleet.linkOf(box.id);
    if (link === null) return err(noSuchBox());
    // SECURITY: the window names one of the files that it was shown, not any path.
    const isListed =
      publicKeyFile === null || (await listPublicKeys()).some(({ file }) => file === publicKeyFile);
    if (!isListed) return err(problem('bad-input', 'That public key is not in ~/.ssh any more.'));
    const person = persons.forBox(box);
    const { signal } = stopper;
    const installed = await installKey({ box, link, person, env, publicKeyFile, signal });
    if (!installed.ok) return installed;
    const saved = await offers.installed(box.id, installed.value.keyFile);
    if (!saved.ok) onProblem(saved.error);
    return installed;
  }

  return {
    keyChoices: async () => {
      const { listPublicKeys } = await import('./key-installer.ts');
      return ok(await listPublicKeys());
    },
    installKey: async (boxId, publicKeyFile) => {
      const box = fleet.entries.find((entry) => entry.box.id === boxId)?.box;
      if (box === undefined) return err(noSuchBox());
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
    dismissOffer: async (boxId) => {
      const dismissed = await offers.dismiss(boxId);
      return dismissed.ok ? ok(null) : dismissed;
    },
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
      const forgotten = await offers.forgetBox(boxId);
      if (!forgotten.ok) onProblem(forgotten.error);
    },
    close: () => stopper.abort(),
  };
}

function noSuchBox(): Problem {
  return problem('no-such-box', 'This box is not in the list any more.');
}
