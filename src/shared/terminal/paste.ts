/** A larger paste is a file transfer in disguise, and nobody can look it through. */
export const MAX_PASTE_CHARS = 1024 * 1024;

/** SECURITY: an escape inside a paste could end the bracket (ESC [ 201 ~) and have the rest run as if typed. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu; // all but tab and line breaks

export type PasteJudgement =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'too-large'; readonly chars: number }
  /** Goes to the box without a question. */
  | { readonly kind: 'plain'; readonly text: string }
  /** A shell may run each line the moment it arrives, or something in it cannot be seen. */
  | {
      readonly kind: 'ask';
      /** As it would be sent: control characters left out. */
      readonly text: string;
      /** As it was on the clipboard, for showing. */
      readonly lines: readonly string[];
      readonly controls: number;
    };

export function judgePaste(clipboard: string): PasteJudgement {
  if (clipboard === '') return { kind: 'nothing' };
  if (clipboard.length > MAX_PASTE_CHARS) return { kind: 'too-large', chars: clipboard.length };
  const normal = clipboard.replace(/\r\n?/g, '\n');
  const controls = normal.match(CONTROL)?.length ?? 0;
  const text = normal.replace(CONTROL, '');
  if (controls === 0 && !normal.includes('\n')) return { kind: 'plain', text };
  const lines = normal.split('\n');
  if (lines.at(-1) === '' && lines.length > 1) lines.pop(); // the last break ends a line, it begins none
  return { kind: 'ask', text, lines, controls };
}

/** What a terminal sends for a paste: Enter for each line break, in brackets where the program asked for them. */
export function encodePaste(text: string, isBracketed: boolean): string {
  const typed = text.replace(/\n/g, '\r');
  return isBracketed ? `\u001b[200~${typed}\u001b[201~` : typed;
}
