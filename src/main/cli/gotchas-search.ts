import { buildIndex, search, type Hit, type SearchAnswer } from '../../shared/gotchas/search.ts';
import type { Gotchas } from '../../shared/gotchas/gotcha.ts';
import type { Command } from './command.ts';
import { entriesOf, gotchasFor, tellGotchaFaults, titleOf } from './gotchas-common.ts';
import { tableLines } from './table.ts';
import { readWhole } from './text-input.ts';

const USUAL_COUNT = 5;

export const gotchasSearch: Command = {
  name: 'gotchas search',
  summary: 'ranks the gotchas that fit an id, words, or a traceback on the standard input',
  operands: ['<text|->…'],
  flags: { limit: { value: 'count', help: `shows at most so many (${USUAL_COUNT})` } },
  details: [
    'A single - reads the standard input, as in: tail -n 200 train.log | leasehold gotchas search -',
    'Exit code 1: nothing fits, or a file cannot be used.',
  ],
  async run({ operands, flags, isJson }, context) {
    const limit = flags.get('limit') ?? String(USUAL_COUNT);
    if (!/^[1-9]\d{0,2}$/.test(limit))
      return { refused: '--limit takes a number, as in --limit 3.' };
    const text =
      operands.length === 1 && operands[0] === '-' ? await readWhole('-', context) : null;
    if (text !== null && !text.ok) return { refused: text.error };
    const gotchas = await gotchasFor(context);
    await tellGotchaFaults(gotchas, context);
    const all = entriesOf(gotchas);
    const answer = search(buildIndex(all), text === null ? operands.join(' ') : text.value);
    const hits = answer.hits.slice(0, Number(limit));
    if (isJson) await context.out.json({ ...answer, hits });
    else await context.out.lines(describe(answer, hits, gotchas));
    return hits.length > 0 && gotchas.faults.length === 0 ? 0 : 1;
  },
};

function describe(
  { isCut }: SearchAnswer,
  hits: readonly Hit[],
  { all }: Gotchas,
): readonly string[] {
  if (hits.length === 0) return ['Nothing in the catalog fits.'];
  const titles = new Map(all.map((loaded) => [loaded.gotcha.id, titleOf(loaded)]));
  return [
    ...tableLines(
      ['id', 'title', 'because'],
      hits.map(({ id, reason }) => [id, titles.get(id) ?? null, because(reason)]),
    ),
    ...(isCut ? ['', 'The text is long: its beginning and its end were read.'] : []),
  ];
}

function because(reason: Hit['reason']): string {
  switch (reason.kind) {
    case 'id':
      return 'its id';
    case 'sign':
      return reason.line;
    case 'words':
      return 'its words alone';
  }
}
