import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { mayCallShell } from '../../eslint-rules/shell-calls.mjs';
import { listFiles } from '../lib/files.mjs';
import { inRoot, ROOT } from '../lib/paths.mjs';
import { run } from '../lib/processes.mjs';
import { checkRemembering, describeChecked, LINT } from '../remembered/remembered.mjs';
import { findCommand } from '../setup/tools.mjs';
import { findColourLiterals } from './css-colours.mjs';
import { judgeCheck, skippedStep } from './tally.mjs';

/** @typedef {import('./runner.mjs').Step} Step */

const runPackage = (/** @type {string} */ path, /** @type {string[]} */ ...args) =>
  run(process.execPath, [inRoot('node_modules', path), ...args], { cwd: ROOT, niceness: 10 });

/** @type {Step} */
const format = {
  name: 'format',
  run: async () => judgeCheck(await runPackage('oxfmt/bin/oxfmt', '--list-different')),
};

/**
 * With the native compiler; the linter asks the other one (decision 43). Several checkers would each work out the types
 * that they share, which costs twice the processor, and the tests beside it want that.
 * @type {Step}
 */
const types = {
  name: 'types',
  run: async () =>
    judgeCheck(await runPackage('typescript-native/bin/tsc', '--build', '--checkers', '1')),
};

/**
 * ESLint's own cache looks at a file alone; most of our rules ask for the types that it imports.
 * @param {boolean} isAll
 * @returns {Step}
 */
const lint = (isAll) => ({
  name: 'lint',
  run: async () => {
    const { value, checked, total } = await checkRemembering(
      LINT,
      { isAll },
      async (files, isEach) => {
        const all = await runPackage('oxlint/bin/oxlint', ...(isEach ? [] : files));
        const ours = await runPackage(
          'eslint/bin/eslint.js',
          '--max-warnings=0',
          '--no-warn-ignored',
          '--pass-on-no-patterns',
          ...(await listForShellText(files)),
        );
        const value = { code: all.code || ours.code, text: `${all.text}${ours.text}` };
        const verdict = value.code === 0 ? 'passed' : 'failed';
        return { value, verdicts: new Map(files.map((path) => [path, verdict])) };
      },
    );
    const result = judgeCheck(value ?? { code: 0, text: '' });
    return isAll || result.failed > 0
      ? result
      : { ...result, text: describeChecked(checked, total) };
  },
});

/** ESLint's one rule is about these (decision 53). */
async function listForShellText(/** @type {readonly string[]} */ files) {
  const own = files.filter((path) => path.startsWith('src/'));
  const texts = await Promise.all(own.map((path) => readFile(join(ROOT, path), 'utf8')));
  return own.filter((_, at) => mayCallShell(texts[at] ?? ''));
}

/** @type {Step} */
const colours = {
  name: 'colours',
  run: async () => {
    const found = [];
    for (const path of await listFiles([inRoot('src')])) {
      if (!path.endsWith('.css') || basename(path) === 'tokens.css') continue;
      // A page that the bundle does not reach defines its own tokens.
      const mayDefine = basename(dirname(path)) === 'public';
      for (const { line, literal } of findColourLiterals(await readFile(path, 'utf8'), mayDefine)) {
        found.push(
          `${relative(ROOT, path)}:${String(line)} ${literal} belongs in tokens.css, under a name for its job`,
        );
      }
    }
    return judgeCheck({ code: found.length, text: found.join('\n') });
  },
};

/** @type {Step} */
const shell = {
  name: 'shellcheck',
  run: async () => {
    if ((await findCommand('shellcheck')) === null)
      return skippedStep('shellcheck', 'shellcheck is not installed');
    const files = await listShellFiles();
    return judgeCheck(await run('shellcheck', ['--', ...files], { cwd: ROOT }));
  },
};

/** The *.sh, and the tools without an ending that say in their first line that a shell runs them. */
async function listShellFiles() {
  const files = [];
  for (const path of await listFiles([inRoot('resources'), inRoot('src'), inRoot('.ci')])) {
    const hasEnding = /\.[^/]*$/.test(path.slice(path.lastIndexOf('/') + 1));
    const isShell =
      path.endsWith('.sh') || (!hasEnding && IS_SHELL_SCRIPT.test(await readFile(path, 'utf8')));
    if (isShell) files.push(path);
  }
  return files;
}

const IS_SHELL_SCRIPT = /^#!\s*\/(?:usr\/)?bin\/(?:env\s+)?(?:ba|da)?sh\b/;

/**
 * The checks that run nothing of ours. The slow ones first, so that two at a time end together.
 * @param {{ isAll: boolean }} options Whether to lint also what has passed before.
 */
export const checks = ({ isAll }) => [lint(isAll), types, format, colours, shell];
