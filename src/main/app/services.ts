import { homedir } from 'node:os';
import { join } from 'node:path';
import { loginOf } from '../../shared/boxes/box-login.ts';
import { Fleet } from '../boxes/fleet.ts';
import { watchWake, type WakeWatchOptions } from '../boxes/wake-watch.ts';
import { AlarmBell } from '../clocks/alarm-bell.ts';
import { lookAtJobs, watchWalltimes } from '../clocks/walltime-watch.ts';
import { GotchaBook } from '../gotchas/gotcha-book.ts';
import { OWN_GOTCHAS } from '../gotchas/load-gotchas.ts';
import { OWN_PROFILES } from '../profiles/load-profiles.ts';
import { MountDesk } from '../profiles/mount-desk.ts';
import { openProfiles, type ProfileBook } from '../profiles/profile-book.ts';
import { PushDesk } from '../push/push-desk.ts';
import { PushTargets } from '../push/push-targets.ts';
import { openDemoService, type DemoService } from '../demo/demo-service.ts';
import { Alerts, type AlertNews } from '../alerts/alerts.ts';
import { FindingsWatch } from '../detectors/findings-watch.ts';
import { openHostKeys } from '../known-hosts/host-keys.ts';
import { KNOWN_HOSTS_FILE, openOwnKnownHosts } from '../known-hosts/own-file.ts';
import { openKnownHosts, usualKnownHostsFiles } from '../known-hosts/user-files.ts';
import type { RootLog } from '../log/log.ts';
import { readInstant } from '../meter/instant.ts';
import { forgetOthers } from '../patrol/memory-file.ts';
import { forgetOtherBooks } from '../sentinels/sentinel-file.ts';
import { SentinelWatch, type SentinelNews } from '../sentinels/sentinel-watch.ts';
import { PatrolWatch } from '../patrol/patrol-watch.ts';
import { HolderDesk } from '../processes/holder-desk.ts';
import { Notes } from '../notes/notes.ts';
import { openQuestions, type Questions } from '../questions/questions.ts';
import { RecoveryDesk } from '../recovery/recovery-desk.ts';
import { proxyPassword } from '../secrets/proxy-passwords.ts';
import { SecretCourier } from '../secrets/secret-courier.ts';
import { SentSecrets } from '../secrets/sent-secrets.ts';
import { openSecrets, type Secrets } from '../secrets/secrets.ts';
import { openKeyOffers } from '../ssh/key-offers.ts';
import { forgetUnusedWays } from '../ssh/unused-ways.ts';
import { openLoginDesk, type LoginDesk } from '../ssh/login-desk.ts';
import { createPersons } from '../ssh/persons.ts';
import { localUser, usualPlaces } from '../ssh-config/read-tree.ts';
import { openSshConfig, type SshConfigService } from '../ssh-config/ssh-config-service.ts';
import { marksOfLastSpan } from '../../shared/telemetry/alert-marks.ts';
import { withAllTables } from '../storage/database.ts';
import { SparkWatch } from '../telemetry/spark-watch.ts';
import { Telemetry } from '../telemetry/telemetry.ts';
import { Terminals } from '../terminal/terminals.ts';
import { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { ServiceDesk } from '../tunnels/service-desk.ts';
import { Tunnels } from '../tunnels/tunnels.ts';
import type { Foundation } from './foundation.ts';
import { keyringVault } from './keyring-vault.ts';
import { openMoneyServices, type MoneyServices } from './money-services.ts';

/** Everything that acts, opened once over the foundation and closed once, before it. */
export interface Services extends MoneyServices {
  readonly secrets: Secrets;
  readonly fleet: Fleet;
  readonly telemetry: Telemetry;
  readonly tunnels: Tunnels;
  readonly serviceDesk: ServiceDesk;
  readonly holderDesk: HolderDesk;
  readonly pushDesk: PushDesk;
  readonly demo: DemoService;
  readonly questions: Questions;
  readonly loginDesk: LoginDesk;
  readonly secretCourier: SecretCourier;
  readonly sentSecrets: SentSecrets;
  readonly terminals: Terminals;
  readonly sshConfig: SshConfigService;
  readonly profiles: ProfileBook;
  readonly gotchas: GotchaBook;
  readonly notes: Notes;
  readonly mountDesk: MountDesk;
  readonly recoveryDesk: RecoveryDesk;
  readonly patrols: PatrolWatch;
  readonly sentinels: SentinelWatch;
  readonly sentinelBell: AlarmBell<SentinelNews>;
  readonly alerts: Alerts;
  readonly alertBell: AlarmBell<AlertNews>;
  /** Ends links, the demo box and what they write; resolves when nothing is left. */
  close(): Promise<void>;
}

export interface ServiceFolders {
  readonly data: string;
  /** The demo box's simulated tools. */
  readonly demoTools: string;
  /** The scripts that run on boxes. */
  readonly onbox: string;
  /** The facts of the platforms, as they ship. */
  readonly profiles: string;
  /** The catalog of gotchas, as it ships. */
  readonly gotchas: string;
}

export interface ServiceOptions {
  readonly folders: ServiceFolders;
  readonly log: RootLog;
  readonly watchSystem: WakeWatchOptions['watchSystem'];
}

export async function openServices(
  foundation: Foundation,
  { folders, log, watchSystem }: ServiceOptions,
): Promise<Services> {
  const { hub, notices, settings, isDatabaseKept, fleetTopic, reportProblem } = foundation;
  const database = withAllTables(foundation.database);
  const { secrets, problems: secretProblems } = await openSecrets({
    folder: folders.data,
    vault: keyringVault(),
    redactor: log.redactor,
  });
  const knownHosts = openOwnKnownHosts({
    file: join(folders.data, KNOWN_HOSTS_FILE),
    trusted: database.hostKeys.trusted,
    onProblem: reportProblem,
  });
  // A database of this session only knows less than the file that is there.
  const updateKnownHosts = isDatabaseKept ? knownHosts.update : (): void => undefined;
  const questions = openQuestions(hub);
  const offers = openKeyOffers(hub, settings);
  const persons = createPersons({
    questions,
    secrets,
    redactor: log.redactor,
    onProblem: reportProblem,
    onLogin: (boxId, way) => offers.loggedIn(boxId, way),
  });
  const tunnels = new Tunnels({
    hub,
    store: database.tunnels,
    log: log.child('tunnels'),
    onProblem: reportProblem,
  });
  const scripts = new OnboxScripts(folders.onbox);
  const telemetry = new Telemetry({
    hub,
    table: database.history,
    refusals: database.refusals,
    scripts,
    log: log.child('telemetry'),
    onProblem: reportProblem,
  });
  let forgetting = Promise.resolve();
  const profiles = await openProfiles({
    folders: { shipped: folders.profiles, own: join(folders.data, OWN_PROFILES) },
    hub,
    log: log.child('profiles'),
    onProblem: reportProblem,
    onChange: (platforms) => {
      meter.factsChanged(platforms);
      clocks.look();
    },
  });
  // Before the fleet, whose first boxes these must hear of; what counts money before those who ask it.
  const money = openMoneyServices({
    hub,
    database,
    profileOf: profiles.profileOf,
    secrets,
    redactor: log.redactor,
    settings,
    onProblem: reportProblem,
    onPriced: (boxId) => findings.priceChanged(boxId),
  });
  const { meter, clocks, webhook } = money;
  const findings = new FindingsWatch({ hub, priceOf: (boxId) => meter.pricePerHour(boxId) });
  const alertBell = new AlarmBell<AlertNews>();
  const alerts = new Alerts({
    hub,
    table: database.alerts,
    onNews: (news) => alertBell.ring(news),
    onOver: (boxId, alert) => telemetry.mark(boxId, marksOfLastSpan(alert)),
    onProblem: reportProblem,
  });
  const sparks = new SparkWatch({
    hub,
    pastOf: (...range) => telemetry.loadByMinute(...range),
  });
  const gotchas = new GotchaBook(
    { shipped: folders.gotchas, own: join(folders.data, OWN_GOTCHAS) },
    log.redactor.redact,
  );
  const recoveryDesk = new RecoveryDesk({
    hub,
    dataFolder: folders.data,
    entries: database.entries,
    hostKeys: database.hostKeys,
    profileOf: profiles.profileOf,
    gotchas: () => gotchas.list(),
    connectionOf: (boxId) => fleet.connectionOf(boxId),
    scripts,
    redact: (text) => log.redactor.redact(text),
    onProblem: reportProblem,
  });
  const patrols = new PatrolWatch({
    hub,
    connectionOf: (boxId) => fleet.connectionOf(boxId),
    scripts,
    dataFolder: folders.data,
    everyMs: () => settings.current().patrolEveryMin * 60_000,
    upMs: () => readInstant().upMs,
    log: log.child('patrol'),
  });
  const sentinelBell = new AlarmBell<SentinelNews>();
  const sentinels = new SentinelWatch({
    hub,
    connectionOf: (boxId) => fleet.connectionOf(boxId),
    scripts,
    dataFolder: folders.data,
    redact: (text) => log.redactor.redact(text),
    onProblem: reportProblem,
    onNews: (news) => {
      webhook.takeSentinel(news);
      sentinelBell.ring(news);
      // Why a run ended, a patrol says.
      const isProcess = news.kind === 'over' && news.over.awaited.kind === 'process';
      if (isProcess && news.over.end === 'happened') void patrols.now(news.box.id);
    },
  });
  const stopFollowingSettings = settings.onChange(() => patrols.settingsChanged());
  const fleet = new Fleet({
    topic: fleetTopic,
    boxes: {
      ...database.boxes,
      forget: (boxId) => {
        const forgotten = database.boxes.forget(boxId);
        // Its key is not trusted any more, so ssh must not go on trusting it either.
        if (forgotten.ok) updateKnownHosts();
        return forgotten;
      },
    },
    hostKeys: openHostKeys({
      table: database.hostKeys,
      knownElsewhere: openKnownHosts(usualKnownHostsFiles(process.env, process.platform)),
      onChange: updateKnownHosts,
    }),
    forgetUnusedWays: (used) => {
      forgetting = forgetting.then(() =>
        forgetUnusedWays(used, {
          keepHopKeys: (machineIds) => {
            const kept = database.hostKeys.keepHops(machineIds);
            if (kept.ok) updateKnownHosts();
            return kept;
          },
          persons,
          secrets,
          onProblem: reportProblem,
        }),
      );
    },
    proxyPassword: (proxy) => proxyPassword(secrets, proxy),
    gatherCredentials: async (machine, signal, wayTo) => {
      const { gatherCredentials } = await import('../ssh/credentials.ts');
      return gatherCredentials({
        boxName: machine.name,
        login: loginOf(machine, offers.installedKey(machine.id)),
        env: process.env,
        platform: process.platform,
        person: persons.forMachine(machine, wayTo),
        signal,
      });
    },
    telemetry,
    tunnels,
    onReceived: (boxId, bytes) => meter.received(boxId, bytes),
    log: log.child('fleet'),
  });
  const loginDesk = openLoginDesk({
    fleet,
    persons,
    secrets,
    offers,
    env: process.env,
    onProblem: reportProblem,
  });
  const unreadableBoxes = fleet.loadStored();
  // Of boxes that cannot be read nothing may be forgotten.
  if (isDatabaseKept && unreadableBoxes.length === 0) {
    const listed = fleet.entries.map(({ box }) => box.id);
    void recoveryDesk.sweep(fleet.entries.map(({ box }) => box.id));
    for (const sweep of [forgetOthers, forgetOtherBooks]) {
      void sweep(folders.data, listed).then((swept) => {
        if (!swept.ok) reportProblem(swept.error);
      });
    }
  }
  const sshConfig = openSshConfig({
    hub,
    fleet,
    places: usualPlaces(homedir(), process.env),
    local: localUser(process.env),
    log: log.child('ssh config'),
  });
  const demo = openDemoService({
    hub,
    fleet,
    settings,
    notices,
    toolsFolder: folders.demoTools,
    log: log.child('demo'),
  });
  const sentSecrets = new SentSecrets({
    table: database.sentSecrets,
    connectionOf: (boxId) => fleet.connectionOf(boxId),
    scripts,
    onProblem: reportProblem,
  });
  const secretCourier = new SecretCourier({
    connectionOf: (boxId) => fleet.connectionOf(boxId),
    scripts,
    sent: sentSecrets,
    secrets,
    redactor: log.redactor,
    onProblem: reportProblem,
  });
  const terminals = new Terminals({
    connectionOf: (boxId) => fleet.connectionOf(boxId),
    onOpened: (boxId, failed) => fleet.terminalWasOpened(boxId, failed),
    log: log.child('terminal'),
  });
  fleet.onChange(({ box, link }, before) => {
    if (link.kind === 'up' && before?.link.kind !== 'up') terminals.linkIsUp(box.id);
  });
  const stopWalltimes = watchWalltimes({
    hub,
    hasWalltime: (platform) => {
      const rules = profiles.profileOf(platform)?.clocks.map(({ rule }) => rule) ?? [];
      return rules.some((rule) => rule.kind === 'set' && rule.what === 'walltime');
    },
    look: lookAtJobs((boxId) => fleet.connectionOf(boxId), scripts),
    onWalltimes: (boxId, walltimes) => clocks.setWalltimes(boxId, walltimes),
    log: log.child('walltime'),
  });
  const stopWatching = watchWake({
    watchSystem,
    onWake: (because) => {
      log.info('looking at every link', { because });
      fleet.wake();
      clocks.look();
      alerts.look();
      patrols.wake();
      sentinels.wake();
      webhook.look();
    },
  });
  for (const found of [...secretProblems, ...unreadableBoxes]) reportProblem(found);
  updateKnownHosts();

  return {
    secrets,
    fleet,
    telemetry,
    tunnels,
    serviceDesk: new ServiceDesk({
      scripts,
      registerSecret: (secret) => log.redactor.register(secret),
    }),
    pushDesk: new PushDesk({
      connectionOf: (boxId) => fleet.connectionOf(boxId),
      nameOf: (boxId) => fleet.entries.find(({ box }) => box.id === boxId)?.box.name ?? 'a box',
      runOf: (boxId, runKey) => patrols.runOf(boxId, runKey),
      targets: new PushTargets({ webhook, secrets, redactor: log.redactor }),
      scripts,
      redact: log.redactor.redact,
      onProblem: reportProblem,
    }),
    holderDesk: new HolderDesk({ connectionOf: (boxId) => fleet.connectionOf(boxId), scripts }),
    demo,
    questions,
    loginDesk,
    secretCourier,
    sentSecrets,
    terminals,
    sshConfig,
    profiles,
    gotchas,
    notes: new Notes({ table: database.notes, redact: log.redactor.redact }),
    mountDesk: new MountDesk({ connectionOf: (boxId) => fleet.connectionOf(boxId), scripts }),
    ...money,
    recoveryDesk,
    patrols,
    sentinels,
    sentinelBell,
    alerts,
    alertBell,
    close: async () => {
      stopWatching();
      stopWalltimes();
      loginDesk.close();
      secretCourier.close();
      terminals.dispose();
      sshConfig.close();
      await demo.dispose();
      // Before the fleet: a box that is not listed any more is one that was forgotten.
      stopFollowingSettings();
      await patrols.close();
      await sentinels.close();
      await recoveryDesk.close();
      fleet.dispose();
      await forgetting;
      profiles.close();
      alerts.close();
      findings.close();
      await money.close();
      sparks.close();
      await sparks.settled();
      telemetry.close();
      await tunnels.settled();
      await knownHosts.settled();
    },
  };
}
