import type { AppInfo } from '../../shared/ipc/contract.ts';
import { ok } from '../../shared/result.ts';
import { approvedRoute } from '../boxes/approved-route.ts';
import { keepProxyPassword } from '../secrets/proxy-passwords.ts';
import { gotchaHandlers } from './gotcha-handlers.ts';
import { historyHandlers } from './history-handlers.ts';
import { meterHandlers } from './meter-handlers.ts';
import { profileHandlers } from './profile-handlers.ts';
import { pushHandlers } from './push-handlers.ts';
import { sentinelHandlers } from './sentinel-handlers.ts';
import { done } from './ipc-router.ts';
import type { LateHandlers } from './endpoints.ts';
import type { Services } from './services.ts';
import { tunnelHandlers } from './tunnel-handlers.ts';
import type { WindowActions } from './window-actions.ts';

export interface HandlerServices extends Omit<Services, 'close'>, WindowActions {
  readonly appInfo: () => AppInfo;
}

/** What each channel does: one line to the service that does it. */
export function createHandlers(services: HandlerServices): LateHandlers {
  const { fleet, secrets, demo, holderDesk, alerts } = services;
  const { questions, loginDesk, secretCourier, sentSecrets, terminals, sshConfig } = services;
  return {
    'app:info': () => ok(services.appInfo()),
    'app:print': () => services.printPage(),
    'app:open-external': ({ url }) => services.openExternal(url),
    'app:open-box-link': ({ url }) => services.openBoxLink(url),
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
    'box:tag': ({ boxId, tags }) => fleet.tag(boxId, tags),
    'box:forget': async ({ boxId }) => {
      const forgotten = fleet.forget(boxId);
      if (forgotten.ok) await loginDesk.forgetBox(boxId);
      return forgotten;
    },
    'link:connect': ({ boxId }) => fleet.connect(boxId),
    'link:disconnect': ({ boxId }) => fleet.disconnect(boxId),
    'link:trust-host-key': ({ boxId, fingerprint, expected }) =>
      fleet.trustHostKey(boxId, fingerprint, expected),
    'link:replace-host-key': ({ boxId, fingerprint, phrase }) =>
      fleet.replaceHostKey(boxId, fingerprint, phrase),
    'box:check-ssh': ({ boxId }) => fleet.checkFlavour(boxId),
    'box:identity': ({ boxId }) => fleet.identity(boxId),
    'recovery:read': ({ boxId }) => services.recoveryDesk.read(boxId),
    'recovery:set-copy': ({ boxId, isWanted }) => services.recoveryDesk.setCopy(boxId, isWanted),
    'patrol:now': ({ boxId }) => services.patrols.now(boxId),
    'patrol:dismiss': ({ boxId, key }) => services.patrols.dismiss(boxId, key),
    'gpu-holders:look': ({ boxId }) => holderDesk.look(boxId),
    'gpu-holders:end': ({ boxId, ...wanted }) => holderDesk.end(boxId, wanted),
    'demo:set-fault': ({ fault, isOn }) => demo.setFault(fault, isOn),
    'terminal:open': (request, clientId) =>
      terminals.open(request, clientId, () => services.handOverPort(clientId, request.terminalId)),
    'tmux:list': ({ boxId }) => terminals.listTmux(boxId),
    'tmux:kill': ({ boxId, session }) => terminals.killTmux(boxId, session),
    'question:answer': ({ id, values, isToBeKept }) => questions.answer(id, values, isToBeKept),
    'question:dismiss': ({ id }) => questions.dismiss(id),
    'key:choices': () => loginDesk.keyChoices(),
    'key:install': ({ boxId, publicKeyFile }) => loginDesk.installKey(boxId, publicKeyFile),
    'key:dismiss-offer': ({ boxId }) => loginDesk.dismissOffer(boxId),
    'secret:list': () => ok(loginDesk.secrets()),
    'secret:send': ({ boxId, ...wanted }) => secretCourier.send(boxId, wanted),
    'secret:stop-sending': ({ boxId }) => done(() => secretCourier.stop(boxId)),
    'secret:on-box': ({ boxId }) => sentSecrets.list(boxId),
    'secret:remove-from-box': ({ boxId, path }) => sentSecrets.remove(boxId, path),
    'secret:forget': ({ name }) => loginDesk.forgetSecret(name),
    'secret:forget-all': () => loginDesk.forgetAllSecrets(),
    'secret:keep-proxy-password': ({ proxy, password }) =>
      keepProxyPassword(secrets, proxy, password),
    'alerts:seen': ({ boxId }) => alerts.seen(boxId),
    'alerts:snooze': ({ boxId, alertId, untilMs }) => alerts.snooze(boxId, alertId, untilMs),
    'alerts:dismiss': ({ boxId, alertId }) => alerts.dismiss(boxId, alertId),
    ...gotchaHandlers(services),
    ...historyHandlers(services),
    ...meterHandlers(services),
    ...profileHandlers(services),
    ...sentinelHandlers(services),
    ...pushHandlers(services),
    ...tunnelHandlers(services),
  };
}
