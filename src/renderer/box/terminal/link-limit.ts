import type { IMarker, Terminal } from '@xterm/xterm';

/**
 * Lines on which hyperlinks (OSC 8) are kept. Each one is a marker that every scrolled line moves: xterm.js (6.0) keeps as many as
 * are printed, for links on one line without end, and with 5,000 of them reads 0.2 MB/s instead of 35.
 */
const MAX_LINK_LINES = 500;

/** What xterm.js keeps to itself: the addresses of the hyperlinks on its screen, and the lines that they stand on. */
interface Internals {
  readonly _core: {
    readonly _oscLinkService: {
      registerLink(data: object): number;
      addLineToLink(linkId: number, y: number): void;
      readonly _dataByLinkId: ReadonlyMap<number, { readonly lines: readonly IMarker[] }>;
    };
  };
}

/** SECURITY: a box that prints hyperlinks without end gets neither our memory nor our time; the newest stay links, older ones become text. */
export function limitLinks(terminal: Terminal): void {
  const links = (terminal as unknown as Internals)._core._oscLinkService;
  const register = links.registerLink.bind(links);
  const addLine = links.addLineToLink.bind(links);
  const held = new Set<IMarker>();

  const hold = (linkId: number): void => {
    const marker = links._dataByLinkId.get(linkId)?.lines.at(-1);
    if (marker === undefined || held.has(marker)) return;
    held.add(marker);
    marker.onDispose(() => held.delete(marker)); // scrolled out
    const [oldest] = held;
    if (held.size > MAX_LINK_LINES) oldest?.dispose();
  };
  links.registerLink = (data) => {
    const linkId = register(data);
    hold(linkId);
    return linkId;
  };
  links.addLineToLink = (linkId, y) => {
    addLine(linkId, y);
    hold(linkId);
  };
}
