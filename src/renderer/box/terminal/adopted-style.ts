/**
 * What our xterm.js makes in place of a `<style>` element (scripts/packaging/xterm-styles.mjs): the text becomes a constructed
 * style sheet, which the content security policy allows to the script that it already trusts, and which no printed byte can
 * write into. xterm puts numbers and parsed colours there, nothing from the box.
 */
class AdoptedStyle extends HTMLElement {
  readonly #sheet = new CSSStyleSheet();

  override get textContent(): string {
    return '';
  }

  override set textContent(css: string) {
    this.#sheet.replaceSync(css);
  }

  connectedCallback(): void {
    this.hidden = true;
    if (document.adoptedStyleSheets.includes(this.#sheet)) return;
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet];
  }

  disconnectedCallback(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(
      (each) => each !== this.#sheet,
    );
  }
}

/** Once per page, before the first terminal is made. */
export function defineAdoptedStyle(): void {
  if (customElements.get('adopted-style') === undefined) {
    customElements.define('adopted-style', AdoptedStyle);
  }
}
