// npm test: sets up what is missing, checks, tests, and ends with the line "N passed, N failed, N skipped".
import { runScript } from './lib/cleanups.mjs';
import { hidePrograms } from './lib/hidden-programs.mjs';
import { Unavailable } from './lib/refusal.mjs';
import { say } from './lib/say.mjs';
import { ensureApp, ensureHeadlessElectron } from './setup/app-setup.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';
import { ensureTestTools } from './setup/tools.mjs';
import { checks } from './steps/checks.mjs';
import { endToEndTests, skippedEndToEndTests } from './steps/end-to-end.mjs';
import { finish, runInOrder, runStep } from './steps/runner.mjs';
import { judgeCheck } from './steps/tally.mjs';
import { unitTests } from './steps/unit.mjs';

const DONE = judgeCheck({ code: 0, text: '' });

/** @type {import('./setup/electron-runtime.mjs').Runtime | null} */
let runtime = null;
let whyNoElectron = 'the set-up above failed';

/** @type {import('./steps/runner.mjs').Step} */
const nodePackages = {
  name: 'set-up: node packages',
  run: () => ensureNodeModules().then(() => DONE),
};

/** @type {import('./steps/runner.mjs').Step} */
const testTools = { name: 'set-up: test tools', run: () => ensureTestTools().then(() => DONE) };

/** @type {import('./steps/runner.mjs').Step} */
const electron = { name: 'set-up: Electron', run: setUpElectron };

async function setUpElectron() {
  try {
    runtime = await ensureHeadlessElectron();
  } catch (error) {
    // A machine that cannot have it skips those tests; one where getting it went wrong has a failure to show.
    if (!(error instanceof Unavailable)) throw error;
    whyNoElectron = error.message;
  }
  return DONE;
}

/** @type {import('./steps/runner.mjs').Step} */
const build = {
  name: 'build',
  run: () => (runtime === null ? ensureBuild() : ensureApp(runtime)).then(() => DONE),
};

async function showAll() {
  const prepared = await runInOrder([electron, build]);
  const isReady = prepared.every(({ failed }) => failed === 0);
  return [...prepared, await runStep(chooseEndToEnd(isReady))];
}

function chooseEndToEnd(/** @type {boolean} */ isBuilt) {
  if (runtime === null) return skippedEndToEndTests(whyNoElectron);
  return isBuilt ? endToEndTests(runtime) : skippedEndToEndTests('the build failed');
}

const PARTS = {
  windows: showAll,
  unit: async () => [await runStep(unitTests({ output: 'inherit', isAll: true }))],
  checks: () => runInOrder(checks({ isAll: true })),
};

/**
 * Row after row, the parts of one at once. Windows, servers and programs are waited for a good part of the time, so all together
 * are done sooner. The windows come first, since a person would not wait for one either; the unit tests take what they leave of
 * the processor, and the checks what those leave.
 * @satisfies {readonly (readonly (keyof typeof PARTS)[])[]}
 */
const AT_ONCE = /** @type {const} */ ([['windows', 'unit', 'checks']]);

/**
 * With LEASEHOLD_IN_TURN=1, as CI does it: no window waits for another part's servers, nor a test for a window. What is judged
 * there is the work, not how much two cores can do at once.
 * @satisfies {readonly (readonly (keyof typeof PARTS)[])[]}
 */
const IN_TURN = /** @type {const} */ ([['windows', 'checks'], ['unit']]);

runScript(async () => {
  const hidden = await hidePrograms();
  if (hidden.length > 0) say(`Hidden from the tests: ${hidden.join(', ')}`);
  const packages = await runStep(nodePackages);
  if (packages.failed > 0) return finish([packages]); // nothing below can run, and would only bury the reason
  const tools = await runStep(testTools);
  const results = [packages, tools];
  for (const row of process.env['LEASEHOLD_IN_TURN'] === '1' ? IN_TURN : AT_ONCE)
    results.push(...(await Promise.all(row.map((part) => PARTS[part]()))).flat());
  return finish(results);
});
