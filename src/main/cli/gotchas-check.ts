import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkCoverage, type CoverageReport } from '../gotchas/check-coverage.ts';
import { sumOf } from '../gotchas/coverage-page.ts';
import { loadGotchas } from '../gotchas/load-gotchas.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import type { Command, CommandContext } from './command.ts';
import { entriesOf, gotchasFor, shippedGotchas } from './gotchas-common.ts';
import { counted, tableLines } from './table.ts';

/** Why the check cannot run here; null: the sources are here. */
export function whyNoSources({ root }: Pick<CommandContext, 'root'>): string | null {
  return existsSync(join(root, 'src', 'main'))
    ? null
    : 'the sources are not here; this looks at modules and tests, so run it in a clone.';
}

/** Of the shipped catalog alone: what a person adds is not the project's to implement. */
export async function reportFor({ root }: Pick<CommandContext, 'root'>): Promise<{
  readonly report: CoverageReport;
  readonly faults: readonly string[];
}> {
  const gotchas = await loadGotchas({ shipped: shippedGotchas(root), own: join(root, 'no-own') });
  const report = await checkCoverage(root, entriesOf(gotchas));
  return { report, faults: gotchas.faults.map(faultSentence) };
}

export const gotchasCheck: Command = {
  name: 'gotchas check',
  summary: 'proves that each gotcha has a module with a test, or says what it waits for',
  operands: [],
  flags: { strict: { value: null, help: 'fails on what waits, too' } },
  details: [
    'Looks at the sources: module and test must be there, the test must use the module and name the id.',
    'Exit code 1: an id is missing, or has neither an implementation with a test nor a plan.',
  ],
  async run({ flags, isJson }, context) {
    const refused = whyNoSources(context);
    if (refused !== null) return { refused };
    const { report, faults } = await reportFor(context);
    const own = await ownReport(context);
    const waiting = report.rows.filter(({ planned }) => planned.length > 0);
    if (isJson) await context.out.json({ ...report, unreadable: faults, own });
    else await context.out.lines([...describe(report, faults), ...ownLines(own)]);
    const isWhole = report.faults.length + faults.length + own.faults.length === 0;
    return isWhole && !(flags.has('strict') && waiting.length > 0) ? 0 : 1;
  },
};

interface OwnReport {
  readonly entries: number;
  /** Files that cannot be used, and links that lead nowhere. */
  readonly faults: readonly string[];
}

/** The person's own entries: that their files can be used, and that what they name is there. */
async function ownReport(context: CommandContext): Promise<OwnReport> {
  const { all, faults, ownFolder } = await gotchasFor(context);
  const ids = new Set(all.map(({ gotcha }) => gotcha.id));
  const own = all.filter(({ origin }) => origin !== 'shipped');
  const links = own.flatMap(({ gotcha, own: at }) =>
    gotcha.related
      .filter((id) => !ids.has(id))
      .map(
        (id) =>
          `${at?.file ?? ''}:${String(at?.line ?? 1)} ${gotcha.id} names ${id}, which is not there. Correct or remove it.`,
      ),
  );
  const unusable = faults.filter(({ file }) => dirname(file) === ownFolder || file === ownFolder);
  return { entries: own.length, faults: [...unusable.map(faultSentence), ...links] };
}

function ownLines({ entries, faults }: OwnReport): readonly string[] {
  if (entries + faults.length === 0) return [];
  return [
    '',
    `Own entries that can be used: ${String(entries)}.`,
    ...faults.map((each) => `  ${each}`),
  ];
}

function describe(
  { rows, totals, faults }: CoverageReport,
  unreadable: readonly string[],
): readonly string[] {
  const wrong = [...unreadable, ...faults.map(({ id, message }) => `${id}: ${message}`)];
  const head = ['role', 'entries', 'done', 'partly', 'planned', 'beyond'];
  const waiting = rows.filter(({ planned }) => planned.length > 0).length;
  return [
    ...tableLines(
      head,
      [...totals, sumOf(totals)].map(({ role, all, done, partly, planned, beyond }) => [
        role,
        all,
        done,
        partly,
        planned,
        beyond,
      ]),
    ),
    '',
    wrong.length === 0
      ? `Every mark is proven. Something is still planned for ${counted(waiting, 'gotcha')}.`
      : 'Not proven:',
    ...wrong.map((each) => `  ${each}`),
  ];
}
