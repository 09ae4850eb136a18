import { homedir } from 'node:os';
import { DEMO_PLATFORM } from '../../../shared/demo/demo-platform.ts';
import { linkNews } from '../../../shared/news/kinds/link-news.ts';
import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import { approvedRoute } from '../../boxes/approved-route.ts';
import { Fleet } from '../../boxes/fleet.ts';
import { openDemoService, type DemoService } from '../../demo/demo-service.ts';
import { localUser, usualPlaces } from '../../ssh-config/read-tree.ts';
import { openSshConfig } from '../../ssh-config/ssh-config-service.ts';
import { Terminals } from '../../terminal/terminals.ts';
import { ServiceOpener } from '../../tunnels/service-opener.ts';
import { Tunnels } from '../../tunnels/tunnels.ts';
import { Closer } from '../closer.ts';
import type { LateHandlers } from '../endpoints.ts';
import { tunnelHandlers } from '../tunnel-handlers.ts';
import type { Access } from './access.ts';
import type { MoneyWing } from './money.ts';
import type { TeardownWing } from './teardown.ts';
import type { Watching } from './watching.ts';
import type { Ground, Wing } from './wing.ts';

export interface Boxes extends Wing {
  readonly handlers: Pick<LateHandlers, BoxesChannel>;
  readonly demo: DemoService;
  readonly terminals: Terminals;
  /** What could not be read of the stored boxes. */
  readonly unreadable: readonly Problem[];
}

type BoxesChannel = Exclude<
  Extract<
    keyof LateHandlers,
    `${'box' | 'demo' | 'jupyter' | 'link' | 'ssh-config' | 'tensorboard' | 'terminal' | 'tmux' | 'tunnel'}:${string}`
  >,
  'box:mounts'
>;

/** The boxes themselves: their links, and what runs over those. From here on the roster fills. */
export function openBoxes(
  ground: Ground,
  { ways, loginActions, boxForgotten }: Access,
  { telemetry }: Watching,
  { meter, clocks, entries }: MoneyWing,
  { links, archivesBy, endOnRecord, isUnderWay, change }: TeardownWing,
): Boxes {
  const { hub, settings, notices, roster, database, folders, log, scripts, profiles } = ground;
  const { news, desktop, reportProblem: onProblem } = ground;
  const { openOwnPort, openServiceWindow, copySecret, approveCommand } = desktop;
  const closer = new Closer();
  const tunnels = new Tunnels({
    hub,
    store: database.tunnels,
    log: log.child('tunnels'),
    onProblem,
  });
  closer.add(() => tunnels.settled());
  const fleet = new Fleet({
    gatewayAt: profiles.gatewayAt,
    ...{ endOnRecord, isUnderWay },
    ...ways,
    roster,
    boxes: {
      ...database.boxes,
      forget: (boxId) => {
        const forgotten = database.boxes.forget(boxId);
        if (forgotten.ok) boxForgotten();
        return forgotten;
      },
    },
    telemetry,
    tunnels,
    onReceived: (boxId, bytes) => meter.received(boxId, bytes),
    log: log.child('fleet'),
  });
  closer.add(() => fleet.dispose());
  closer.add(archivesBy((boxId, atMs) => fleet.archive(boxId, atMs)));
  const unreadable = fleet.loadStored();
  const sshConfig = openSshConfig({
    hub,
    roster,
    fleet,
    places: usualPlaces(homedir(), process.env),
    local: localUser(process.env),
    log: log.child('ssh config'),
  });
  closer.add(() => sshConfig.close());
  const demo = openDemoService({
    hub,
    fleet,
    settings,
    notices,
    entries,
    setAccount: (...said) => clocks.setAccount(...said),
    ...{ links, isUnderWay, isDatabaseKept: ground.isDatabaseKept },
    ...{ toolsFolder: folders.demoTools, dataFolder: folders.data },
    log: log.child('demo'),
  });
  closer.add(() => demo.dispose());
  const terminals = new Terminals({
    roster,
    onOpened: (boxId, failed) => fleet.terminalWasOpened(boxId, failed),
    log: log.child('terminal'),
  });
  closer.add(() => terminals.dispose());
  closer.add(
    roster.follow({
      changed: ({ box, link }, before) => {
        news.tell(linkNews, { box, before: before.link, after: link });
        if (link.kind === 'up' && before.link.kind !== 'up') terminals.linkIsUp(box.id);
      },
    }),
  );
  const serviceOpener = new ServiceOpener({
    scripts,
    // An image may bring the folder that another platform made usual, so those of all are searched.
    eventFolders: () => profiles.watchedOn(null).places['event-files'],
    registerSecret: (secret) => log.redactor.register(secret),
  });
  return {
    demo,
    terminals,
    unreadable,
    handlers: {
      ...tunnelHandlers({
        tunnels,
        serviceOpener,
        roster,
        openOwnPort,
        openServiceWindow,
        copySecret,
      }),
      'box:add': async ({ name, connection }) => {
        const approved = await approvedRoute(connection.route, null, approveCommand);
        return approved.ok ? fleet.add(name, connection) : approved;
      },
      'box:edit': async ({ boxId, connection }) => {
        const known = roster.boxOf(boxId)?.route ?? null;
        const approved = await approvedRoute(connection.route, known, approveCommand);
        return approved.ok ? fleet.edit(boxId, connection) : approved;
      },
      'box:rename': ({ boxId, name }) => fleet.rename(boxId, name),
      'box:tag': ({ boxId, tags }) => fleet.tag(boxId, tags),
      'box:set-platform': ({ boxId, platform }) =>
        profiles.profileOf(platform) === null || platform === DEMO_PLATFORM
          ? err(problem('bad-input', `There is no profile “${platform}”.`))
          : fleet.setPlatform(boxId, platform),
      'box:forget': async ({ boxId }) => {
        const forgotten = fleet.forget(boxId);
        if (forgotten.ok) await loginActions.forgetBox(boxId);
        return forgotten;
      },
      'box:check-ssh': ({ boxId }) => fleet.checkFlavour(boxId),
      'box:identity': ({ boxId }) => fleet.identity(boxId),
      'link:connect': ({ boxId }) => roster.connect(boxId),
      'link:disconnect': ({ boxId }) => roster.disconnect(boxId),
      'link:trust-host-key': ({ boxId, fingerprint, expected }) =>
        fleet.trustHostKey(boxId, fingerprint, expected),
      'link:replace-host-key': ({ boxId, plan, phrase }) =>
        fleet.replaceHostKey(boxId, plan, phrase),
      'ssh-config:read': async () => ok(await sshConfig.read()),
      'ssh-config:import': async ({ hosts }) => ok(await sshConfig.importHosts(hosts)),
      'ssh-config:apply': ({ boxId, digest }) => sshConfig.apply(boxId, digest),
      'ssh-config:decline': ({ boxId, digest }) => sshConfig.decline(boxId, digest),
      'demo:set-fault': ({ fault, isOn }) => demo.setFault(fault, isOn),
      'terminal:open': (request, clientId) =>
        terminals.open(request, clientId, () => desktop.handOverPort(clientId, request.terminalId)),
      'tmux:list': ({ boxId }) => terminals.listTmux(boxId),
      'tmux:kill': ({ boxId, session }) =>
        change(boxId, { does: 'end-work', about: session.id }, (pass) =>
          terminals.killTmux(boxId, session, pass),
        ),
    },
    wake: () => fleet.wake(),
    close: () => closer.close(),
  };
}
