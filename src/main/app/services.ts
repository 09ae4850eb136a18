import { join } from 'node:path';
import { quitReasons } from '../../shared/clocks/quit-reasons.ts';
import { isInSums } from '../../shared/demo/demo-platform.ts';
import { ok } from '../../shared/result.ts';
import { watchWake, type WakeWatchOptions } from '../boxes/wake-watch.ts';
import { GotchaBook } from '../gotchas/gotcha-book.ts';
import { OWN_GOTCHAS } from '../gotchas/load-gotchas.ts';
import type { RootLog } from '../log/log.ts';
import { NewsQueue } from '../news/news-queue.ts';
import { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { OWN_PROFILES } from '../profiles/load-profiles.ts';
import { openProfiles } from '../profiles/profile-book.ts';
import { sweepTemporaries } from '../storage/atomic-file.ts';
import { DATABASE_FILE } from '../storage/database-file.ts';
import { HEAD } from '../storage/evidence-head.ts';
import { withAllTables } from '../storage/database.ts';
import { watchDatabase } from '../storage/watch-database.ts';
import { appInfo } from './app-info.ts';
import { Closer } from './closer.ts';
import { saveWhole } from './save-picture.ts';
import type { LateHandlers } from './endpoints.ts';
import type { Foundation } from './foundation.ts';
import type { WindowActions } from './window-actions.ts';
import { openAccess, type Access } from './wings/access.ts';
import { openBoxes, type Boxes } from './wings/boxes.ts';
import { openFilesWing } from './wings/files.ts';
import { openKnowledge } from './wings/knowledge.ts';
import { openMoney, type MoneyWing } from './wings/money.ts';
import { openResults } from './wings/results.ts';
import { openRuns } from './wings/runs.ts';
import { openTeardown } from './wings/teardown.ts';
import { openWatching, type Watching } from './wings/watching.ts';
import type { Ground, ServiceFolders, Wing } from './wings/wing.ts';

/** Everything that acts, opened once over the foundation and closed once, before it. */
export interface Services extends Pick<Ground, 'roster' | 'news'> {
  readonly access: Access;
  readonly watching: Watching;
  readonly money: MoneyWing;
  readonly boxes: Boxes;
  /** What each channel does. */
  readonly handlers: LateHandlers;
  /** What would be missed by who quits now, a line each. */
  reasonsToStay(): readonly string[];
  /** Ends links, the demo box and what they write; resolves when nothing is left. */
  close(): Promise<void>;
}

export interface ServiceOptions extends WindowActions {
  readonly folders: ServiceFolders;
  readonly log: RootLog;
  readonly watchSystem: WakeWatchOptions['watchSystem'];
}

/** Each wing names the wings that it stands on, so none can be opened before those or closed after them. */
export async function openServices(
  foundation: Foundation,
  options: ServiceOptions,
): Promise<Services> {
  const closer = new Closer();
  const ground = await openGround(foundation, options, closer);
  const { roster, news, log, isDatabaseKept, reportProblem } = ground;
  const open = <W extends Wing>(wing: W): W => {
    closer.add(() => wing.close());
    return wing;
  };
  const access = open(await openAccess(ground));
  const watching = open(openWatching(ground, access));
  const money = open(openMoney(ground, watching));
  const knowledge = open(openKnowledge(ground, watching, money));
  const runs = open(openRuns(ground, watching, money));
  const results = open(openResults(ground, runs));
  const files = open(openFilesWing(ground, results));
  const teardown = open(openTeardown(ground, access, watching, money, runs, results, files));
  const boxes = open(openBoxes(ground, access, watching, money, teardown));
  const wings: readonly Wing[] = [
    ...[access, watching, money, knowledge, runs, results, files, teardown, boxes],
  ];

  for (const found of boxes.unreadable) reportProblem(found);
  // Of boxes that cannot be read nothing may be forgotten.
  if (isDatabaseKept && boxes.unreadable.length === 0) {
    const listed = roster.entries.map(({ box }) => box.id);
    for (const { sweep } of wings) sweep?.(listed);
  }
  closer.add(
    watchWake({
      watchSystem: options.watchSystem,
      onWake: (because) => {
        log.info('looking at every link', { because });
        for (const { wake } of wings) wake?.();
      },
    }),
  );
  return {
    roster,
    news,
    access,
    watching,
    money,
    boxes,
    handlers: {
      ...appHandlers(ground, access),
      ...access.handlers,
      ...watching.handlers,
      ...money.handlers,
      ...knowledge.handlers,
      ...runs.handlers,
      ...results.handlers,
      ...files.handlers,
      ...teardown.handlers,
      ...boxes.handlers,
    },
    reasonsToStay: () => {
      const { alarmMarksMs } = foundation.settings.current();
      const clocks = money.clocks.timed();
      const waiting = watching.sentinels.waiting();
      return quitReasons({ clocks, waiting, alarmMarksMs }, Date.now());
    },
    close: () => closer.close(),
  };
}

async function openGround(
  foundation: Foundation,
  { folders, log, ...desktop }: ServiceOptions,
  closer: Closer,
): Promise<Ground> {
  const { hub, roster, reportProblem } = foundation;
  const database = withAllTables(foundation.database);
  if (foundation.isDatabaseKept) closer.add(watchDatabase(folders.data, log, reportProblem));
  await sweepTemporaries(join(folders.data, `${DATABASE_FILE}${HEAD}`));
  const profiles = await openProfiles({
    folders: {
      shipped: folders.profiles,
      own: join(folders.data, OWN_PROFILES),
      demo: join(folders.demoTools, 'platform'),
    },
    hub,
    log: log.child('profiles'),
    onProblem: reportProblem,
  });
  closer.add(() => profiles.close());
  const { redact } = log.redactor;
  const news = new NewsQueue({
    entries: database.entries,
    redact,
    onProblem: reportProblem,
    isReal: (boxId) => {
      const box = roster.boxOf(boxId);
      return box === null || isInSums(box);
    },
  });
  const gotchas = new GotchaBook(
    { shipped: folders.gotchas, own: join(folders.data, OWN_GOTCHAS) },
    redact,
  );
  closer.add(() => gotchas.close());
  const scripts = new OnboxScripts(folders.onbox);
  return { ...foundation, database, folders, log, scripts, profiles, gotchas, news, desktop };
}

function appHandlers(
  { desktop, folders, log }: Ground,
  { secrets }: Access,
): Pick<LateHandlers, Extract<keyof LateHandlers, `app:${string}`>> {
  return {
    'app:info': () => ok(appInfo({ dataFolder: folders.data, logFile: log.file, secrets })),
    'app:print': () => desktop.printPage(),
    'app:save-pdf': async ({ name }) => {
      const pdf = await desktop.pagePdf();
      return pdf.ok
        ? saveWhole(desktop.chooseFile, { name: `${name}.pdf`, kind: 'pdf' }, pdf.value)
        : pdf;
    },
    'app:open-external': ({ url }) => desktop.openExternal(url),
    'app:open-box-link': ({ url }) => desktop.openBoxLink(url),
  };
}
