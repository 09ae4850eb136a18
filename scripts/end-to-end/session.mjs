import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onCleanup } from '../lib/cleanups.mjs';
import { withLock } from '../lib/lock.mjs';
import { ROOT } from '../lib/paths.mjs';
import { endLeftovers, findLeftovers } from './leftovers.mjs';
import { ensureOrdinaryUser, ORDINARY_HOME } from './ordinary-user.mjs';
import { stageFor } from './stage.mjs';

/** Marks every process of a run through its environment, for those who cannot give it a user of its own. */
const RUN_MARK = 'LEASEHOLD_E2E_RUN';

const isRoot = process.getuid?.() === 0;

/**
 * @typedef {import('../setup/electron-runtime.mjs').Runtime} Runtime
 *
 * @typedef {object} Session Where and as whom Playwright runs the built app.
 * @property {string} root The folder of the app.
 * @property {string} node The Node to run Playwright with.
 * @property {string} home A home of its own; below it `results` and `screenshots`.
 * @property {NodeJS.ProcessEnv} env
 * @property {{ uid: number, gid: number } | {}} user
 */

/**
 * Runs an action on the built app with its own home and user: as root an ordinary user, so that Electron's
 * sandbox is on, otherwise the person. Answers what the action did, and what it left behind (ended by now).
 * @template T
 * @param {Runtime} runtime
 * @param {(session: Session) => Promise<T>} action
 * @returns {Promise<{ value: T, leftBehind: string[] }>}
 */
export async function withSession(runtime, action) {
  if (!isRoot) return await runAsPerson(runtime, action);
  // One user, one home: two runs on one machine take turns.
  return await withLock('/run/leasehold-e2e.lock', () => runAsOrdinaryUser(runtime, action));
}

/**
 * @template T
 * @param {Runtime} runtime
 * @param {(session: Session) => Promise<T>} action
 */
async function runAsOrdinaryUser(runtime, action) {
  const user = await ensureOrdinaryUser();
  const isOurs = (/** @type {{ uid: number }} */ { uid }) => uid === user.uid;
  // A run that was killed may have left some; they would be laid at this one's door.
  endLeftovers(await findLeftovers(isOurs));
  const stage = await stageFor(runtime, user);
  await rm(ORDINARY_HOME, { recursive: true, force: true });
  try {
    const place = { root: stage.root, node: stage.node, home: ORDINARY_HOME };
    return await runInHome(stage.runtime, place, user, isOurs, action);
  } finally {
    await stage.drop();
  }
}

/**
 * @template T
 * @param {Runtime} runtime
 * @param {(session: Session) => Promise<T>} action
 */
async function runAsPerson(runtime, action) {
  const home = await mkdtemp(join(tmpdir(), 'leasehold-e2e-'));
  const mark = `${RUN_MARK}=${home}`;
  const isOurs = (/** @type {{ environment: string }} */ { environment }) =>
    environment.split('\0').includes(mark);
  const place = { root: ROOT, node: process.execPath, home };
  return await runInHome(runtime, place, null, isOurs, action);
}

/**
 * @template T
 * @param {Runtime} runtime
 * @param {{ root: string, node: string, home: string }} place
 * @param {import('./ordinary-user.mjs').User | null} user
 * @param {Parameters<typeof findLeftovers>[0]} isOurs
 * @param {(session: Session) => Promise<T>} action
 */
async function runInHome(runtime, place, user, isOurs, action) {
  const { home } = place;
  const dropHome = onCleanup(() => rm(home, { recursive: true, force: true }));
  // For a run that is broken off: before its home goes, whatever still runs in it.
  const endStrays = onCleanup(async () => endLeftovers(await findLeftovers(isOurs, 0)));
  try {
    const homeEnv = await layOutHome(home, user);
    const ids = user === null ? {} : { uid: user.uid, gid: user.gid };
    const env = { ...homeEnv, ...appEnv(runtime), [RUN_MARK]: home };
    const value = await action({ ...place, env, user: ids });
    return { value, leftBehind: endLeftovers(await findLeftovers(isOurs)) };
  } finally {
    await endStrays();
    await dropHome();
  }
}

/**
 * Makes a home with the folders that programs expect in it. Answers the environment that points there; of ours it keeps
 * only what has nothing to do with the person.
 * @param {string} home
 * @param {import('./ordinary-user.mjs').User | null} user
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
async function layOutHome(home, user) {
  const folders = {
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_RUNTIME_DIR: join(home, 'run'),
    XDG_STATE_HOME: join(home, 'state'),
    LEASEHOLD_SCREENSHOTS: join(home, 'screenshots'),
  };
  for (const folder of Object.values(folders)) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (user !== null) await chown(folder, user.uid, user.gid);
  }
  const { PATH = '', LANG = 'C.UTF-8', TERM, CI, SystemRoot, LEASEHOLD_HIDDEN } = process.env;
  const name = user?.name ?? process.env['USER'];
  const kept = { TERM, CI, SystemRoot, LEASEHOLD_HIDDEN, USER: name, LOGNAME: name };
  const set = Object.entries(kept).filter(([, value]) => value !== undefined);
  // sshd and its like are not in an ordinary user's PATH everywhere.
  return {
    ...Object.fromEntries(set),
    ...folders,
    LANG,
    PATH: `${PATH}:/usr/local/sbin:/usr/sbin:/sbin`,
  };
}

/** What tests, screenshots and benchmarks start the app with. */
export function appEnv(/** @type {Runtime} */ runtime, /** @type {readonly string[]} */ args = []) {
  const env = {
    ELECTRON_OVERRIDE_DIST_PATH: runtime.folder, // where the electron package, and with it Playwright, looks first
    LEASEHOLD_ELECTRON_ARGS: JSON.stringify(args),
  };
  return runtime.isFallback ? { ...env, LEASEHOLD_FALLBACK_RUNTIME: '1' } : env;
}
