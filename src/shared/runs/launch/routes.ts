import type { RunRequest } from './run-request.ts';

const TRACKER_ADDRESS = 'https://api.wandb.ai';
const OWN_SERVER = 'WANDB_BASE_URL';
const WITHOUT_SERVER = /^(?:offline|disabled|dryrun)$/i;

/** The tracker of the run keeps to this box. */
export const isOffline = ({ env }: Pick<RunRequest, 'env'>): boolean =>
  WITHOUT_SERVER.test(env['WANDB_MODE'] ?? '');

/** Words of a command that choose wandb's server or key, where only its own shell, and no look before it, knows them. */
const CHOOSES =
  /\bWANDB_(?:BASE_URL|MODE|API_KEY|DIR|CONFIG_DIR|IDENTITY_TOKEN_FILE)\b|\bNETRC=|\bwandb[ \t]+(?:login|(?:off|on)line|(?:en|dis)abled)\b/;

/** Whether one of these texts may have wandb report elsewhere than the environment says. */
export const choosesTracker = (texts: readonly (string | undefined)[]): boolean =>
  texts.some((text) => text !== undefined && CHOOSES.test(text));

/** The addresses that a look before the launch asks: only what the request says that it needs. */
export function routesOf(
  request: Pick<RunRequest, 'internet' | 'tracker' | 'env' | 'command' | 'smoke'>,
): readonly string[] {
  const wanted = (request.internet ?? []).map((address) =>
    /^https?:\/\//.test(address) ? address : `https://${address}`,
  );
  const isAsked =
    request.tracker === 'wandb' &&
    !isOffline(request) &&
    !choosesTracker([request.command, request.smoke]);
  const own = isAsked ? [trackerAddress(request)] : [];
  return [...new Set([...wanted, ...own])];
}

/** One of the person's own, where the request names it. */
function trackerAddress({ env }: Pick<RunRequest, 'env'>): string {
  const named = env[OWN_SERVER] ?? '';
  return /^https?:\/\/[\w.:-]+\/?$/.test(named) ? named : TRACKER_ADDRESS;
}
