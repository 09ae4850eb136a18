/**
 * Puts text on the clipboard during a click or key press. The old command, because the async clipboard API asks for a
 * permission and main denies all permission requests. By the event, not by a selection: that would take the focus, which a
 * dialog takes back before anything is copied, and which a menu would take for leaving it.
 */
export function copyText(text: string): boolean {
  let isTaken = false;
  const fill = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopPropagation(); // a terminal fills it with its own selection
    event.clipboardData?.setData('text/plain', text);
    isTaken = event.clipboardData !== null;
  };
  document.addEventListener('copy', fill, { capture: true, once: true });
  const isDone = document.execCommand('copy');
  document.removeEventListener('copy', fill, { capture: true });
  return isDone && isTaken;
}
