import type { Box } from '../../../shared/boxes/box.ts';
import type { SshForward } from '../../../shared/boxes/ssh-forward.ts';
import { NOTHING_TOLD } from '../../../shared/clocks/clock.ts';
import type { Problem } from '../../../shared/problem.ts';
import { isUnsaid } from '../../../shared/profiles/platform-names.ts';
import type { Result } from '../../../shared/result.ts';
import { listWords } from '../../../shared/runs/launch/checks/judged.ts';
import type { TunnelDraft } from '../../../shared/tunnels/tunnel.ts';
import { defaultTunnelName, EMPTY_TUNNEL, toDraft } from '../../box/tunnels/tunnel-form.ts';
import { call } from '../../state/bridge.ts';
import { actionFailed } from '../../state/view.ts';
import type { Rental } from './rental-form.ts';

export interface ToldRental extends Rental {
  readonly platform: string;
  readonly forwards: readonly SshForward[];
}

/** All that was said beside its address of a box that is there now. One notice names what main refuses; the rest is kept all the same. */
export async function tellRental(
  { id: boxId, name }: Pick<Box, 'id' | 'name'>,
  { platform, prices, endsAtMs, forwards }: ToldRental,
): Promise<void> {
  const lost: Lost[] = [];
  const keep = async (what: string, answer: Promise<Result<unknown, Problem>>): Promise<void> => {
    const kept = await answer;
    if (!kept.ok) lost.push({ what, problem: kept.error });
  };
  if (!isUnsaid(platform)) {
    await keep('its provider', call('box:set-platform', { boxId, platform }));
  }
  if (prices !== null) {
    await keep('its price', call('meter:set-prices', { boxId, prices, fromMs: 0 }));
  }
  if (endsAtMs !== null) {
    const entries = { ...NOTHING_TOLD, times: { 'rental-end': endsAtMs } };
    await keep('the end of its rental', call('clocks:set-entries', { boxId, entries }));
  }
  for (const forward of forwards) {
    const added = call('tunnel:add', { boxId, draft: draftOf(forward) });
    await keep(`its tunnel from port ${String(forward.listenPort)}`, added);
  }
  const [first] = lost;
  if (first !== undefined) actionFailed({ ...first.problem, message: lostWords(name, lost) });
}

interface Lost {
  readonly what: string;
  readonly problem: Problem;
}

function lostWords(name: string, lost: readonly Lost[]): string {
  const whats = lost.map(({ what }) => what);
  const verb = whats.length === 1 ? 'was' : 'were';
  const why = [...new Set(lost.map(({ problem }) => problem.message))].join(' ');
  return `${name} was added, but ${listWords(whats, whats.length)} ${verb} not kept. ${why}`;
}

function draftOf({ listenPort, target }: SshForward): TunnelDraft {
  const values = {
    ...EMPTY_TUNNEL,
    listenPort: String(listenPort),
    targetHost: target.host,
    targetPort: String(target.port),
  };
  return toDraft({ ...values, name: defaultTunnelName(values) }, null);
}
