import type { RunRequest } from './run-request.ts';

const TRACKER_ADDRESS = 'https://api.wandb.ai';
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
  const own = request.tracker === 'wandb' && !isOffline(request) ? [TRACKER_ADDRESS] : [];
  return [...new Set([...wanted, ...own])];
}
