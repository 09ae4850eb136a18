// The built app without one of its protections, and whether an assertion of the end-to-end test that guards it fails: for `npm run bench -- protections`. Prints a
// line of JSON for each. Its argument is a part of the source's path or of the protection's name; all without it.
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { runPlaywright } from './end-to-end/playwright.mjs';
import { withSession } from './end-to-end/session.mjs';
import { onCleanup, runScript } from './lib/cleanups.mjs';
import { exists } from './lib/files.mjs';
import { say } from './lib/say.mjs';
import { ensureApp, ensureHeadlessElectron } from './setup/app-setup.mjs';
import { countPlaywrightTests, listErrors } from './steps/playwright-report.mjs';

/** @typedef {import('../bench/protections.ts').BuiltProtection} BuiltProtection */

/** Longer than an assertion waits (`playwright.config.ts`), so that it is the assertion that fails. */
const TEST_MS = 90_000;

runScript(async () => {
  const { tsImport } = await import('tsx/esm/api');
  /** @type {typeof import('../bench/protections.ts')} */
  const { BUILT } = await tsImport('../bench/protections.ts', import.meta.url);
  /** @type {typeof import('../bench/noticed.ts')} */
  const { judgeFailures, playwrightFailure } = await tsImport(
    '../bench/noticed.ts',
    import.meta.url,
  );
  const only = process.argv[2] ?? '';
  const chosen = BUILT.filter(({ file, name }) => file.includes(only) || name.includes(only));
  if (chosen.length === 0) return 0;
  const runtime = await ensureHeadlessElectron();
  await ensureApp(runtime);
  const { leftBehind } = await withSession(runtime, async (session) => {
    // First, and in a moment: whether all of the table stands in what is built by now.
    for (const protection of chosen) await withoutIt(session.root, protection);
    for (const spec of new Set(chosen.map((each) => each.spec))) {
      const titles = chosen.filter((each) => each.spec === spec).map(({ test }) => test.source);
      const report = await runTests(session, spec, titles.join('|'));
      const { failed, passed, failures = [] } = countPlaywrightTests(report);
      if (failed > 0 || passed === 0)
        throw new Error(`${spec} does not pass with all in place: ${failures.join('\n')}`);
    }
    for (const protection of chosen) {
      const { name, file, spec, test } = protection;
      const putBack = await takeOut(session.root, protection);
      try {
        const report = await runTests(session, spec, test.source);
        const { skipped } = countPlaywrightTests(report);
        for (const { reason } of skipped) say(`${file}: ${name} was not looked for: ${reason}`);
        const failures = listErrors(report).map((each) => playwrightFailure(each.name, each.error));
        const notice = judgeFailures(failures);
        process.stdout.write(`${JSON.stringify({ name: `${file}: ${name}`, notice })}\n`);
      } finally {
        await putBack();
      }
    }
  });
  for (const line of leftBehind) say(line);
  return 0;
});

/**
 * @param {import('./end-to-end/session.mjs').Session} session
 * @param {string} spec
 * @param {string} titles
 */
async function runTests(session, spec, titles) {
  const args = ['--project=e2e', `--timeout=${String(TEST_MS)}`, '--max-failures=1', '--quiet'];
  const { report } = await runPlaywright(session, [...args, spec, '-g', titles], 'protections');
  if (report === null) throw new Error(`${spec} was not run`);
  return report;
}

/**
 * Answers how to put it back.
 * @param {string} root
 * @param {BuiltProtection} protection
 */
async function takeOut(root, protection) {
  const { path, text, changed } = await withoutIt(root, protection);
  const putBack = onCleanup(async () => {
    if (await exists(path)) await replaceFile(path, text);
  });
  await replaceFile(path, changed);
  return putBack;
}

/**
 * @param {string} root
 * @param {BuiltProtection} protection
 */
async function withoutIt(root, { name, file, find, without }) {
  const { path, text, from, to } = await builtOf(root, file);
  const part = text.slice(from, to);
  const times = part.match(new RegExp(find.source, 'gs'))?.length ?? 0;
  if (times !== 1)
    throw new Error(`“${name}” stands ${String(times)} times in what is built of ${file}`);
  const changed =
    text.slice(0, from) + part.replace(new RegExp(find.source, 's'), without) + text.slice(to);
  // What does not parse would break every test, and tell nothing of this one.
  if (path.endsWith('.cjs')) new Script(changed, { filename: `${file} without “${name}”` });
  return { path, text, changed };
}

/**
 * Where the lines of a source stand in the app: under its name in one of the built files, or in a file of the packaging itself.
 * @param {string} root
 * @param {string} file
 */
async function builtOf(root, file) {
  if (!file.startsWith('src/')) {
    const path = join(root, file);
    const text = await readFile(path, 'utf8');
    return { path, text, from: 0, to: text.length };
  }
  const out = join(root, 'out');
  for (const each of await readdir(out, { recursive: true })) {
    // The command line has a copy of its own of some.
    if (!each.endsWith('.cjs') || each.endsWith('cli.cjs')) continue;
    const text = await readFile(join(out, each), 'utf8');
    const from = text.indexOf(`// ${file}\n`);
    if (from === -1) continue;
    const next = text.indexOf('\n// src/', from);
    return { path: join(out, each), text, from, to: next === -1 ? text.length : next };
  }
  throw new Error(`nothing is built of ${file}`);
}

/** By a new file: the staged one may be another name of the clone's. */
async function replaceFile(/** @type {string} */ path, /** @type {string} */ text) {
  await writeFile(`${path}.new`, text, { mode: 0o644 });
  await rename(`${path}.new`, path);
}
