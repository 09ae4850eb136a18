import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  app,
  clipboard,
  nativeTheme,
  powerMonitor,
  session,
  shell,
  type BrowserWindow,
} from 'electron';
import { startDrag } from './app/start-drag.ts';
import { declareAppScheme, serveApp } from './app/app-protocol.ts';
import type { Core, CoreOptions } from './app/core.ts';
import { handleCrashes, type CrashHandler } from './app/crash.ts';
import { renderCrashPage } from './app/crash-page.ts';
import { dropDefaultMenu } from './app/default-menu.ts';
import { DroppedFiles } from './app/dropped-files.ts';
import { serveDrops, serveIpc } from './app/ipc.ts';
import { Late } from './app/late.ts';
import { lockDownContents, openExternal, openFolder, openOwnPort } from './app/lock-down.ts';
import { lockDownSession, OWN_PAGES } from './app/lock-session.ts';
import { connectToHub, MainWindow } from './app/main-window.ts';
import type { Services } from './app/services.ts';
import { processWorker } from './app/process-worker.ts';
import { tellTaken } from './app/taken-notice.ts';
import { closeInTime } from './app/quitting.ts';
import { watchSystem } from './app/system-events.ts';
import { resourcePaths } from './app/resource-paths.ts';
import { closeTerminalsWith, handOverPort } from './app/terminal-port.ts';
import { createWindow, setWindowIcon, showApp } from './app/window.ts';
import { peekWindowState } from './app/peek-window-state.ts';
import type { WindowState } from './app/window-state.ts';
import { createLog, type RootLog } from './log/log.ts';
import { chromiumFolder } from './app/chromium-folder.ts';
import { useCodeCache } from './code-cache/code-cache.ts';
import { dataFolder } from './storage/data-folder.ts';

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
const ofChromium = chromiumFolder(folder);
app.setPath('userData', ofChromium.path);
app.setName('Leasehold');
app.setAppUserModelId('dev.leasehold.app');
// The scripts add that switch for uid 0 alone, where Chromium does not start otherwise; both at once crash it.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
// One process less to start. Nothing is given up where that service has no sandbox of its own, as on Linux (decision 7).
if (process.platform === 'linux') {
  app.commandLine.appendSwitch('enable-features', 'NetworkServiceInProcess2');
}
// SECURITY: no page reads the clipboard by itself (`execCommand('paste')`); what a person pastes is none of this.
app.commandLine.appendSwitch(
  'blink-settings',
  'DOMPasteAllowed=false,javaScriptCanAccessClipboard=false',
);
declareAppScheme();
dropDefaultMenu(process.platform);

// Two windows over one database and one set of links would fight; the second start only brings the first to the front.
if (app.requestSingleInstanceLock()) {
  if (ofChromium.isTemporary) {
    app.on('quit', () => rmSync(ofChromium.path, { recursive: true, force: true }));
  }
  void run();
} else app.exit(0);

/** What comes one after the other while the app starts. */
interface Life {
  readonly core: Late<Core>;
  /** The first page is there, or failed to load. */
  readonly firstLoad: Late<true>;
  /** The fleet stands on the screen, or the window cannot show it. */
  readonly shown: Late<true>;
  readonly services: Late<Services>;
  readonly dropped: DroppedFiles;
  isQuitting: boolean;
}

async function run(): Promise<void> {
  const life: Life = {
    core: new Late(),
    firstLoad: new Late(),
    shown: new Late(),
    services: new Late(),
    dropped: new DroppedFiles(),
    isQuitting: false,
  };
  const log = openLog(life);
  const crashes = handleCrashes(log, () => window.current);
  lockDownContents(log);
  const windowState = openWindowState(life);
  const window = new MainWindow(() => makeWindow(life, windowState, crashes, log));
  bringBackWhenAsked(window);
  await app.whenReady();
  const scriptsServed = serveWindow(life, window, crashes, log);
  nativeTheme.themeSource = windowState.current().theme;
  window.show();
  quitInOrder(life, window, log);
  // The window's process now works on its scripts, on another core; a page that fails to load must not hold up the rest.
  await Promise.race([scriptsServed, life.firstLoad.promise]);
  const { openOnlyCore } = await import('./app/core.ts');
  const core = await openOnlyCore(coreOptions(life, window, log));
  if (core === null) {
    log.error('another Leasehold has the data folder', { folder });
    await tellTaken(window.current, folder);
    app.exit(0);
    return;
  }
  life.core.come(core);
  followTheme(core, windowState);
  // What the window does not need for its first paint waits for it.
  await life.shown.promise;
  if (life.isQuitting) return;
  const [services, { attachDesktop }] = await Promise.all([
    core.services(),
    import('./app/desktop.ts'),
  ]);
  if (life.isQuitting) return; // they are being closed already
  log.info('loaded', { ...codeCacheUse() });
  life.services.come(services);
  const showLog = (): void => shell.showItemInFolder(log.file);
  const { settings } = core;
  const newsLog = log.child('news');
  attachDesktop({ window, settings, services, trayIcon: TRAY_ICON, showLog, log: newsLog });
  services.boxes.demo.start();
}

function openLog({ core }: Life): RootLog {
  const log = createLog({
    folder: join(folder, 'logs'),
    level: 'info',
    onWriteFailure: (failed) => void core.promise.then(({ notices }) => notices.add(failed)),
  });
  log.info('starting', { version: app.getVersion(), electron: process.versions.electron });
  return log;
}

interface OwnWindowState {
  readonly current: () => WindowState;
  readonly change: (part: Partial<WindowState>) => void;
}

/** Where the window stood last, read before what keeps it is loaded. */
function openWindowState({ core }: Life): OwnWindowState {
  let state = peekWindowState(folder);
  return {
    current: () => state,
    change: (part) => {
      state = { ...state, ...part };
      void core.promise.then(({ windowMemory }) => windowMemory.change({ window: state }));
    },
  };
}

function makeWindow(
  life: Life,
  windowState: OwnWindowState,
  crashes: CrashHandler,
  log: RootLog,
): BrowserWindow {
  const created = createWindow({
    state: windowState.current(),
    onStateChange: windowState.change,
  });
  crashes.guard(created);
  const onShown = (): void => life.shown.come(true);
  created.once('closed', onShown);
  created.webContents.once('did-fail-load', onShown);
  created.webContents.once('render-process-gone', onShown);
  created.on('close', (event) => {
    if (life.isQuitting || life.core.value?.settings.current().keepInTray !== true) return;
    event.preventDefault();
    created.hide();
  });
  void life.core.promise.then(({ hub }) => connectToHub(created, hub));
  void life.services.promise.then(({ boxes }) => closeTerminalsWith(created, boxes.terminals));
  // A window in the tray can be brought back to answer; one that is gone cannot. Where closing it quits, links end
  // anyway, and their questions with them.
  created.on('closed', () => {
    if (process.platform === 'darwin' && !life.isQuitting) {
      life.services.value?.access.questions.dismissAll();
    }
  });
  void showApp(created)
    .catch((cause: unknown) => {
      // A page that was still loading when the person quit is missed by nobody.
      if (!life.isQuitting) log.error('the window did not load', { cause });
    })
    .then(() => life.firstLoad.come(true));
  return created;
}

function bringBackWhenAsked(window: MainWindow): void {
  app.on('second-instance', () => window.show());
  app.on('activate', () => window.show());
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}

/** Answers the window's process; resolves when it has its scripts. */
function serveWindow(
  { core, dropped }: Life,
  window: MainWindow,
  crashes: CrashHandler,
  log: RootLog,
): ReturnType<typeof serveApp> {
  void lockDownSession(session.defaultSession, OWN_PAGES, log);
  const scriptsServed = serveApp(session.defaultSession, join(__dirname, '../renderer'), () =>
    renderCrashPage({ ...crashes.current(), logFile: log.file }),
  );
  serveIpc(
    async (...message) => {
      const { route } = await core.promise;
      return route(...message);
    },
    () => window.current,
  );
  serveDrops(dropped, () => window.current);
  return scriptsServed;
}

function quitInOrder(life: Life, window: MainWindow, log: RootLog): void {
  let isAsking = false;
  let isShutdown = false;
  let isClosed = false;
  // A computer that goes down waits for no answer.
  powerMonitor.once('shutdown', () => (isShutdown = true));
  // Nor does whoever sends a signal. Electron's own handlers, which these replace, let a second one end it in the middle.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      isShutdown = true;
      app.quit();
    });
  }
  const quitNow = (): void => {
    life.isQuitting = true;
    const closing = life.core.promise.then((core) => core.close());
    void closeInTime(log, closing).then(() => {
      isClosed = true;
      app.quit();
    });
  };
  const ask = async (reasons: readonly string[]): Promise<void> => {
    isAsking = true;
    const answer = await asking()
      .then(({ askBeforeQuit }) => askBeforeQuit(window.current, reasons))
      // Who wants to quit and cannot be asked must not have to kill it.
      .catch((cause: unknown) => {
        log.error('the question before quitting was not asked', { cause });
        return 'quit' as const;
      })
      .finally(() => (isAsking = false));
    // A signal came meanwhile.
    if (life.isQuitting) return;
    if (answer === 'quit') quitNow();
    else if (answer === 'tray') window.current?.hide();
    else window.show();
  };
  app.on('before-quit', (event) => {
    if (isClosed) return;
    event.preventDefault();
    // Whoever asks again while it closes has to wait for the end of it, which is bounded.
    if (life.isQuitting) return;
    // Before the services are there nothing is watched.
    const reasons = (isShutdown ? null : life.services.value?.reasonsToStay()) ?? [];
    if (reasons.length === 0) quitNow();
    else if (!isAsking) void ask(reasons);
  });
}

// All of these wait for a person: no first picture waits for them.
const approving = () => import('./app/approve-command.ts');
const asking = () => import('./app/quit-question.ts');
const choosing = () => import('./app/choose-file.ts');
const linking = () => import('./app/box-link.ts');
const printing = () => import('./app/print-page.ts');
const servicing = () => import('./app/service-window.ts');

function coreOptions({ shown, dropped }: Life, window: MainWindow, log: RootLog): CoreOptions {
  return {
    folders: {
      data: folder,
      ...RESOURCES,
    },
    log,
    watchSystem,
    approveCommand: async (command) => (await approving()).approveCommand(window.current, command),
    approveRehearsal: async (command, from) =>
      (await approving()).approveRehearsal(window.current, command, from),
    approveUpload: async (paths, to) =>
      (await approving()).approveUpload(window.current, paths, to),
    chooseFile: async (suggested, kind) =>
      (await choosing()).chooseFile(window.current, suggested, kind),
    chooseFolder: async () => (await choosing()).chooseFolder(window.current),
    chooseFiles: async () => (await choosing()).chooseFiles(window.current),
    chooseProgram: async () => (await choosing()).chooseProgram(window.current),
    chooseRequestFile: async () => (await choosing()).chooseOpen(window.current),
    takeDropped: () => dropped.take(),
    startDrag: (files) => startDrag(window.current, files, WINDOW_ICON),
    printPage: async () => (await printing()).printPage(window.current),
    pagePdf: async () => (await printing()).pagePdf(window.current),
    openExternal: (url) => openExternal(url, log),
    openFolder,
    openOwnPort: (url) => openOwnPort(url, log),
    openServiceWindow: (page) =>
      void servicing().then(({ openServiceWindow }) => openServiceWindow(page, log)),
    copySecret: (secret) => void clipboard.writeText(secret.reveal()),
    openBoxLink: async (url) => (await linking()).openBoxLink(url, window.current, log),
    startWorker: () => processWorker(join(__dirname, 'worker.cjs')),
    handOverPort: (clientId, terminalId) => handOverPort(window.current, clientId, terminalId),
    showLog: () => shell.showItemInFolder(log.file),
    onWindowShown: () => {
      setWindowIcon(window.current, WINDOW_ICON);
      shown.come(true);
    },
    quit: () => app.quit(),
  };
}

function followTheme({ settings }: Core, windowState: OwnWindowState): void {
  const apply = (): void => {
    const { theme } = settings.current();
    nativeTheme.themeSource = theme;
    if (theme !== windowState.current().theme) windowState.change({ theme });
  };
  apply();
  settings.onChange(apply);
}
