import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { readInputs } from './inputs.mjs';
import { openPasses } from './passes.mjs';

/** @typedef {import('./inputs.mjs').Inputs} Inputs */
/** @typedef {'passed' | 'failed' | 'unsure'} Verdict Unsure is not remembered either: a test was skipped, say. */

/**
 * @typedef {object} Subject Something that is checked file by file.
 * @property {string} name Of its memory.
 * @property {(path: string) => boolean} isChecked
 * @property {string} config Every one of its verdicts depends on this file as on its own.
 * @property {(path: string) => boolean} isForAll And on these.
 * @property {(inputs: Inputs, path: string) => string} digest What a file's own verdict depends on.
 */

/** Goes with the installed packages, as the other tools' caches do. */
const MEMORY = join('node_modules', '.cache', 'leasehold');

const IS_TEST = /^(?:src|scripts|eslint-rules)\/.*\.test\.tsx?$/;

/** @type {Subject} */
export const TESTS = {
  name: 'tests',
  config: 'vitest.config.ts',
  isChecked: (path) => IS_TEST.test(path),
  isForAll: (path) =>
    ['package-lock.json', 'package.json', 'tsconfig.base.json'].includes(path) ||
    path.startsWith('scripts/remembered/'),
  digest: (inputs, path) => inputs.digestOfRun(path),
};

/** Rules ask for types, so a verdict is as good as everything that the file imports; and our own rules change, too. @type {Subject} */
export const LINT = {
  name: 'lint',
  config: 'eslint.config.mjs',
  isChecked: (path) => /\.(?:[cm]?[jt]s|[jt]sx)$/.test(path),
  isForAll: (path) =>
    ['package-lock.json', 'package.json', '.oxlintrc.json'].includes(path) ||
    /(?:^|\/)tsconfig[^/]*\.json$|\.d\.ts$|^eslint-rules\/.*\.mjs$/.test(path) ||
    path.startsWith('scripts/remembered/'),
  digest: (inputs, path) => inputs.digestOfImports(path),
};

/**
 * Checks the files of a subject: all, or only those that have not passed yet as they are now.
 * @template T
 * @param {Subject} subject
 * @param {{ isAll: boolean, root?: string, env?: Record<string, string | undefined> }} options
 * @param {(files: readonly string[], isAll: boolean) => Promise<{ value: T, verdicts: ReadonlyMap<string, Verdict> }>} check
 * @returns {Promise<{ value: T | null, checked: readonly string[], total: number }>} null where nothing was to be checked.
 */
export async function checkRemembering(subject, { isAll, root = ROOT, env = process.env }, check) {
  const wanted = await digestsOf(subject, root);
  const passes = await openPasses(join(root, MEMORY, `passed-${subject.name}.json`));
  const files = isAll ? [...wanted.keys()] : passes.missing(wanted);
  if (files.length === 0) return { value: null, checked: [], total: wanted.size };
  const { value, verdicts } = await check(files, files.length === wanted.size);
  // What passes where programs are hidden may fail where they are not, and the other way round.
  if ((env['LEASEHOLD_HIDE'] ?? '') !== '') return { value, checked: files, total: wanted.size };
  // What somebody changed meanwhile was checked neither as it was nor as it is.
  const after = await digestsOf(subject, root);
  const have = (/** @type {(verdict: Verdict | undefined) => boolean} */ isMeant) =>
    files.filter((path) => isMeant(verdicts.get(path)));
  await passes.keep(
    after,
    have((verdict) => verdict === 'passed').filter((path) => after.get(path) === wanted.get(path)),
    have((verdict) => verdict !== 'passed'),
  );
  return { value, checked: files, total: wanted.size };
}

async function digestsOf(/** @type {Subject} */ subject, /** @type {string} */ root) {
  const inputs = await readInputs(root);
  const forAll = [
    subject.digest(inputs, subject.config),
    inputs.digestWhere(subject.isForAll),
    process.version,
    process.platform,
    process.arch,
  ].join();
  const digest = (/** @type {string} */ path) =>
    createHash('sha256')
      .update(`${forAll},${subject.digest(inputs, path)}`)
      .digest('hex');
  return new Map(inputs.files.filter(subject.isChecked).map((path) => [path, digest(path)]));
}

/** What was run and what was not, for the person. */
export function describeChecked(
  /** @type {readonly string[]} */ checked,
  /** @type {number} */ total,
) {
  const kept = total - checked.length;
  const shown = checked.slice(0, MAX_SHOWN).map((path) => `  ${path}`);
  const more = checked.length - shown.length;
  return [
    `${String(checked.length)} of ${String(total)} files; ` +
      `the other ${String(kept)} passed before, and nothing that they depend on has changed since:`,
    ...shown,
    ...(more > 0 ? [`  and ${String(more)} more`] : []),
  ].join('\n');
}

const MAX_SHOWN = 20;
