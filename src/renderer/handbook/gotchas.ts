import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import type { Catalog } from '../../shared/detectors/alert-words.ts';
import type { Gotcha, Gotchas } from '../../shared/gotchas/gotcha.ts';
import { buildIndex, search, type SearchIndex } from '../../shared/gotchas/search.ts';
import type { Problem } from '../../shared/problem.ts';
import { call } from '../state/bridge.ts';

export type GotchasState =
  | { readonly kind: 'unasked' }
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'known';
      readonly gotchas: Gotchas;
      readonly byId: ReadonlyMap<string, Gotcha>;
      /** Those of the person's own. */
      readonly ownIds: ReadonlySet<string>;
      readonly index: SearchIndex;
    }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** The catalog: asked for once, when something first needs it. */
export const useGotchas = create<GotchasState>(() => ({ kind: 'unasked' }));

export function gotchasNeeded(): void {
  const { kind } = useGotchas.getState();
  if (kind === 'unasked' || kind === 'failed') void load();
}

/** Reads the catalog anew; what is shown stays until the answer is there. */
export async function gotchasChanged(): Promise<void> {
  if (useGotchas.getState().kind === 'known') await read();
  else await load();
}

async function load(): Promise<void> {
  useGotchas.setState({ kind: 'loading' }, true);
  await read();
}

async function read(): Promise<void> {
  const answer = await call('gotchas:list', {});
  if (!answer.ok) {
    useGotchas.setState({ kind: 'failed', problem: answer.error }, true);
    return;
  }
  const entries = answer.value.all.map(({ gotcha }) => gotcha);
  useGotchas.setState(
    {
      kind: 'known',
      gotchas: answer.value,
      byId: new Map(entries.map((gotcha) => [gotcha.id, gotcha])),
      ownIds: new Set(
        answer.value.all.flatMap(({ origin, gotcha }) => (origin === 'shipped' ? [] : gotcha.id)),
      ),
      index: buildIndex(entries),
    },
    true,
  );
}

const NO_ENTRIES: Catalog = new Map();

/** The entries by their ids, for a place that says what they say; none while they are not there. */
export function useCatalog(): Catalog {
  useEffect(gotchasNeeded, []);
  return useGotchas((state) => (state.kind === 'known' ? state.byId : NO_ENTRIES));
}

const NOTHING: readonly Gotcha[] = [];

/** For a place that offers a few entries beside other things; nothing while the catalog is not there. */
export function useFoundEntries(typed: string, max: number): readonly Gotcha[] {
  const isTyped = typed.trim().length > 1;
  useEffect(() => {
    if (isTyped) gotchasNeeded();
  }, [isTyped]);
  const state = useGotchas();
  return useMemo(() => {
    if (state.kind !== 'known' || !isTyped) return NOTHING;
    return search(state.index, typed)
      .hits.slice(0, max)
      .flatMap(({ id }) => state.byId.get(id) ?? []);
  }, [state, isTyped, typed, max]);
}
