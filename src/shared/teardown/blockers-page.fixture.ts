import { blockerKinds, type BlockerKind } from './inspection.ts';

const ROW = /^\| `([a-z-]+)` \| (\S+): (.+) \|$/;

/** Which test fails without each blocker, in Markdown. */
export const blockersPage = (
  blockers: readonly (readonly [BlockerKind, string | null])[],
): string =>
  [
    '# What proves each blocker',
    '',
    'Written by `npm run bench -- gate-mutants`, which takes out one at a time. The test fails then.',
    '',
    '| blocker | test |',
    '| --- | --- |',
    ...blockers.map(([kind, test]) => `| \`${kind}\` | ${test ?? 'none'} |`),
    '',
  ].join('\n');

export interface ProvenBlocker {
  readonly kind: string;
  readonly file: string;
  readonly test: string;
}

/** What that page says. */
export function readBlockersPage(page: string): readonly ProvenBlocker[] {
  const rows = page.split('\n').flatMap((line) => {
    const [, kind = '', file = '', test = ''] = ROW.exec(line) ?? [];
    return kind === '' ? [] : [{ kind, file, test }];
  });
  return rows.length === blockerKinds.length ? rows : [];
}
