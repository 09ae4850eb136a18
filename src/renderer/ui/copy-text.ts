/**
 * Puts text on the clipboard during a click or key press. The old command, because the async clipboard API asks for a
 * permission and main denies all permission requests.
 */
export function copyText(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  // Within the menu: focus beside it would count as leaving it, and its button would not get the focus back.
  (focused?.closest('[role="menu"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
