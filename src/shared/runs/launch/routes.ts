import type { RunRequest } from './run-request.ts';

const TRACKER_ADDRESS = 'https://api.wandb.ai';
const OWN_SERVER = 'WANDB_BASE_URL';
const WITHOUT_SERVER = /^(?:offline|disabled|dryrun)$/i;

/** The tracker of the run keeps to this box. */
export const isOffline = ({ env }: Pick<RunRequest, 'env'>): boolean =>
  WITHOUT_SERVER.test(env['WANDB_MODE'] ?? '');

/** The addresses that a look before the launch asks: only what the request says that it needs. */
export function routesOf(
  request: Pick<RunRequest, 'internet' | 'tracker' | 'env'>,
): readonly string[] {
  const wanted = (request.internet ?? []).map((address) =>
    /^https?:\/\//.test(address) ? address : `https://${address}`,
  );
  const own = request.tracker === 'wandb' && !isOffline(request) ? [trackerAddress(request)] : [];
  return [...new Set([...wanted, ...own])];
}

/** One of the person's own, where the request names it. */
function trackerAddress({ env }: Pick<RunRequest, 'env'>): string {
  const named = env[OWN_SERVER] ?? '';
  return /^https?:\/\/[\w.:-]+\/?$/.test(named) ? named : TRACKER_ADDRESS;
}
