import { useLayoutEffect, useRef, type KeyboardEvent } from 'react';

export interface EdgeItem {
  /** Of its `data-roving`; undefined: the list is empty. */
  readonly id: string | undefined;
  readonly scrollTo: () => void;
}

/**
 * Home and End in a list that shows what is in view: the first or the last item may not be there before the list was scrolled to
 * it. True: the key was taken; otherwise the item is there, and `useRovingFocus` knows what to do.
 */
export function useEdgeKeys(
  list: { readonly current: HTMLElement | null },
  edges: Readonly<Partial<Record<'Home' | 'End', EdgeItem>>>,
): (event: KeyboardEvent) => boolean {
  const wanted = useRef<string | null>(null);
  const find = (id: string): HTMLElement | null =>
    list.current?.querySelector<HTMLElement>(`[data-roving="${id}"]`) ?? null;
  useLayoutEffect(() => {
    const item = wanted.current === null ? null : find(wanted.current);
    if (item === null) return;
    wanted.current = null;
    item.focus();
  });
  return (event) => {
    const edge = edges[event.key as 'Home' | 'End'];
    if (edge?.id === undefined || find(edge.id) !== null) return false;
    event.preventDefault();
    wanted.current = edge.id;
    edge.scrollTo();
    return true;
  };
}
