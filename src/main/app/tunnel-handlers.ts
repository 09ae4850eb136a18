import type { Problem } from '../../shared/problem.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { tunnelUrl } from '../../shared/tunnels/tunnel-url.ts';
import type { Fleet } from '../boxes/fleet.ts';
import type { Secret } from '../secrets/secret.ts';
import type { BoxTunnels } from '../tunnels/box-tunnels.ts';
import type { ReadyPage, ServiceDesk } from '../tunnels/service-desk.ts';
import type { Tunnels } from '../tunnels/tunnels.ts';
import type { Handlers } from './ipc-router.ts';

export interface TunnelHandlerServices {
  readonly tunnels: Tunnels;
  readonly serviceDesk: ServiceDesk;
  readonly fleet: Pick<Fleet, 'entries'>;
  /** Opens our own end of a tunnel in the system browser. */
  readonly openOwnPort: (url: string) => Promise<Result<null, Problem>>;
  readonly openServiceWindow: (page: ReadyPage) => void;
  /** Puts a secret into the system's clipboard, because the person has just asked for it. */
  readonly copySecret: (secret: Secret) => void;
}

type TunnelHandlers = Pick<
  Handlers,
  Extract<keyof Handlers, `${'tunnel' | 'tensorboard' | 'jupyter'}:${string}`>
>;

/** What the tunnel channels do. */
export function tunnelHandlers({
  tunnels,
  serviceDesk,
  fleet,
  openOwnPort,
  openServiceWindow,
  copySecret,
}: TunnelHandlerServices): TunnelHandlers {
  const on = <T>(
    boxId: string,
    act: (of: BoxTunnels) => Result<T, Problem> | Promise<Result<T, Problem>>,
  ): Result<T, Problem> | Promise<Result<T, Problem>> => {
    const found = tunnels.of(boxId);
    return found.ok ? act(found.value) : found;
  };
  const nameOf = (boxId: string): string =>
    fleet.entries.find(({ box }) => box.id === boxId)?.box.name ?? '';
  return {
    'tunnel:add': ({ boxId, draft }) => on(boxId, (of) => of.add(draft)),
    'tunnel:change': ({ boxId, tunnelId, draft }) => on(boxId, (of) => of.change(tunnelId, draft)),
    'tunnel:remove': ({ boxId, tunnelId }) => on(boxId, (of) => of.remove(tunnelId)),
    'tunnel:start': ({ boxId, tunnelId }) => on(boxId, (of) => of.setOn(tunnelId, true)),
    'tunnel:stop': ({ boxId, tunnelId }) => on(boxId, (of) => of.setOn(tunnelId, false)),
    'tunnel:check': ({ boxId, tunnelId }) => on(boxId, (of) => of.check(tunnelId)),
    'tunnel:open-browser': ({ boxId, tunnelId }) =>
      on(boxId, (of) => {
        const url = listeningUrl(of, tunnelId);
        return url.ok ? openOwnPort(url.value) : url;
      }),
    'tunnel:open-window': ({ boxId, tunnelId }) =>
      on(boxId, (of) => {
        const url = listeningUrl(of, tunnelId);
        if (!url.ok) return url;
        const title = of.find(tunnelId);
        const name = title.ok ? title.value.tunnel.name : '';
        openServiceWindow({ origin: url.value.slice(0, -1), firstPath: '/', title: name });
        return ok(null);
      }),
    'tensorboard:look': ({ boxId }) => on(boxId, (of) => serviceDesk.look(of)),
    'tensorboard:open': ({ boxId, where }) =>
      on(boxId, async (of) => {
        const page = await serviceDesk.pageOfTensorboard(of, nameOf(boxId));
        if (!page.ok) return page;
        if (where === 'browser') return openOwnPort(`${page.value.origin}/`);
        openServiceWindow(page.value);
        return ok(null);
      }),
    'tensorboard:start': ({ boxId, ...wanted }) => on(boxId, (of) => serviceDesk.start(of, wanted)),
    'tensorboard:stop': ({ boxId, pid }) => on(boxId, (of) => serviceDesk.stop(of, pid)),
    'tensorboard:link': ({ boxId, ...folders }) => on(boxId, (of) => serviceDesk.link(of, folders)),
    'jupyter:list': ({ boxId }) => on(boxId, (of) => serviceDesk.listJupyters(of)),
    'jupyter:open': ({ boxId, port, where }) =>
      on(boxId, async (of) => {
        const page = await serviceDesk.pageOfJupyter(of, nameOf(boxId), port);
        if (!page.ok) return page;
        const { origin, token } = page.value;
        if (where === 'window') {
          openServiceWindow(page.value);
          return ok({ isTokenCopied: false });
        }
        // SECURITY: an address with the token would stand on the browser's command line and in its history.
        const opened = await openOwnPort(`${origin}/`);
        if (!opened.ok) return opened;
        if (token !== null) copySecret(token);
        return ok({ isTokenCopied: token !== null });
      }),
  };
}

/** Where our own listener of this tunnel is. SECURITY: only a port that we hold right now, never one that another program took. */
export function listeningUrl(of: BoxTunnels, tunnelId: string): Result<string, Problem> {
  const found = of.find(tunnelId);
  if (!found.ok) return found;
  const url = tunnelUrl(found.value.tunnel);
  if (url === null || found.value.state.kind !== 'listening') {
    return err(problem('tunnel-not-open', 'This tunnel is not open for a browser right now.'));
  }
  return ok(url);
}
