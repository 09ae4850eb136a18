/** What the page of settings leads to, by the words that stand there. */
export const SETTING_PARTS = {
  notifications: 'Notifications',
  tray: 'Keep running in the tray',
  patrols: 'Check interval',
  'pull-limit': 'Bring results home at most at',
  'proof-age': 'A proof of the copies holds for',
  'proof-needs': 'A copy has to be',
  reminders: 'Remind me before a deadline',
  webhook: 'Webhook',
  'font-size': 'Font size',
  scrollback: 'Scrollback',
  'screen-reader': 'Screen reader mode',
  'fact-age': 'A fact is old after',
  demo: 'Demo box',
  secrets: 'Passwords and passphrases',
  about: 'About',
} as const;
export type SettingsPart = keyof typeof SETTING_PARTS;

/** Shows the part with these words, and gives its control the focus. */
export function leadTo(page: HTMLElement, part: SettingsPart): void {
  const words = [...page.querySelectorAll<HTMLElement>('h2, label, p')].find(
    ({ textContent }) => textContent.trim() === SETTING_PARTS[part],
  );
  words?.scrollIntoView();
  const section = words?.closest('section');
  let around = words?.parentElement ?? null;
  while (around !== null) {
    const control = controlIn(around);
    control?.focus();
    around = control === null && around !== section ? around.parentElement : null;
  }
}

/** Of several buttons the last one is the way in; the others act at once. */
const controlIn = (around: HTMLElement): HTMLElement | null =>
  around.querySelector<HTMLElement>('input:checked') ??
  around.querySelector<HTMLElement>('input, select') ??
  [...around.querySelectorAll('button')].at(-1) ??
  null;
