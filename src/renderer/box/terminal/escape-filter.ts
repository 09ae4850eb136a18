import type { IDisposable, Terminal } from '@xterm/xterm';
import { Budget } from '../../../shared/terminal/budget.ts';
import { sanitizeTitle } from '../../../shared/terminal/visible-text.ts';

/** What a box tried by printing, and what the person is told about it. */
export type FilteredEscape = 'clipboard-write' | 'clipboard-read' | 'link' | 'answers';

export interface EscapeEvents {
  readonly onFiltered: (what: FilteredEscape) => void;
  readonly onTitle: (title: string) => void;
  readonly onBell: () => void;
}

// An answer goes to the box as if it had been typed. A person's programs ask a handful of questions when they start; a file
// that is shown with cat can hold a million, and each answer would be a line in the shell.
const ANSWERS = { burst: 40, perSecond: 20 };
const TITLES = { burst: 5, perSecond: 4 };
const BELLS = { burst: 1, perSecond: 1 };

/** All 256 colours at once fit. */
const MAX_COLOUR_CHARS = 16_000;

/** The mode in which focus and its loss are told; whoever sets it is told at once how it is. */
const FOCUS_REPORTS = 1004;

/** A hyperlink's address is kept per link; longer ones are not meant for people. */
const MAX_LINK_CHARS = 2000;

/**
 * SECURITY: everything that printed bytes could do beyond printing passes here. xterm's own handler runs where ours returns
 * false. Title reports and other window commands (CSI t) stay off by xterm's `windowOptions`; OSC 52 has no handler in xterm.
 */
export function filterEscapes(
  terminal: Terminal,
  { onFiltered, onTitle, onBell }: EscapeEvents,
  now: () => number = () => performance.now(),
): IDisposable {
  const answers = new Budget(ANSWERS.burst, ANSWERS.perSecond, now());
  const titles = new Budget(TITLES.burst, TITLES.perSecond, now());
  const bells = new Budget(BELLS.burst, BELLS.perSecond, now());

  const answerOrDrop = (): boolean => {
    if (answers.take(now())) return false;
    onFiltered('answers');
    return true;
  };
  const takeTitle = (title: string): boolean => {
    if (titles.take(now())) onTitle(sanitizeTitle(title));
    return true;
  };
  const { parser } = terminal;
  /** One order asks for as many colours as it likes, and xterm answers each. */
  const answerEachOrDrop = (data: string): boolean => {
    if (data.length > MAX_COLOUR_CHARS) {
      onFiltered('answers');
      return true;
    }
    const questions = data.split(';').filter((part) => part === '?').length;
    let isDropped = false;
    for (let n = 0; n < questions && !isDropped; n += 1) isDropped = answerOrDrop();
    return isDropped;
  };
  /** The other modes of the order are set all the same: xterm only types nothing for this task, in which nobody can press a key. */
  const setModes = (modes: readonly unknown[]): boolean => {
    const questions = modes.filter((mode) => mode === FOCUS_REPORTS).length;
    for (let n = 0; n < questions; n += 1) {
      if (!answerOrDrop()) continue;
      terminal.options.disableStdin = true;
      queueMicrotask(() => (terminal.options.disableStdin = false));
      break;
    }
    return false;
  };
  const handlers = [
    parser.registerOscHandler(0, takeTitle),
    parser.registerOscHandler(2, takeTitle),
    parser.registerOscHandler(1, () => true), // names an icon, of which there is none
    parser.registerOscHandler(52, (data) => {
      onFiltered(data.endsWith(';?') ? 'clipboard-read' : 'clipboard-write');
      return true;
    }),
    parser.registerOscHandler(8, (data) => {
      const address = data.slice(data.indexOf(';') + 1);
      if (address === '' || isWebAddress(address)) return false;
      onFiltered('link');
      // The text stays. Where the link before it was not closed, it goes on, and its address is asked about as ever.
      return true;
    }),
    ...[4, 10, 11, 12].map((code) => parser.registerOscHandler(code, answerEachOrDrop)),
    // Device attributes and status, modes, settings: everything that xterm answers.
    parser.registerCsiHandler({ final: 'c' }, answerOrDrop),
    parser.registerCsiHandler({ prefix: '>', final: 'c' }, answerOrDrop),
    parser.registerCsiHandler({ final: 'n' }, answerOrDrop),
    parser.registerCsiHandler({ prefix: '?', final: 'n' }, answerOrDrop),
    parser.registerCsiHandler({ intermediates: '$', final: 'p' }, answerOrDrop),
    parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, answerOrDrop),
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, setModes),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, answerOrDrop),
    parser.registerCsiHandler({ final: 't' }, () => true),
    terminal.onBell(() => {
      if (bells.take(now())) onBell();
    }),
  ];
  return { dispose: () => handlers.forEach((each) => each.dispose()) };
}

function isWebAddress(address: string): boolean {
  if (address.length > MAX_LINK_CHARS) return false;
  try {
    return ['http:', 'https:'].includes(new URL(address).protocol);
  } catch {
    return false; // not an address, so nothing to open
  }
}
