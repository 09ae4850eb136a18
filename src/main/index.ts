import { join } from 'node:path';
import { app, clipboard, nativeTheme, session, shell } from 'electron';
import { approveCommand } from './app/approve-command.ts';
import { chooseFile } from './app/choose-file.ts';
import { declareAppScheme, serveApp } from './app/app-protocol.ts';
import type { Core } from './app/core.ts';
import { handleCrashes } from './app/crash.ts';
import { renderCrashPage } from './app/crash-page.ts';
import { openBoxLink } from './app/box-link.ts';
import { serveIpc } from './app/ipc.ts';
import { lockDownContents, openExternal, openFolder, openOwnPort } from './app/lock-down.ts';
import { lockDownSession } from './app/lock-session.ts';
import { connectToHub, MainWindow } from './app/main-window.ts';
import type { Services } from './app/services.ts';
import { setAppMenu } from './app/menu.ts';
import { printPage } from './app/print-page.ts';
import {
  notifyAboutAlerts,
  notifyAboutBudgets,
  notifyAboutClocks,
  notifyAboutLinks,
  notifyAboutQuestions,
  notifyAboutSentinels,
} from './app/notifications.ts';
import { watchSystem } from './app/system-events.ts';
import { resourcePaths } from './app/resource-paths.ts';
import { openServiceWindow } from './app/service-window.ts';
import { closeTerminalsWith, handOverPort } from './app/terminal-port.ts';
import { createTray, followFleet } from './app/tray.ts';
import { createWindow, setWindowIcon, showApp } from './app/window.ts';
import { openWindowState } from './app/window-state-file.ts';
import { createLog, type Log } from './log/log.ts';
import { chromiumFolder } from './app/chromium-folder.ts';
import { useCodeCache } from './code-cache/code-cache.ts';
import { dataFolder } from './storage/data-folder.ts';

/** Quitting waits this long for boxes and files; a hanging disk must not keep the app alive. */
const CLOSE_TIMEOUT_MS = 5000;

const RESOURCES = resourcePaths({
  isPackaged: app.isPackaged,
  resourcesPath: process.resourcesPath,
  appPath: app.getAppPath(),
});
/** Rendered from resources/icon at build time. */
const ICONS = join(__dirname, '../icons');
const WINDOW_ICON = join(ICONS, 'app-256.png');
const TRAY_ICON = join(ICONS, process.platform === 'darwin' ? 'tray-template.png' : 'tray.png');

const codeCacheUse = useCodeCache(join(__dirname, 'chunks'), join(__dirname, '../code-cache'));

const folder = dataFolder(process.env, process.platform);
app.setPath('userData', chromiumFolder(folder));
app.setName('Leasehold');
app.setAppUserModelId('dev.leasehold.app');
// The scripts add that switch for uid 0 alone, where Chromium does not start otherwise; both at once crash it.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
// One process less to start. Nothing is given up where that service has no sandbox of its own, as on Linux (decision 7).
if (process.platform === 'linux') {
  app.commandLine.appendSwitch('enable-features', 'NetworkServiceInProcess2');
}
declareAppScheme();

// Two windows over one database and one set of links would fight; the second start only brings the first to the front.
if (app.requestSingleInstanceLock()) void run();
else app.exit(0);

async function run(): Promise<void> {
  let onOpened: (core: Core) => void = () => undefined;
  const core = new Promise<Core>((resolve) => (onOpened = resolve));
  let onActing: (services: Services) => void = () => undefined;
  const acting = new Promise<Services>((resolve) => (onActing = resolve));
  const log = createLog({
    folder: join(folder, 'logs'),
    level: 'info',
    onWriteFailure: (failed) => void core.then(({ notices }) => notices.add(failed)),
  });
  log.info('starting', { version: app.getVersion(), electron: process.versions.electron });
  const crashes = handleCrashes(log, () => window.current);
  lockDownContents(log);
  const windowState = openWindowState(folder, log);
  let isQuitting = false;
  // The fleet stands on the screen, or the window cannot show it.
  let onShown = (): void => undefined;
  const shown = new Promise<void>((resolve) => (onShown = resolve));
  let firstLoad: Promise<void> | undefined;
  let opened: Core | null = null;
  let services: Services | null = null;

  const window = new MainWindow(() => {
    const created = createWindow({
      state: windowState.current(),
      onStateChange: windowState.change,
    });
    crashes.guard(created);
    created.once('closed', onShown);
    created.webContents.once('did-fail-load', onShown);
    created.webContents.once('render-process-gone', onShown);
    created.on('close', (event) => {
      if (isQuitting || opened?.settings.current().keepInTray !== true) return;
      event.preventDefault();
      created.hide();
    });
    void core.then(({ hub }) => connectToHub(created, hub));
    void acting.then(({ terminals }) => closeTerminalsWith(created, terminals));
    // A window in the tray can be brought back to answer; one that is gone cannot. Where closing it quits, links end
    // anyway, and their questions with them.
    created.on('closed', () => {
      if (process.platform === 'darwin' && !isQuitting) services?.questions.dismissAll();
    });
    const loaded = showApp(created).catch((cause: unknown) => {
      // A page that was still loading when the person quit is missed by nobody.
      if (!isQuitting) log.error('the window did not load', { cause });
    });
    firstLoad ??= loaded;
    return created;
  });
  app.on('second-instance', () => window.show());
  app.on('activate', () => window.show());
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });

  await app.whenReady();
  lockDownSession(session.defaultSession, log);
  const scriptsServed = serveApp(session.defaultSession, join(__dirname, '../renderer'), () =>
    renderCrashPage({ ...crashes.current(), logFile: log.file }),
  );
  serveIpc(
    async (...message) => {
      const { route } = await core;
      return route(...message);
    },
    () => window.current,
  );
  nativeTheme.themeSource = windowState.current().theme;
  window.show();
  app.on('before-quit', (event) => {
    if (isQuitting) return;
    isQuitting = true;
    event.preventDefault();
    const closing = [core.then((each) => each.close()), windowState.settled()];
    void closeAll(log, closing).then(() => app.quit());
  });
  // The window's process now works on its scripts, on another core; a page that fails to load must not hold up the rest.
  await Promise.race([scriptsServed, firstLoad]);
  const { openCore } = await import('./app/core.ts');
  opened = await openCore({
    folders: {
      data: folder,
      ...RESOURCES,
    },
    log,
    watchSystem,
    approveCommand: (command) => approveCommand(window.current, command),
    chooseFile: (suggested, kind) => chooseFile(window.current, suggested, kind),
    printPage: () => printPage(window.current),
    openExternal: (url) => openExternal(url, log),
    openFolder,
    openOwnPort: (url) => openOwnPort(url, log),
    openServiceWindow: (page) => void openServiceWindow(page, log),
    copySecret: (secret) => void clipboard.writeText(secret.reveal()),
    openBoxLink: (url) => openBoxLink(url, window.current, log),
    handOverPort: (clientId, terminalId) => handOverPort(window.current, clientId, terminalId),
    showLog,
    onWindowShown: () => {
      setWindowIcon(window.current, WINDOW_ICON);
      onShown();
    },
    quit: () => app.quit(),
  });
  onOpened(opened);
  followTheme(opened);
  // What the window does not need for its first paint waits for it.
  await shown;
  if (isQuitting) return;
  services = await opened.services();
  if (isQuitting) return; // they are being closed already
  log.info('loaded', { ...codeCacheUse() });
  onActing(services);
  attachDesktop(opened, services);
  services.demo.start();

  function showLog(): void {
    shell.showItemInFolder(log.file);
  }

  function followTheme({ settings }: Core): void {
    const apply = (): void => {
      const { theme } = settings.current();
      nativeTheme.themeSource = theme;
      if (theme !== windowState.current().theme) windowState.change({ theme });
    };
    apply();
    settings.onChange(apply);
  }

  /** Menu, tray and notifications: what Leasehold is outside its window. */
  function attachDesktop(
    { settings, hub }: Core,
    {
      fleet,
      questions,
      alarmBell,
      alertBell,
      alerts,
      sentinelBell,
      sentinels,
      budgetBell,
      clocks,
      meter,
    }: Services,
  ): void {
    setAppMenu({
      command: (command) => window.command(command),
      showLog,
      quit: () => app.quit(),
      isDevelopment: !app.isPackaged,
    });
    const tray = createTray(TRAY_ICON, {
      command: (command) => window.command(command),
      showWindow: () => window.show(),
      quit: () => app.quit(),
    });
    const unfollow = followFleet(tray, fleet, hub, () => ({
      nearest: clocks.nearest(),
      alerts: alerts.summary(),
      sentinels: sentinels.summary(),
      burns: meter.burns(),
    }));
    const notifying = {
      isWanted: () => settings.current().notifications,
      isWindowInFront: () => window.isInFront,
      showBox: (boxId: string) => window.command({ kind: 'show-box', boxId }),
    };
    fleet.onChange(notifyAboutLinks(notifying));
    questions.onAsked(notifyAboutQuestions(notifying));
    alarmBell.onAlarm(notifyAboutClocks(notifying));
    alertBell.onAlarm(
      notifyAboutAlerts({
        isWanted: notifying.isWanted,
        isLookedAt: (boxId) => window.isInFront && alerts.isLookedAt(boxId),
        showAlerts: (boxId) => window.command({ kind: 'show-alerts', boxId }),
      }),
    );
    sentinelBell.onAlarm(
      notifyAboutSentinels({
        isWanted: notifying.isWanted,
        isLookedAt: (boxId) => window.isInFront && sentinels.isLookedAt(boxId),
        showRuns: (boxId) => window.command({ kind: 'show-runs', boxId }),
      }),
    );
    budgetBell.onAlarm(
      notifyAboutBudgets({
        isWanted: notifying.isWanted,
        showCosts: () => window.command({ kind: 'show-costs' }),
      }),
    );
    app.on('will-quit', () => {
      unfollow();
      tray.dispose();
    });
  }
}

async function closeAll(log: Log, closing: readonly Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), CLOSE_TIMEOUT_MS);
  });
  const outcome = await Promise.race([Promise.allSettled(closing), late]);
  clearTimeout(timer);
  if (outcome === 'late') log.error('not everything closed in time');
  else {
    for (const each of outcome) {
      if (each.status === 'rejected') log.error('closing failed', { cause: each.reason });
    }
  }
  log.info('stopped');
}
