import { parseListeningPorts } from '../../shared/probes/listening-ports.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { JupyterListing } from '../../shared/tunnels/jupyter.ts';
import type { ListeningPorts } from '../../shared/tunnels/listening.ts';
import type { TensorboardReport } from '../../shared/tunnels/tensorboard.ts';
import { tunnelUrl } from '../../shared/tunnels/tunnel-url.ts';
import type { Tunnel, TunnelRow, TunnelService } from '../../shared/tunnels/tunnel.ts';
import { Secret } from '../secrets/secret.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { BoxTunnels } from './box-tunnels.ts';
import { findFreePort, LOOPBACK } from './listener.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import {
  findServices,
  linkFolder,
  lookAtTensorboard,
  startTensorboard,
  stopTensorboard,
} from './tensorboard.ts';

/** What the box serves, ready to be shown: our own end of a tunnel to it. */
export interface ReadyPage {
  readonly origin: string;
  /** SECURITY: may hold a token. Only a window of ours gets it, never the renderer, the log or a command line. */
  readonly firstPath: string;
  readonly title: string;
}

export interface ServicePage extends ReadyPage {
  /** SECURITY: for the clipboard alone, when the person asks for the system browser. Null: the service wants none. */
  readonly token: Secret | null;
}

export interface ServiceOpenerOptions {
  readonly scripts: OnboxScripts;
  /** Where event files are looked for besides the home folder. */
  readonly eventFolders: () => readonly string[];
  /** SECURITY: from then on this never appears in the log. */
  readonly registerSecret: (secret: string) => void;
}

/** Finds what a box serves to people (TensorBoard, Jupyter), starts it when asked, and makes the tunnel to it. */
export class ServiceOpener {
  readonly #options: ServiceOpenerOptions;

  constructor(options: ServiceOpenerOptions) {
    this.#options = options;
  }

  look(of: BoxTunnels): Promise<Result<TensorboardReport, Problem>> {
    return this.#connected(of, (connection) =>
      lookAtTensorboard(connection, this.#options.scripts, this.#options.eventFolders()),
    );
  }

  async pageOfTensorboard(of: BoxTunnels, boxName: string): Promise<Result<ServicePage, Problem>> {
    const looked = await this.look(of);
    if (!looked.ok) return looked;
    const { serving } = looked.value;
    if (serving === null) {
      return err(problem('target-refused', 'No TensorBoard answers on the box.'));
    }
    const origin = await this.#tunnelTo(of, 'tensorboard', 'TensorBoard', serving.port);
    if (!origin.ok) return origin;
    const title = `TensorBoard · ${boxName}`;
    return ok({ origin: origin.value, firstPath: '/', title, token: null });
  }

  start(
    of: BoxTunnels,
    wanted: { readonly logdir: string; readonly port: number },
  ): Promise<Result<TensorboardReport, Problem>> {
    return this.#thenLook(of, (connection) =>
      startTensorboard(connection, this.#options.scripts, wanted),
    );
  }

  stop(of: BoxTunnels, pid: number): Promise<Result<TensorboardReport, Problem>> {
    return this.#thenLook(of, (connection) =>
      stopTensorboard(connection, this.#options.scripts, pid),
    );
  }

  link(
    of: BoxTunnels,
    folders: { readonly from: string; readonly into: string },
  ): Promise<Result<TensorboardReport, Problem>> {
    return this.#thenLook(of, (connection) =>
      linkFolder(connection, this.#options.scripts, folders),
    );
  }

  /** What listens on the box, for whoever wants a tunnel to it. */
  async listListening(of: BoxTunnels): Promise<Result<ListeningPorts, Problem>> {
    const { scripts } = this.#options;
    return this.#connected(of, async (connection) => {
      const ran = await scripts.run(connection, 'listening-ports.sh');
      return ran.ok ? ok(parseListeningPorts(ran.value.stdout)) : ran;
    });
  }

  async listJupyters(of: BoxTunnels): Promise<Result<readonly JupyterListing[], Problem>> {
    const found = await this.#connected(of, (connection) =>
      findServices(connection, this.#options.scripts),
    );
    if (!found.ok) return found;
    return ok(found.value.jupyters.map(({ port, folder }) => ({ port, folder })));
  }

  async pageOfJupyter(
    of: BoxTunnels,
    boxName: string,
    port: number,
  ): Promise<Result<ServicePage, Problem>> {
    const door = await this.#doorOfJupyter(of, port);
    if (!door.ok) return door;
    const origin = await this.#tunnelTo(of, 'jupyter', 'Jupyter', port);
    if (!origin.ok) return origin;
    return ok({ origin: origin.value, title: `Jupyter · ${boxName}`, ...door.value });
  }

  /** What stands behind a tunnel of the list. A Jupyter whose token cannot be had asks for it in its own page. */
  async pageOfTunnel(of: BoxTunnels, tunnelId: string): Promise<Result<ServicePage, Problem>> {
    const origin = listeningOrigin(of, tunnelId);
    if (!origin.ok) return origin;
    const { name, service, target } = origin.value.tunnel;
    const plain = { origin: origin.value.origin, firstPath: '/', title: name, token: null };
    if (service !== 'jupyter' || target?.host !== LOOPBACK) return ok(plain);
    const door = await this.#doorOfJupyter(of, target.port);
    return ok(door.ok ? { ...plain, ...door.value } : plain);
  }

  /** The token is read from the box anew each time and kept nowhere. */
  async #doorOfJupyter(
    of: BoxTunnels,
    port: number,
  ): Promise<Result<Pick<ServicePage, 'firstPath' | 'token'>, Problem>> {
    const found = await this.#connected(of, (connection) =>
      findServices(connection, this.#options.scripts),
    );
    if (!found.ok) return found;
    const server = found.value.jupyters.find((each) => each.port === port);
    if (server === undefined) {
      return err(
        problem('target-refused', `No Jupyter server runs on port ${String(port)} of the box.`),
      );
    }
    this.#options.registerSecret(server.token);
    const query = server.token === '' ? '' : `?token=${encodeURIComponent(server.token)}`;
    return ok({
      firstPath: `${server.basePath}${query}`,
      token: server.token === '' ? null : new Secret(server.token),
    });
  }

  async #thenLook(
    of: BoxTunnels,
    act: (connection: SshConnection) => Promise<Result<null, Problem>>,
  ): Promise<Result<TensorboardReport, Problem>> {
    const done = await this.#connected(of, act);
    return done.ok ? this.look(of) : done;
  }

  async #connected<T>(
    { connection }: BoxTunnels,
    act: (connection: SshConnection) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> {
    if (connection === null) return err(problem('not-connected', 'The box is not connected.'));
    return act(connection);
  }

  /** The tunnel that leads there already, or a new one on the same port here, or the next free one. */
  async #tunnelTo(
    of: BoxTunnels,
    service: TunnelService,
    name: string,
    port: number,
  ): Promise<Result<string, Problem>> {
    const known = of.rows.find(
      ({ tunnel: { kind, target } }) =>
        kind === 'local' && target?.host === LOOPBACK && target.port === port,
    );
    const opened = known === undefined ? await this.#add(of, service, name, port) : ok(known);
    if (!opened.ok) return opened;
    const { tunnel } = opened.value;
    if (!tunnel.isOn) await of.setOn(tunnel.id, true);
    let row = await of.settled(tunnel.id);
    if (row.ok && row.value.state.kind === 'port-taken' && row.value.state.freePort !== null) {
      const { id, isOn: _isOn, ...draft } = tunnel;
      await of.change(id, { ...draft, listenPort: row.value.state.freePort });
      row = await of.settled(id);
    }
    return row.ok ? originOf(row.value) : row;
  }

  async #add(
    of: BoxTunnels,
    service: TunnelService,
    name: string,
    port: number,
  ): Promise<Result<TunnelRow, Problem>> {
    const added = of.add({
      name,
      kind: 'local',
      service,
      listenPort: (await findFreePort(port - 1)) ?? port,
      isExposed: false,
      target: { host: LOOPBACK, port },
    });
    return added.ok ? of.find(added.value.id) : added;
  }
}

/** Where our own listener of this tunnel is. SECURITY: only a port that we hold right now, never one that another program took. */
function listeningOrigin(
  of: BoxTunnels,
  tunnelId: string,
): Result<{ readonly tunnel: Tunnel; readonly origin: string }, Problem> {
  const found = of.find(tunnelId);
  if (!found.ok) return found;
  const { tunnel, state } = found.value;
  const url = tunnelUrl(tunnel);
  if (url === null || state.kind !== 'listening') {
    return err(problem('tunnel-not-open', 'This tunnel is not open for a browser right now.'));
  }
  return ok({ tunnel, origin: url.slice(0, -1) });
}

function originOf({ tunnel, state }: TunnelRow): Result<string, Problem> {
  const url = tunnelUrl(tunnel);
  if (state.kind === 'listening' && url !== null) return ok(url.slice(0, -1));
  if (state.kind === 'failed') return err(state.problem);
  return err(problem('tunnel-not-open', `The tunnel “${tunnel.name}” is not open.`));
}
