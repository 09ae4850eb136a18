import type { Tunnel } from '../../../shared/tunnels/tunnel.ts';
import { call } from '../../state/bridge.ts';
import { actionFailed } from '../../state/view.ts';

// What a row's buttons do. A refusal that the row itself cannot show appears as a notice.

type TunnelChannel =
  | 'tunnel:remove'
  | 'tunnel:start'
  | 'tunnel:stop'
  | 'tunnel:check'
  | 'tunnel:open-browser'
  | 'tunnel:open-window';

export function tunnelAsked(channel: TunnelChannel, boxId: string, { id }: Tunnel): void {
  void call(channel, { boxId, tunnelId: id }).then((answer) => {
    if (!answer.ok) actionFailed(answer.error);
  });
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
