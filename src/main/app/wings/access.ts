import { join } from 'node:path';
import { loginOf } from '../../../shared/boxes/box-login.ts';
import { questionNews } from '../../../shared/news/kinds/question-news.ts';
import { ok } from '../../../shared/result.ts';
import type { FleetOptions } from '../../boxes/fleet.ts';
import { openHostKeys } from '../../known-hosts/host-keys.ts';
import { KNOWN_HOSTS_FILE, openOwnKnownHosts } from '../../known-hosts/own-file.ts';
import { openKnownHosts, usualKnownHostsFiles } from '../../known-hosts/user-files.ts';
import { openQuestions, type Questions } from '../../questions/questions.ts';
import { keepProxyPassword, proxyPassword } from '../../secrets/proxy-passwords.ts';
import { SecretCourier } from '../../secrets/secret-courier.ts';
import { SentSecrets } from '../../secrets/sent-secrets.ts';
import { openSecrets, type Secrets } from '../../secrets/secrets.ts';
import { openKeyOffers } from '../../ssh/key-offers.ts';
import { openLoginActions, type LoginActions } from '../../ssh/login-actions.ts';
import { createPersons } from '../../ssh/persons.ts';
import { forgetUnusedWays } from '../../ssh/unused-ways.ts';
import { Closer } from '../closer.ts';
import type { LateHandlers } from '../endpoints.ts';
import { done } from '../ipc-router.ts';
import { keyringVault } from '../keyring-vault.ts';
import type { GatedChannel, Ground, Wing } from './wing.ts';

export interface Access extends Wing {
  readonly handlers: Pick<LateHandlers, AccessChannel>;
  readonly secrets: Secrets;
  readonly questions: Questions;
  readonly sentSecrets: SentSecrets;
  readonly loginActions: LoginActions;
  /** How the fleet gets in, and knows whom it talks to. */
  readonly ways: Pick<
    FleetOptions,
    'hostKeys' | 'gatherCredentials' | 'proxyPassword' | 'forgetUnusedWays'
  >;
  /** A box is not in the list any more: its key is not trusted any more, so ssh must not go on trusting it either. */
  readonly boxForgotten: () => void;
}

type AccessChannel = Exclude<
  Extract<keyof LateHandlers, `${'question' | 'key' | 'secret'}:${string}`>,
  GatedChannel
>;

/** Who may in where: secrets, host keys, log-ins and the questions that they need. */
export async function openAccess(ground: Ground): Promise<Access> {
  const { hub, windowMemory, roster, database, folders, log, scripts, news } = ground;
  const { reportProblem: onProblem, isDatabaseKept } = ground;
  const { redactor } = log;
  const closer = new Closer();
  const { secrets, problems } = await openSecrets({
    folder: folders.data,
    vault: keyringVault(),
    redactor,
  });
  for (const found of problems) onProblem(found);
  const knownHosts = openOwnKnownHosts({
    file: join(folders.data, KNOWN_HOSTS_FILE),
    trusted: database.hostKeys.trusted,
    onProblem,
  });
  closer.add(() => knownHosts.settled());
  // A database of this session only knows less than the file that is there.
  const updateKnownHosts = isDatabaseKept ? knownHosts.update : (): void => undefined;
  updateKnownHosts();
  const questions = openQuestions(hub);
  questions.onAsked((question) => news.tell(questionNews, question));
  const offers = openKeyOffers(hub, windowMemory);
  const persons = createPersons({
    questions,
    secrets,
    redactor,
    onProblem,
    onLogin: (boxId, way) => offers.loggedIn(boxId, way),
  });
  const sent = new SentSecrets({ table: database.sentSecrets, roster, scripts, onProblem });
  const courier = new SecretCourier({ roster, scripts, sent, secrets, redactor, onProblem });
  closer.add(() => courier.close());
  const env = process.env;
  const loginActions = openLoginActions({ roster, persons, secrets, offers, env });
  closer.add(() => loginActions.close());
  let forgetting = Promise.resolve();
  closer.add(() => forgetting);
  const keepHopKeys = (
    machineIds: readonly string[],
  ): ReturnType<typeof database.hostKeys.keepHops> => {
    const kept = database.hostKeys.keepHops(machineIds);
    if (kept.ok) updateKnownHosts();
    return kept;
  };
  return {
    secrets,
    questions,
    sentSecrets: sent,
    loginActions,
    boxForgotten: updateKnownHosts,
    ways: {
      hostKeys: openHostKeys({
        table: database.hostKeys,
        knownElsewhere: openKnownHosts(usualKnownHostsFiles(env, process.platform)),
        onChange: updateKnownHosts,
      }),
      forgetUnusedWays: (used) => {
        forgetting = forgetting.then(() =>
          forgetUnusedWays(used, { keepHopKeys, persons, secrets, onProblem }),
        );
      },
      proxyPassword: (proxy) => proxyPassword(secrets, proxy),
      gatherCredentials: async (machine, signal, wayTo) => {
        const { gatherCredentials } = await import('../../ssh/credentials.ts');
        return gatherCredentials({
          boxName: machine.name,
          login: loginOf(machine, offers.installedKey(machine.id)),
          env,
          platform: process.platform,
          person: persons.forMachine(machine, wayTo),
          signal,
        });
      },
    },
    handlers: {
      'question:answer': ({ id, values, isToBeKept }) => questions.answer(id, values, isToBeKept),
      'question:dismiss': ({ id }) => questions.dismiss(id),
      'key:choices': () => loginActions.keyChoices(),
      'key:install': ({ boxId, publicKeyFile }) => loginActions.installKey(boxId, publicKeyFile),
      'key:dismiss-offer': ({ boxId }) => done(() => loginActions.dismissOffer(boxId)),
      'secret:list': () => ok(loginActions.secrets()),
      'secret:send': ({ boxId, ...wanted }) => courier.send(boxId, wanted),
      'secret:stop-sending': ({ boxId }) => done(() => courier.stop(boxId)),
      'secret:on-box': ({ boxId }) => sent.list(boxId),
      'secret:forget': ({ name }) => loginActions.forgetSecret(name),
      'secret:forget-all': () => loginActions.forgetAllSecrets(),
      'secret:keep-proxy-password': ({ proxy, password }) =>
        keepProxyPassword(secrets, proxy, password),
    },
    close: () => closer.close(),
  };
}
