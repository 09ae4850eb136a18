/**
 * A double click is one wish. Its second half is kept from a button that came under the pointer in between (where “Connect” was, there may
 * be “Disconnect” or a host key to trust), and from one that begins something (`data-once`): asked twice, a log-in that was refused at once
 * would be tried twice.
 */
export function keepDoubleClicks(): () => void {
  let first: Element | null = null;
  const judge = (event: MouseEvent): void => {
    const pressed = event.target instanceof Element ? event.target.closest('button, a') : null;
    // Without a pointer, as by the keyboard, it is 0.
    if (event.detail <= 1) {
      first = pressed;
      return;
    }
    if (pressed === null || (pressed === first && !pressed.hasAttribute('data-once'))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('click', judge, true);
  return () => window.removeEventListener('click', judge, true);
}
