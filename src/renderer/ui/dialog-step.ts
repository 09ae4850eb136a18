/** A ref of what a dialog shows next: it is shown from its beginning, however far down the dialog was scrolled before. */
export function fromBeginning(element: HTMLElement | null): void {
  const dialog = element?.closest('[role="dialog"]');
  if (dialog !== null && dialog !== undefined) dialog.scrollTop = 0;
}
