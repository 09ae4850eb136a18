import { useState, type FocusEvent, type KeyboardEvent } from 'react';

const ITEM = '[data-roving]';

/**
 * One Tab stop for a list; arrows, Home and End move inside it. Items carry `data-roving={id}` and `tabIndex` 0 where
 * `stop` is their id. Until one has had the focus, `preferred` is the stop.
 */
export function useRovingFocus(preferred: string | null) {
  const [focused, setFocused] = useState<string | null>(null);

  function onFocus(event: FocusEvent<HTMLElement>): void {
    const item = event.target.closest<HTMLElement>(ITEM);
    if (item !== null) setFocused(item.dataset['roving'] ?? null);
  }

  function onBlur(event: FocusEvent<HTMLElement>): void {
    // Coming back by Tab starts at the current item again.
    if (!event.currentTarget.contains(event.relatedTarget)) setFocused(null);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEM)];
    const at = items.findIndex((item) => item === document.activeElement);
    const target = targetOf(event.key, at, items.length);
    if (at === -1 || target === null) return;
    event.preventDefault();
    items[target]?.focus();
  }

  return { stop: focused ?? preferred, listProps: { onFocus, onBlur, onKeyDown } };
}

function targetOf(key: string, at: number, count: number): number | null {
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1);
  if (key === 'ArrowUp') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}
