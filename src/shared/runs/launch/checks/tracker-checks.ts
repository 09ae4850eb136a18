import type { CommandWords } from '../command-words.ts';
import type { KnownBox } from '../known-box.ts';
import { isOffline } from '../routes.ts';
import type { RunPreflight } from '../run-preflight.ts';
import type { RunRequest } from '../run-request.ts';
import { listWords, pass, unknown, warn, type Judged } from './judged.ts';

const KEY = 'WANDB_API_KEY';
/** A key is sent nowhere for a plan unless the request says that the run reports to wandb: then to the server that the run would send it to. */
const NOT_TRIED =
  'Whether wandb takes the key is tried only where the request says “tracker: wandb”.';
const NO_KEY = 'Run “wandb login” on the box, or set WANDB_MODE=offline.';

/** Whether the tracker finds a key, and where the request names it, whether its server takes that. Nothing of the key is told. */
export function judgeTracker(
  { activate, env, tracker, secrets = [] }: RunRequest,
  { isSet, hasNetrc, python, trackerKey }: RunPreflight,
  { namesWandb }: Pick<CommandWords, 'namesWandb'>,
): Judged | null {
  if (tracker === 'none') return null;
  if (tracker === 'tensorboard') return pass('TensorBoard writes its files on the box.');
  if (tracker === 'trackio') return judgeTrackio({ env, secrets }, isSet);
  const isNamed =
    tracker === 'wandb' ||
    namesWandb ||
    /\bwandb\b/i.test(activate ?? '') ||
    Object.keys(env).some((name) => name.startsWith('WANDB_'));
  const isInstalled = python?.has.includes('wandb') === true;
  if (!isNamed && !isInstalled) return null;
  const who = isNamed ? 'The run uses wandb' : 'The environment has wandb';
  if (isOffline({ env })) return pass(`${who} without its server.`, 'U35');
  if (tracker === 'wandb') return judgeKey(trackerKey);
  if (secrets.includes(KEY))
    return pass(`${who}, with ${KEY} among its secrets. ${NOT_TRIED}`, 'U35');
  if ((env[KEY] ?? '') !== '' || isSet?.has(KEY) === true) {
    return pass(`${who}, and ${KEY} is set. ${NOT_TRIED}`, 'U35');
  }
  if (hasNetrc) return pass(`${who}, and ~/.netrc has a key for it. ${NOT_TRIED}`, 'U35');
  if (isSet === null) return unknown(`${who}; whether it finds a key is not known.`, 'U35');
  if (isSet.has('WANDB_MODE')) {
    return unknown(`${who} with WANDB_MODE as your login files set it, and without a key.`, 'U35');
  }
  return warn(
    `${who}, and neither ${KEY} nor ~/.netrc has a key for it: the run may stop to ask. ${NO_KEY}`,
    'U35',
  );
}

/** What the server said, asked from the shell of the run. */
function judgeKey(said: RunPreflight['trackerKey']): Judged {
  const server = said === null || said.host === '' ? 'its server' : said.host;
  switch (said?.kind) {
    case 'taken':
      return pass(`${server} takes the key that the run has for wandb.`, 'U35');
    case 'refused':
      return warn(
        `${server} does not take the key that the run has for wandb: nothing would be recorded. ${NO_KEY}`,
        'U35',
      );
    case 'none':
      return warn(
        `The run has no key for ${server}, where wandb reports to: it may stop to ask. ${NO_KEY}`,
        'U35',
      );
    case 'offline':
      return pass('The run uses wandb without its server, as the box sets it.', 'U35');
    case 'unanswered':
      return unknown(`${server} did not say whether it takes the key for wandb.`, 'U35');
    case 'unasked':
      return unknown(
        'Whether wandb takes the key was not tried: which server or key the run would use is not certain, or the key would be sent unencrypted.',
        'U35',
      );
    case undefined:
      return unknown('Whether wandb takes the key could not be tried on the box.', 'U35');
  }
}

/** It writes on the box, unless a Space is to show it, which takes a token. */
function judgeTrackio(
  { env, secrets = [] }: Pick<RunRequest, 'env' | 'secrets'>,
  isSet: RunPreflight['isSet'],
): Judged {
  if ((env['TRACKIO_SPACE_ID'] ?? '') === '') return pass('Trackio writes its files on the box.');
  const tokens = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN'];
  if (tokens.some((name) => secrets.includes(name) || (env[name] ?? '') !== '')) {
    return pass('Trackio shows the run in a Space, and has a token for it.', 'U35');
  }
  if (isSet === null) return unknown('Whether Trackio finds a token is not known.', 'U35');
  return tokens.some((name) => isSet.has(name))
    ? pass('Trackio shows the run in a Space, and your login files set a token.', 'U35')
    : warn(
        'Trackio is to show the run in a Space (TRACKIO_SPACE_ID), and no HF_TOKEN is set. Name it among the secrets.',
        'U35',
      );
}

/** What the platform gave the container's first process does not reach a shell of sshd. */
export function judgePodNames(
  { env, activate, command, secrets = [] }: RunRequest,
  { isSet, podNames }: RunPreflight,
  { profile }: KnownBox,
): Judged | null {
  if (profile?.looks.includes('pod-names') !== true) return null;
  if (podNames === null || isSet === null) {
    return unknown(
      'Which keys the Pod was given, and the login shell was not, is not known.',
      'RP12',
    );
  }
  const text = `${activate ?? ''}\n${command}`;
  const missing = podNames.filter(
    (name) =>
      !isSet.has(name) &&
      !(name in env) &&
      !secrets.includes(name) &&
      !text.includes('/proc/1/environ'),
  );
  if (missing.length === 0) return pass('No key of the Pod is missing in the login shell.', 'RP12');
  return warn(
    `The Pod has ${listWords(missing)}, and a run over SSH does not get ${missing.length === 1 ? 'it' : 'them'}. Set ${missing.length === 1 ? 'it' : 'them'} in the login files of the box.`,
    'RP12',
  );
}
