import type { Tunnel } from '../../../shared/tunnels/tunnel.ts';
import { call } from '../../state/bridge.ts';
import { actionFailed } from '../../state/view.ts';
import { tokenCopied } from './services.ts';

// What a row's buttons do. A refusal that the row itself cannot show appears as a notice.

type TunnelChannel = 'tunnel:remove' | 'tunnel:start' | 'tunnel:stop' | 'tunnel:check';

export function tunnelAsked(channel: TunnelChannel, boxId: string, { id }: Tunnel): void {
  void call(channel, { boxId, tunnelId: id }).then((answer) => {
    if (!answer.ok) actionFailed(answer.error);
  });
}

export async function tunnelOpened(
  boxId: string,
  { id, target }: Tunnel,
  where: 'window' | 'browser',
): Promise<void> {
  const opened = await call('tunnel:open', { boxId, tunnelId: id, where });
  if (!opened.ok) actionFailed(opened.error);
  else if (opened.value.isTokenCopied && target !== null) tokenCopied(boxId, target.port);
}

/** The offer beside a taken port. */
export function portChosen(boxId: string, tunnel: Tunnel, listenPort: number): void {
  const { id, isOn: _isOn, ...draft } = tunnel;
  void call('tunnel:change', { boxId, tunnelId: id, draft: { ...draft, listenPort } }).then(
    (answer) => {
      if (!answer.ok) actionFailed(answer.error);
    },
  );
}
