import { coverageOf } from '../../shared/gotchas/coverage.ts';
import type { Gotcha } from '../../shared/gotchas/gotcha.ts';
import { search, type Reason, type SearchIndex } from '../../shared/gotchas/search.ts';
import { SCOPE_WORDS } from './gotcha-words.ts';
import type { HandbookFilter, Pasted } from './handbook-view.ts';

/** Beyond these nothing fits any more. */
const MAX_TYPED_HITS = 30;

export interface ResultRow {
  readonly gotcha: Gotcha;
  /** Null: it is listed and was not searched for. */
  readonly reason: Reason | null;
}

export interface ResultGroup {
  readonly title: string;
  readonly rows: readonly ResultRow[];
}

export interface Results {
  readonly groups: readonly ResultGroup[];
  readonly count: number;
  readonly isCut: boolean;
}

interface Asked {
  readonly typed: string;
  readonly pasted: Pasted | null;
  readonly filter: HandbookFilter;
}

/** What the list shows: the whole catalog by place, or what fits what was typed or pasted, best first. */
export function selectResults(
  index: SearchIndex,
  byId: ReadonlyMap<string, Gotcha>,
  ownIds: ReadonlySet<string>,
  { typed, pasted, filter }: Asked,
): Results {
  const isWanted = (gotcha: Gotcha): boolean =>
    (filter.severity === null || gotcha.severity === filter.severity) &&
    (filter.role === null || gotcha.role === filter.role) &&
    (filter.scope === null || gotcha.scope === filter.scope) &&
    (!filter.isOwn || ownIds.has(gotcha.id)) &&
    (!filter.isHandled || coverageOf(gotcha, byId).done.length > 0);
  const text = pasted?.text ?? typed;
  if (text.trim() === '') {
    const rows = [...byId.values()].filter(isWanted).map((gotcha) => ({ gotcha, reason: null }));
    return resultsOf(byScope(rows), false);
  }
  const { hits, isLog } = search(index, text);
  const isCut = pasted?.isCut === true;
  const rows = hits.flatMap(({ id, reason }): ResultRow[] => {
    const gotcha = byId.get(id);
    return gotcha !== undefined && isWanted(gotcha) ? [{ gotcha, reason }] : [];
  });
  if (!isLog)
    return resultsOf([{ title: 'Best first', rows: rows.slice(0, MAX_TYPED_HITS) }], isCut);
  // In a log only signs find anything.
  return resultsOf([{ title: 'What this text shows', rows }], isCut);
}

function byScope(rows: readonly ResultRow[]): readonly ResultGroup[] {
  return Object.entries(SCOPE_WORDS).map(([scope, title]) => ({
    title,
    rows: rows.filter(({ gotcha }) => gotcha.scope === scope),
  }));
}

function resultsOf(groups: readonly ResultGroup[], isCut: boolean): Results {
  const shown = groups.filter(({ rows }) => rows.length > 0);
  return { groups: shown, count: shown.reduce((sum, { rows }) => sum + rows.length, 0), isCut };
}
