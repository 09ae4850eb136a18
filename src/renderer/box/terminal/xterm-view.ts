import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal, type IDisposable } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { Settings } from '../../../shared/settings/settings.ts';
import { encodePaste, judgePaste, type PasteJudgement } from '../../../shared/terminal/paste.ts';
import type { TerminalSize } from '../../../shared/terminal/terminal.ts';
import { copyText } from '../../ui/copy-text.ts';
import { defineAdoptedStyle } from './adopted-style.ts';
import { filterEscapes, type EscapeEvents } from './escape-filter.ts';
import { FramePacer, paceFrames } from './frame-pacer.ts';
import { limitLinks } from './link-limit.ts';
import { parseAtOnce } from './parse-at-once.ts';
import { printQuickly } from './quick-print.ts';
import { IS_MAC, readShortcut, type Shortcut } from './shortcuts.ts';
import { readMatchColors, readTerminalTheme, watchTheme } from './terminal-theme.ts';
import { drawWithWebgl } from './webgl.ts';
import styles from './terminal.module.css';

const FONT = "'JetBrains Mono Variable'";

/** Switches off what a program left on when it went: mouse, focus and paste reports, a hidden cursor, colours. */
const CALM = '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[0m';
/** The same, and back from a full-screen program's own screen, on a new line: for a new shell in the same tab. */
const FRESH = `\x1b[?1049l\x1b[!p${CALM}\r\n`;

export interface ViewEvents extends EscapeEvents {
  readonly onInput: (text: string) => void;
  readonly onBinary: (text: string) => void;
  readonly onSize: (size: TerminalSize) => void;
  readonly onPaste: (judgement: Extract<PasteJudgement, { kind: 'ask' | 'too-large' }>) => void;
  readonly onShortcut: (shortcut: Shortcut) => void;
  /** Null: the pointer left it. */
  readonly onLinkUnderPointer: (address: string | null) => void;
  readonly onLinkChosen: (address: string) => void;
  readonly onMatches: (found: { readonly index: number; readonly count: number }) => void;
}

/** One xterm with everything around it. Lives outside of React, so that a screen survives every change of page. */
export class XtermView {
  readonly #terminal: Terminal;
  readonly #events: ViewEvents;
  readonly #host = document.createElement('div');
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon();
  readonly #pacer = new FramePacer();
  readonly #stop: (() => void)[] = [];
  #webgl: IDisposable | null = null;
  /** Counts comings and goings, so that a renderer that loaded late knows it is not wanted any more. */
  #shows = 0;

  constructor(settings: Settings['terminal'], events: ViewEvents) {
    defineAdoptedStyle();
    this.#events = events;
    this.#host.className = styles['host'] ?? '';
    this.#terminal = new Terminal({
      allowProposedApi: true, // widths of Unicode 11, marks for found text
      fontFamily: `${FONT}, ui-monospace, monospace`,
      fontSize: settings.fontSizePx,
      scrollback: settings.scrollbackLines,
      screenReaderMode: settings.isForScreenReader,
      theme: readTerminalTheme(),
      minimumContrastRatio: 4.5, // WCAG AA, whatever colours a program chose
      cursorBlink: false,
      macOptionIsMeta: true,
      // SECURITY: no reports and no changes of the window.
      windowOptions: {},
      linkHandler: {
        activate: (event, address) => this.#activate(event, address),
        hover: (_event, address) => events.onLinkUnderPointer(address),
        leave: () => events.onLinkUnderPointer(null),
      },
    });
    this.#loadAddons();
    limitLinks(this.#terminal);
    printQuickly(this.#terminal);
    const filter = filterEscapes(this.#terminal, events);
    this.#terminal.onData((text) => {
      this.#pacer.typed();
      events.onInput(text);
    });
    this.#terminal.onBinary(events.onBinary);
    this.#terminal.onResize(({ cols, rows }) => events.onSize({ cols, rows }));
    this.#terminal.attachCustomKeyEventHandler((event) => this.#passKey(event));
    // On a program's own screen xterm makes arrow keys of a wheel that nobody asked for, and at a prompt in tmux these bring up
    // old commands. A program that wants the wheel switches the mouse on.
    this.#terminal.attachCustomWheelEventHandler(
      () =>
        this.#terminal.buffer.active.type === 'normal' ||
        this.#terminal.modes.mouseTrackingMode !== 'none',
    );
    // Before xterm's own listeners, which would send what was pasted as it is.
    const onPaste = (event: ClipboardEvent): void => this.#paste(event);
    this.#host.addEventListener('paste', onPaste, { capture: true });
    this.#stop.push(
      () => filter.dispose(),
      watchTheme(() => (this.#terminal.options.theme = readTerminalTheme())),
    );
  }

  get size(): TerminalSize {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows };
  }

  get selection(): string {
    return this.#terminal.getSelection();
  }

  /** `onParsed` is called when xterm is done with these bytes. */
  write(bytes: Uint8Array, onParsed: () => void): void {
    this.#pacer.received(bytes.length);
    parseAtOnce(this.#terminal);
    this.#terminal.write(bytes, onParsed);
  }

  /** Shows it in an element of the page and keeps its size until the returned function is called. */
  show(slot: HTMLElement): () => void {
    this.#shows += 1;
    const show = this.#shows;
    slot.append(this.#host);
    void this.#draw(show);
    const observer = new ResizeObserver(() => this.#refit());
    observer.observe(slot);
    return () => {
      this.#shows += 1;
      observer.disconnect();
      this.#webgl?.dispose();
      this.#webgl = null;
      this.#host.remove();
    };
  }

  focus(): void {
    this.#terminal.focus();
  }

  applySettings({ fontSizePx, scrollbackLines, isForScreenReader }: Settings['terminal']): void {
    this.#terminal.options.fontSize = fontSizePx;
    this.#terminal.options.scrollback = scrollbackLines;
    this.#terminal.options.screenReaderMode = isForScreenReader;
    this.#refit();
  }

  /** Sends text that the person has looked through. */
  sendPaste(text: string): void {
    this.#terminal.input(encodePaste(text, this.#terminal.modes.bracketedPasteMode));
    this.focus();
  }

  copySelection(): void {
    if (this.#terminal.hasSelection()) copyText(this.selection);
    this.focus();
  }

  find(text: string, direction: 'next' | 'previous', isIncremental = false): void {
    const options = { decorations: readMatchColors(), incremental: isIncremental };
    if (direction === 'next') this.#search.findNext(text, options);
    else this.#search.findPrevious(text, options);
  }

  stopFinding(): void {
    this.#search.clearDecorations();
    this.#terminal.clearSelection();
  }

  /** The program is gone: what it had switched on goes with it, the screen stays. */
  calm(): void {
    this.#terminal.write(CALM);
  }

  /** Another program begins on this screen. */
  startFresh(): void {
    this.#terminal.write(FRESH);
  }

  dispose(): void {
    for (const stop of this.#stop.splice(0)) stop();
    this.#webgl?.dispose();
    this.#webgl = null;
    this.#host.remove();
    this.#terminal.dispose();
    this.#pacer.dispose();
  }

  #loadAddons(): void {
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.loadAddon(this.#search);
    this.#terminal.loadAddon(new Unicode11Addon());
    this.#terminal.unicode.activeVersion = '11';
    const { onLinkUnderPointer, onMatches } = this.#events;
    const links = new WebLinksAddon((event, address) => this.#activate(event, address), {
      hover: (_event, address) => onLinkUnderPointer(address),
      leave: () => onLinkUnderPointer(null),
    });
    this.#terminal.loadAddon(links);
    this.#search.onDidChangeResults(({ resultIndex, resultCount }) =>
      onMatches({ index: resultIndex, count: resultCount }),
    );
  }

  async #draw(show: number): Promise<void> {
    const { fontSize = 13 } = this.#terminal.options;
    // xterm measures a letter once; measured in another font, every column would be off.
    await Promise.all([
      document.fonts.load(`${fontSize}px ${FONT}`),
      document.fonts.load(`bold ${fontSize}px ${FONT}`),
    ]);
    if (show !== this.#shows) return;
    if (this.#terminal.element === undefined) {
      this.#terminal.open(this.#host);
      paceFrames(this.#terminal, this.#pacer);
    }
    this.#refit();
    this.focus();
    const webgl = await drawWithWebgl(this.#terminal);
    if (show === this.#shows) this.#webgl = webgl;
    else webgl?.dispose();
  }

  #refit(): void {
    const isOnScreen = this.#host.clientWidth > 0 && this.#host.clientHeight > 0;
    if (isOnScreen && this.#terminal.element !== undefined) this.#fit.fit();
  }

  #activate(event: MouseEvent, address: string): void {
    // A plain click places the cursor or selects; only a meant one opens something.
    if (IS_MAC ? event.metaKey : event.ctrlKey) this.#events.onLinkChosen(address);
  }

  /** False: xterm leaves the key alone. */
  #passKey(event: KeyboardEvent): boolean {
    const shortcut = readShortcut(event, IS_MAC);
    if (shortcut === null) return true;
    // The browser's own paste is what brings the clipboard; there is no other way to it.
    if (shortcut === 'paste') return false;
    event.preventDefault();
    event.stopPropagation();
    this.#events.onShortcut(shortcut);
    return false;
  }

  #paste(event: ClipboardEvent): void {
    event.preventDefault();
    event.stopImmediatePropagation();
    const judgement = judgePaste(event.clipboardData?.getData('text/plain') ?? '');
    if (judgement.kind === 'plain') this.sendPaste(judgement.text);
    else if (judgement.kind !== 'nothing') this.#events.onPaste(judgement);
  }
}
