import { Menu, nativeImage, Tray } from 'electron';
import type { Box } from '../../shared/boxes/box.ts';
import { describeFleet } from '../../shared/boxes/fleet-summary.ts';
import { groupOf, judgeStanding, type StandingGroup } from '../../shared/boxes/standing.ts';
import { clockLine } from '../../shared/clocks/alarm-text.ts';
import type { Clock } from '../../shared/clocks/clock.ts';
import type { WindowCommand } from '../../shared/ipc/contract.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { Estimate } from '../../shared/meter/estimate.ts';
import { burnText } from '../../shared/meter/money-words.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { Alerts } from '../alerts/alerts.ts';

/** Menus longer than this do not help anybody; the window has the rest. */
const MAX_BOXES_IN_MENU = 20;
const UPDATE_EVERY_MS = 5000;
/** A menu is expensive to make, and a hundred boxes come or lose their links together. */
const SETTLE_MS = 1000;

const MARK: Readonly<Record<StandingGroup, string>> = {
  'needs-you': '▲',
  'in-trouble': '△',
  working: '●',
  idle: '○',
  connecting: '…',
  unknown: '?',
  'not-connected': '–',
};

/** The next thing that happens to a box by itself. */
export interface NearestClock {
  readonly box: Box;
  readonly clock: Clock;
}

export interface TrayNews {
  readonly nearest: NearestClock | null;
  /** What was found and asks for the person; null: nothing does. */
  readonly alerts: { readonly boxId: string; readonly text: string } | null;
  /** What was waited for and came; null: nothing did that the person is not done with. */
  readonly sentinels: { readonly boxId: string; readonly text: string } | null;
  /** What the boxes cost an hour; null: nobody knows of one whether it runs. */
  readonly burns: readonly (Estimate | null)[];
}

export interface AppTray {
  update(entries: readonly FleetEntry[], news: TrayNews): void;
  dispose(): void;
}

export function createTray(
  iconFile: string,
  actions: {
    readonly command: (command: WindowCommand) => void;
    readonly showWindow: () => void;
    readonly quit: () => void;
  },
): AppTray {
  const icon = nativeImage.createFromPath(iconFile);
  icon.setTemplateImage(process.platform === 'darwin');
  const tray = new Tray(icon);
  tray.on('click', actions.showWindow);
  let shown = '';

  function update(
    entries: readonly FleetEntry[],
    { nearest, alerts, sentinels, burns }: TrayNews,
  ): void {
    const nowMs = Date.now();
    const summary = describeFleet(entries);
    const rows = entries.slice(0, MAX_BOXES_IN_MENU).map((entry) => ({
      id: entry.box.id,
      label: `${MARK[groupOf(judgeStanding(entry))]} ${entry.box.name}`,
    }));
    const clock = nearest === null ? null : clockLine(nearest.box.name, nearest.clock, nowMs);
    const burn = burnText(burns);
    // The menu is made anew only when its words change.
    const words = JSON.stringify([summary, alerts, sentinels, burn, clock, rows]);
    if (words === shown) return;
    shown = words;
    tray.setToolTip(`${summary} · ${burn}`);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: summary, enabled: false },
        { label: burn, enabled: false },
        ...(alerts === null
          ? []
          : [
              {
                label: alerts.text,
                click: () => actions.command({ kind: 'show-alerts', boxId: alerts.boxId }),
              },
            ]),
        ...(sentinels === null
          ? []
          : [
              {
                label: sentinels.text,
                click: () => actions.command({ kind: 'show-runs', boxId: sentinels.boxId }),
              },
            ]),
        ...(nearest === null || clock === null
          ? []
          : [
              {
                label: clock,
                click: () => actions.command({ kind: 'show-box', boxId: nearest.box.id }),
              },
            ]),
        { type: 'separator' },
        ...rows.map(({ id, label }) => ({
          label,
          click: () => actions.command({ kind: 'show-box', boxId: id }),
        })),
        { type: 'separator' },
        { label: 'Open Leasehold', click: actions.showWindow },
        { label: 'Add box…', click: () => actions.command({ kind: 'add-box' }) },
        { type: 'separator' },
        { label: 'Quit Leasehold', click: actions.quit },
      ]),
    );
  }

  update([], { nearest: null, alerts: null, sentinels: null, burns: [] });
  return { update, dispose: () => tray.destroy() };
}

/** Keeps the tray's words true. `update`: at once, as when there is news. */
export function followFleet(
  tray: AppTray,
  roster: BoxRoster,
  alerts: Alerts,
  news: () => TrayNews,
): { readonly update: () => void; readonly stop: () => void } {
  const update = (): void => tray.update(roster.living, news());
  update();
  let settling: ReturnType<typeof setTimeout> | null = null;
  const updateSoon = (): void => {
    settling ??= setTimeout(() => {
      settling = null;
      update();
    }, SETTLE_MS);
  };
  const stopFollowing = roster.follow({
    added: updateSoon,
    changed: (entry, before) => {
      const [was, is] = [before, entry].map((each) => groupOf(judgeStanding(each)));
      if (was !== is || before.box !== entry.box) updateSoon();
    },
    removed: updateSoon,
  });
  // The time until something happens, and what the boxes cost, change by themselves.
  const timer = setInterval(update, UPDATE_EVERY_MS);
  // What a person has just put off must not stand there any more.
  const unfollow = alerts.changes.follow(update);
  return {
    update,
    stop: () => {
      clearInterval(timer);
      if (settling !== null) clearTimeout(settling);
      unfollow();
      stopFollowing();
    },
  };
}
