import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '../../shared/result.ts';
import { createLog } from '../log/log.ts';
import { doJob } from '../workers/do-job.ts';
import type { JobAnswer } from '../workers/jobs.ts';
import type { WorkerHost } from '../workers/workers.ts';
import { openCore, type Core, type CoreOptions } from './core.ts';

// The whole door of Leasehold in Node: whoever opens it has put something in the place of `electron`, before anybody loaded it.

/** Who sends messages as the window's own page does. */
export const WINDOW = { clientId: 1, isTrusted: true, url: 'app://leasehold/' };

/** Of somebody who does not look at the demo. */
export function makeDataFolder(data: string): void {
  mkdirSync(data);
  writeFileSync(join(data, 'settings.json'), '{ "demo": { "isOn": false } }');
}

/** An app over this data, with a window that takes all that is sent to it. */
export async function openDoor(data: string): Promise<Core> {
  const core = await openCore(optionsIn(data));
  core.hub.addClient(WINDOW.clientId, () => undefined);
  return core;
}

/** Everything as in the window, but for a desktop, which refuses whatever it is asked. */
function optionsIn(data: string): CoreOptions {
  const root = new URL('../../../', import.meta.url).pathname;
  const log = createLog({
    ...{ folder: join(data, 'logs'), level: 'fatal', onWriteFailure: () => undefined },
  });
  const nothing = { ok: true, value: null } as const;
  return {
    folders: {
      data,
      demoTools: join(root, 'resources/demo'),
      onbox: join(root, 'resources/onbox'),
      verify: join(root, 'resources/verify'),
      profiles: join(root, 'profiles'),
      gotchas: join(root, 'resources/gotchas'),
    },
    log,
    watchSystem: () => () => undefined,
    showLog: () => undefined,
    onWindowShown: () => undefined,
    quit: () => undefined,
    approveCommand: () => Promise.resolve(false),
    approveRehearsal: () => Promise.resolve(false),
    approveUpload: () => Promise.resolve(false),
    chooseFile: () => Promise.resolve(null),
    chooseFolder: () => Promise.resolve(null),
    chooseFiles: () => Promise.resolve(null),
    chooseProgram: () => Promise.resolve(null),
    chooseRequestFile: () => Promise.resolve(null),
    takeDropped: () => [],
    startDrag: () => nothing,
    printPage: () => Promise.resolve(nothing),
    pagePdf: () => Promise.resolve(ok(Buffer.from('%PDF-'))),
    openExternal: () => Promise.resolve(nothing),
    openFolder: () => Promise.resolve(nothing),
    openOwnPort: () => Promise.resolve(nothing),
    openBoxLink: () => Promise.resolve(ok(null)),
    openServiceWindow: () => undefined,
    copySecret: () => undefined,
    startWorker: workHere,
    handOverPort: () => null,
  };
}

/** A worker that is none: two apps would start four. */
function workHere(): WorkerHost {
  let tell: (answer: JobAnswer) => void = () => undefined;
  return {
    post: (job) =>
      void doJob(job, () => undefined).then(
        (output) => tell({ kind: 'done', output }),
        (cause: unknown) => tell({ kind: 'failed', code: null, message: String(cause) }),
      ),
    onMessage: (listener) => (tell = listener),
    onExit: () => undefined,
    kill: () => undefined,
  };
}
