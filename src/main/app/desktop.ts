import { app } from 'electron';
import { toldMark } from '../../shared/telemetry/mark.ts';
import type { Log } from '../log/log.ts';
import type { SettingsStore } from '../storage/settings.ts';
import type { MainWindow } from './main-window.ts';
import { setAppMenu } from './menu.ts';
import { notifyOf } from './notifications.ts';
import type { Services } from './services.ts';
import { createTray, followFleet } from './tray.ts';

export interface DesktopOptions {
  readonly window: MainWindow;
  readonly settings: SettingsStore;
  readonly services: Services;
  readonly trayIcon: string;
  readonly showLog: () => void;
  readonly log: Log;
}

/** Menu, tray and news: what Leasehold is outside its window. */
export function attachDesktop(options: DesktopOptions): void {
  const { window, settings, services, showLog, log } = options;
  const { roster, news, watching, money } = services;
  const { alerts, sentinels, telemetry, webhook } = watching;
  setAppMenu({
    command: (command) => window.command(command),
    showLog,
    quit: () => app.quit(),
    isDevelopment: !app.isPackaged,
  });
  const tray = createTray(options.trayIcon, {
    command: (command) => window.command(command),
    showWindow: () => window.show(),
    quit: () => app.quit(),
  });
  const followed = followFleet(tray, roster, alerts, () => ({
    nearest: money.clocks.nearest(),
    alerts: alerts.summary(),
    sentinels: sentinels.summary(),
    burns: money.meter.burns(),
  }));
  news.listen({
    notification: notifyOf({
      isWanted: () => settings.current().notifications,
      isWindowInFront: () => window.isInFront,
      isPageLookedAt: (shows) =>
        (shows.kind === 'show-alerts' && alerts.isLookedAt(shows.boxId)) ||
        (shows.kind === 'show-runs' && sentinels.isLookedAt(shows.boxId)),
      show: (shows) => window.command(shows),
    }),
    tray: followed.update,
    webhook: (each) => webhook.take(each),
    log: ({ kind, severity, box, title }) =>
      log.info(title, { kind, severity, box: box?.id ?? null }),
    history: ({ box, title, atMs }) => {
      if (box !== null) telemetry.mark(box.id, [toldMark(title, atMs)]);
    },
  });
  app.on('will-quit', () => {
    followed.stop();
    tray.dispose();
  });
}
