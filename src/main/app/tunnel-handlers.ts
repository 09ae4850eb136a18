import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { OpenedService } from '../../shared/tunnels/jupyter.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { Secret } from '../secrets/secret.ts';
import type { BoxTunnels } from '../tunnels/box-tunnels.ts';
import type { ReadyPage, ServiceOpener, ServicePage } from '../tunnels/service-opener.ts';
import type { Tunnels } from '../tunnels/tunnels.ts';
import type { Handlers } from './ipc-router.ts';

export interface TunnelHandlerServices {
  readonly tunnels: Pick<Tunnels, 'of'>;
  readonly serviceOpener: ServiceOpener;
  readonly roster: Pick<BoxRoster, 'boxOf'>;
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
  serviceOpener,
  roster,
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
  const nameOf = (boxId: string): string => roster.boxOf(boxId)?.name ?? '';
  async function show(
    page: ServicePage,
    where: 'window' | 'browser',
  ): Promise<Result<OpenedService, Problem>> {
    if (where === 'window') {
      openServiceWindow(page);
      return ok({ isTokenCopied: false });
    }
    // SECURITY: an address with the token would stand on the browser's command line and in its history.
    const opened = await openOwnPort(`${page.origin}/`);
    if (!opened.ok) return opened;
    if (page.token !== null) copySecret(page.token);
    return ok({ isTokenCopied: page.token !== null });
  }
  return {
    'tunnel:add': ({ boxId, draft }) => on(boxId, (of) => of.add(draft)),
    'tunnel:change': ({ boxId, tunnelId, draft }) => on(boxId, (of) => of.change(tunnelId, draft)),
    'tunnel:remove': ({ boxId, tunnelId }) => on(boxId, (of) => of.remove(tunnelId)),
    'tunnel:start': ({ boxId, tunnelId }) => on(boxId, (of) => of.setOn(tunnelId, true)),
    'tunnel:stop': ({ boxId, tunnelId }) => on(boxId, (of) => of.setOn(tunnelId, false)),
    'tunnel:check': ({ boxId, tunnelId }) => on(boxId, (of) => of.check(tunnelId)),
    'tunnel:open': ({ boxId, tunnelId, where }) =>
      on(boxId, async (of) => {
        const page = await serviceOpener.pageOfTunnel(of, tunnelId);
        return page.ok ? show(page.value, where) : page;
      }),
    'tunnel:listening': ({ boxId }) => on(boxId, (of) => serviceOpener.listListening(of)),
    'tensorboard:look': ({ boxId }) => on(boxId, (of) => serviceOpener.look(of)),
    'tensorboard:open': ({ boxId, where }) =>
      on(boxId, async (of) => {
        const page = await serviceOpener.pageOfTensorboard(of, nameOf(boxId));
        const shown = page.ok ? await show(page.value, where) : page;
        return shown.ok ? ok(null) : shown;
      }),
    'tensorboard:start': ({ boxId, ...wanted }) =>
      on(boxId, (of) => serviceOpener.start(of, wanted)),
    'tensorboard:stop': ({ boxId, pid }) => on(boxId, (of) => serviceOpener.stop(of, pid)),
    'tensorboard:link': ({ boxId, ...folders }) =>
      on(boxId, (of) => serviceOpener.link(of, folders)),
    'jupyter:list': ({ boxId }) => on(boxId, (of) => serviceOpener.listJupyters(of)),
    'jupyter:open': ({ boxId, port, where }) =>
      on(boxId, async (of) => {
        const page = await serviceOpener.pageOfJupyter(of, nameOf(boxId), port);
        if (!page.ok) return page;
        return show(page.value, where);
      }),
  };
}
