import { useState } from 'react';

// Our dialogs are opened from the keyboard, the menu bar and the palette, so there is no Radix trigger that could get
// the focus back. What had it when the first dialog of a chain opened gets it back when the last one closes.

const DIALOG = '[role="dialog"], [role="alertdialog"]';
let opener: HTMLElement | null = null;
/** Where it was: an answer may have taken the opener away. */
let panel: HTMLElement | null = null;

/** The `onCloseAutoFocus` of a dialog. */
export function useReturnFocus(): (event: Event) => void {
  useState(rememberOpener);
  return returnFocus;
}

/** What is answered in this dialog shows another page, and the focus goes there. */
export function focusGoesToPage(): void {
  [opener, panel] = [null, null];
}

function rememberOpener(): void {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || active.closest(DIALOG) !== null) return;
  const menu = active.closest('[role="menu"]');
  opener = menu === null ? active : triggerOf(menu);
  panel = active.closest<HTMLElement>('[role="tabpanel"]');
}

/** A menu goes away together with its items; the button that opened it stays. */
function triggerOf(menu: Element): HTMLElement | null {
  return document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
}

/** What was chosen in the dialog leads somewhere on the page, and has it already. */
function isTakenMeanwhile(): boolean {
  const active = document.activeElement;
  return active !== null && active !== document.body && active !== opener;
}

function returnFocus(event: Event): void {
  event.preventDefault();
  const hasNextDialog = document.querySelector(DIALOG) !== null;
  if (hasNextDialog || isTakenMeanwhile()) return;
  if (opener?.isConnected === true) opener.focus();
  else if (panel?.isConnected === true) panel.focus();
  else document.querySelector<HTMLElement>('main h1')?.focus();
}
