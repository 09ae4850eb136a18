import { capabilityWords, type CoverageState } from '../../shared/gotchas/coverage.ts';
import { markdownTable } from '../../shared/markdown-table.ts';
import type { CoverageReport, CoverageRow, RoleTotals } from './check-coverage.ts';

const STATE_WORDS: Readonly<Record<CoverageState, string>> = {
  done: 'done',
  partly: 'partly',
  planned: 'planned',
  beyond: 'beyond',
  open: 'open',
};

/** docs/coverage.md, in Markdown. */
export function coveragePage({ rows, totals }: CoverageReport): string {
  return [
    '# Coverage of the gotcha catalog',
    '',
    'Written by `npm run -s cli -- gotchas coverage --write` from `resources/gotchas/`; a test fails when it is not current.',
    '"done": a test that names the entry runs the module beside it. "partly": that, and something waits for what Leasehold',
    'cannot do yet. "planned": all of it waits. "beyond": nothing can be done, for the reason that stands there. What is about a launch',
    'and waits says what a launch asks for already, or why it cannot.',
    '',
    ...markdownTable(
      ['role', 'entries', 'done', 'partly', 'planned', 'beyond'],
      [...totals, sumOf(totals)].map((each) => [
        each.role,
        ...[each.all, each.done, each.partly, each.planned, each.beyond].map(String),
      ]),
    ),
    '',
    '## Entry by entry',
    '',
    ...markdownTable(
      ['id', 'title', 'role', 'state', 'what is done', 'waits for'],
      rows.map((row) => [
        row.id,
        row.title,
        row.role,
        STATE_WORDS[row.state],
        doneCell(row),
        capabilityWords(row.planned),
      ]),
    ),
    '',
  ].join('\n');
}

export function sumOf(
  totals: readonly RoleTotals[],
): Omit<RoleTotals, 'role'> & { readonly role: string } {
  const sum = (pick: (each: RoleTotals) => number): number =>
    totals.reduce((all, each) => all + pick(each), 0);
  return {
    role: 'all',
    all: sum(({ all }) => all),
    done: sum(({ done }) => done),
    partly: sum(({ partly }) => partly),
    planned: sum(({ planned }) => planned),
    beyond: sum(({ beyond }) => beyond),
  };
}

function doneCell({ sameAs, done, shown, beyond }: CoverageRow): string {
  if (sameAs.length > 0) return `as ${sameAs.join(' and ')}`;
  return [
    ...done.map(({ does, module, test }) => `${does}: \`${module}\`, \`${test}\``),
    ...shown.map((place) => `Shown in: ${place}`),
    ...(beyond === undefined ? [] : [beyond]),
  ].join('; ');
}
