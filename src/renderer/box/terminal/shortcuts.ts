/** What keys do in a terminal instead of going to the box. docs/terminal.md lists them. */
export type Shortcut =
  | 'copy'
  | 'paste'
  | 'find'
  | 'new'
  | 'close'
  | 'next'
  | 'previous'
  | 'leave'
  | 'palette'
  | 'larger'
  | 'smaller'
  | 'reset-size';

type Keys = Pick<
  KeyboardEvent,
  'type' | 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'
>;

// By the place of the key: with Shift held, `key` depends on the layout.
const WITH_SHIFT: Readonly<Record<string, Shortcut>> = {
  KeyC: 'copy',
  KeyV: 'paste',
  KeyF: 'find',
  KeyT: 'new',
  KeyW: 'close',
  KeyK: 'palette',
  KeyL: 'leave',
  Equal: 'larger',
  NumpadAdd: 'larger',
  Minus: 'smaller',
  NumpadSubtract: 'smaller',
  Digit0: 'reset-size',
  PageDown: 'next',
  PageUp: 'previous',
};

/**
 * Ctrl+Shift (Mac: also Cmd): a shell sees neither, because a terminal cannot even express them. Ctrl+C, Ctrl+W, Ctrl+K and all
 * the others belong to the shell, the menu's own shortcuts included, as long as the terminal has the focus.
 */
export function readShortcut(event: Keys, isMac: boolean): Shortcut | null {
  if (event.type !== 'keydown' || event.altKey) return null;
  const isCtrlShift = event.ctrlKey && event.shiftKey && !event.metaKey;
  const isCommand = isMac && event.metaKey && !event.ctrlKey;
  if (!isCtrlShift && !isCommand) return null;
  return WITH_SHIFT[event.code] ?? null;
}

const SHORTCUT_WORDS: readonly (readonly [keys: string, mac: string, what: string])[] = [
  ['Ctrl+Shift+C', 'Cmd+C', 'Copy what is selected'],
  ['Ctrl+Shift+V', 'Cmd+V', 'Paste'],
  ['Ctrl+Shift+F', 'Cmd+F', 'Find'],
  ['Ctrl+Shift+T', 'Cmd+T', 'New terminal'],
  ['Ctrl+Shift+W', 'Cmd+W', 'Close this terminal'],
  ['Ctrl+Shift+PgDn / PgUp', 'Cmd+PgDn / PgUp', 'Next or previous terminal'],
  ['Ctrl+Shift+L', 'Cmd+L', 'Leave the terminal with the keyboard'],
  ['Ctrl+Shift+K', 'Cmd+K', 'Command palette'],
  ['Ctrl+Shift+= / −  / 0', 'Cmd+= / − / 0', 'Larger, smaller, usual letters'],
  ['Shift+PgUp / PgDn', 'Shift+PgUp / PgDn', 'Scroll'],
  ['Ctrl+click', 'Cmd+click', 'Open a link, after a question'],
];

/** For the help: keys and what they do. */
export function listShortcuts(isMac: boolean): readonly { keys: string; what: string }[] {
  return SHORTCUT_WORDS.map(([keys, mac, what]) => ({ keys: isMac ? mac : keys, what }));
}

export const IS_MAC = navigator.userAgent.includes('Mac');
