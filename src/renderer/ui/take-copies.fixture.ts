/** The page's copy command as a browser does it: the page is asked what to copy. jsdom has neither. */
export function takeCopies(copied: string[]): void {
  document.execCommand = () => {
    const event = new Event('copy', { bubbles: true, cancelable: true });
    const clipboardData = { setData: (_type: string, text: string) => copied.push(text) };
    document.body.dispatchEvent(Object.assign(event, { clipboardData }));
    return event.defaultPrevented;
  };
}
