import { join } from 'node:path';
import { coveragePage } from '../gotchas/coverage-page.ts';
import { replaceFile } from '../storage/atomic-file.ts';
import type { Command } from './command.ts';
import { reportFor, whyNoSources } from './gotchas-check.ts';

/** From the app's folder. */
export const COVERAGE_PAGE = join('docs', 'coverage.md');

export const gotchasCoverage: Command = {
  name: 'gotchas coverage',
  summary: 'prints docs/coverage.md: what is done about each gotcha, and where',
  operands: [],
  flags: { write: { value: null, help: 'writes it into docs/ instead' } },
  details: ['Exit code 1: `gotchas check` finds something wrong.'],
  async run({ flags, isJson }, context) {
    const refused = whyNoSources(context);
    if (refused !== null) return { refused };
    const { report, faults } = await reportFor(context);
    const page = coveragePage(report);
    if (flags.has('write')) await replaceFile(join(context.root, COVERAGE_PAGE), page);
    else if (isJson) await context.out.json(report);
    else await context.out.lines(page.trimEnd().split('\n'));
    return report.faults.length + faults.length === 0 ? 0 : 1;
  },
};
