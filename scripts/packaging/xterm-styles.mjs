// xterm.js (6.0) puts <style> elements and style attributes into the page, which our content security policy refuses. Two
// small replacements in its bundle take the ways that the policy allows: see docs/decisions/0013.

/** Three places make a <style>; the window defines an element of this name that adopts a constructed style sheet. */
const STYLE_ELEMENT = /createElement\("style"\)/g;
const STYLE_ELEMENTS = 3;
/** One place writes colours of cells into the style attribute. */
const STYLE_ATTRIBUTE =
  /(\w+)\.setAttribute\("style",`\$\{\1\.getAttribute\("style"\)\|\|""\}\$\{(\w+)\};`\)/g;

/** Throws where the bundle does not look as expected: a new xterm.js must be looked at, not shipped half styled. */
export function withoutInlineStyles(/** @type {string} */ code) {
  const elements = code.match(STYLE_ELEMENT)?.length ?? 0;
  const attributes = code.match(STYLE_ATTRIBUTE)?.length ?? 0;
  const others = code.match(/setAttribute\("style"/g)?.length ?? 0;
  if (elements !== STYLE_ELEMENTS || attributes !== 1 || others !== 1) {
    throw new Error(
      `xterm.js changed how it styles (${String(elements)} elements, ${String(others)} attributes): see scripts/packaging/xterm-styles.mjs`,
    );
  }
  return code
    .replace(STYLE_ELEMENT, 'createElement("adopted-style")')
    .replace(STYLE_ATTRIBUTE, '$1.style.cssText+=$2+";"');
}

/** The plugin for vite. @returns {import('vite').Plugin} */
export function xtermWithoutInlineStyles() {
  return {
    name: 'leasehold:xterm-styles',
    transform: (code, id) =>
      id.endsWith('/@xterm/xterm/lib/xterm.mjs')
        ? { code: withoutInlineStyles(code), map: null }
        : null,
  };
}
