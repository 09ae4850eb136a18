import type { AppInfo } from '../../shared/ipc/contract.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Problem } from '../../shared/problem.ts';
import { approvedRoute, type ApproveCommand } from '../boxes/approved-route.ts';
import type { Fleet } from '../boxes/fleet.ts';
import type { DemoService } from '../demo/demo-service.ts';
import type { Log } from '../log/log.ts';
import type { Notices } from '../notices/notices.ts';
import { keepProxyPassword } from '../secrets/proxy-passwords.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { SshConfigService } from '../ssh-config/ssh-config-service.ts';
import type { SettingsStore } from '../storage/settings.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import type { Handlers } from './ipc-router.ts';

export interface HandlerServices {
  readonly log: Log;
  readonly hub: StreamHub;
  readonly fleet: Fleet;
  readonly settings: SettingsStore;
  readonly notices: Notices;
  readonly secrets: Secrets;
  readonly demo: DemoService;
  readonly sshConfig: SshConfigService;
  readonly approveCommand: ApproveCommand;
  readonly appInfo: () => AppInfo;
  readonly openExternal: (url: string) => Promise<Result<null, Problem>>;
  readonly showLog: () => void;
  readonly quit: () => void;
}

/** What each channel does: one line to the service that does it. */
export function createHandlers(services: HandlerServices): Handlers {
  const { log, hub, fleet, settings, notices, secrets, demo, sshConfig } = services;
  return {
    'app:info': () => ok(services.appInfo()),
    'app:open-external': ({ url }) => services.openExternal(url),
    'app:show-log': () => done(services.showLog),
    'app:report-crash': ({ message, stack }) =>
      done(() => log.error('the window reported a bug', { message, stack })),
    'app:quit': () => done(services.quit),
    'stream:open': ({ stream, key }, clientId) => hub.open(clientId, stream, key),
    'stream:close': ({ subscription }, clientId) => done(() => hub.close(clientId, subscription)),
    'settings:change': ({ patch }) => settings.change(patch),
    'notice:dismiss': ({ id }) => done(() => notices.dismiss(id)),
    'box:add': async ({ name, connection }) => {
      const approved = await approvedRoute(connection.route, null, services.approveCommand);
      return approved.ok ? fleet.add(name, connection) : approved;
    },
    'box:edit': async ({ boxId, connection }) => {
      const known = fleet.entries.find(({ box }) => box.id === boxId)?.box.route ?? null;
      const approved = await approvedRoute(connection.route, known, services.approveCommand);
      return approved.ok ? fleet.edit(boxId, connection) : approved;
    },
    'ssh-config:read': async () => ok(await sshConfig.read()),
    'ssh-config:import': async ({ hosts }) => ok(await sshConfig.importHosts(hosts)),
    'ssh-config:apply': ({ boxId, digest }) => sshConfig.apply(boxId, digest),
    'ssh-config:decline': ({ boxId, digest }) => sshConfig.decline(boxId, digest),
    'box:rename': ({ boxId, name }) => fleet.rename(boxId, name),
    'box:forget': ({ boxId }) => fleet.forget(boxId),
    'link:connect': ({ boxId }) => fleet.connect(boxId),
    'link:disconnect': ({ boxId }) => fleet.disconnect(boxId),
    'link:trust-host-key': ({ boxId, fingerprint }) => fleet.trustHostKey(boxId, fingerprint),
    'demo:set-fault': ({ fault, isOn }) => demo.setFault(fault, isOn),
    'secret:keep-proxy-password': ({ proxy, password }) =>
      keepProxyPassword(secrets, proxy, password),
    'secret:forget-all': () => secrets.forgetAll(),
  };
}

function done(act: () => void): { readonly ok: true; readonly value: null } {
  act();
  return ok(null);
}
