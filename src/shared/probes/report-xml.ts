import { MAX_LINE_CHARS } from './line-splitter.ts';
import { nameOfPart, ReportTreeBuilder, type ReportTree } from './report-tree.ts';

const ROOT = 'nvidia_smi_log';
const NAME = /^[A-Za-z_][\w.-]{0,99}$/;
const OPENING =
  /^([A-Za-z_][\w.-]{0,99})((?:\s+[A-Za-z_][\w.-]{0,99}\s*=\s*(?:"[^"<]{0,200}"|'[^'<]{0,200}'))*)\s*(\/?)$/;
const MAX_DEPTH = 24;
const MAX_TAG_CHARS = 2000;
const MAX_TEXT_CHARS = 2000;

interface Element {
  readonly name: string;
  readonly path: string;
  hasChildren: boolean;
}

/**
 * Reads the XML of `nvidia-smi -q -x`, also several documents in a row. No parser of general XML: elements, the five
 * entities that need no declaration and characters by number are all that nvidia-smi prints. SECURITY: a document that
 * declares anything of its own is not read, so nothing can grow or reach outside of the text.
 */
export function readReportXml(text: string): ReportTree {
  const tree = new ReportTreeBuilder();
  let stack: Element[] = [];
  let isInCard = false;
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('<', at);
    if (start < 0) break;
    const between = text.slice(at, start);
    const isClosing = text.startsWith('</', start);
    if (!isClosing) noteStray(between);
    if (text.startsWith('<!--', start)) {
      const stop = text.indexOf('-->', start + 4);
      if (stop < 0) return cut(text.slice(start));
      at = stop + 3;
      continue;
    }
    const end = text.indexOf('>', start);
    if (end < 0) return cut(text.slice(start));
    const inner = text.slice(start + 1, end);
    at = end + 1;
    if (inner.length > MAX_TAG_CHARS) {
      tree.unreadable.add(`<${inner}>`);
    } else if (inner.startsWith('?') || inner.startsWith('!')) {
      if (/^!DOCTYPE[^[]*\[|^!ENTITY|^!\[CDATA\[/i.test(inner)) {
        tree.unreadable.add(`<${inner}>`);
        return tree.build();
      }
      if (stack.length > 0) {
        noteOpen();
        stack = [];
      }
    } else if (isClosing) {
      if (!closeElement(inner.slice(1).trim(), between)) return tree.build();
    } else if (!openElement(inner)) return tree.build();
  }
  if (stack.length > 0) return cut(text.slice(at));
  noteStray(text.slice(at));
  return tree.build();

  function openElement(inner: string): boolean {
    const [, name, attributes = '', slash] = OPENING.exec(inner) ?? [];
    if (name === undefined || stack.length >= MAX_DEPTH) {
      tree.unreadable.add(`<${inner}>`);
      return false;
    }
    const above = stack.at(-1);
    if (above === undefined && name !== ROOT) {
      tree.unreadable.add(`<${inner}>`);
      return false;
    }
    if (above === undefined) tree.startDocument();
    else above.hasChildren = true;
    if (slash === '/') return true;
    const isCard = stack.length === 1 && name === 'gpu';
    if (isCard) {
      isInCard = true;
      tree.startCard(/\sid\s*=\s*["']([0-9a-f:.]{4,20})["']/i.exec(attributes)?.[1] ?? null);
    }
    // The root and the card are no part of a name.
    const path = above === undefined || isCard ? '' : joined(above.path, nameOfPart(name));
    stack.push({ name, path, hasChildren: false });
    return true;
  }

  function closeElement(name: string, between: string): boolean {
    const open = stack.pop();
    if (open === undefined || open.name !== name || !NAME.test(name)) {
      tree.unreadable.add(`</${name}>`);
      return false;
    }
    if (open.hasChildren) noteStray(between);
    else addLeaf(open, between);
    if (stack.length === 1) isInCard = false;
    return true;
  }

  function addLeaf({ name, path }: Element, raw: string): void {
    if (path === '') return;
    const line = `<${name}>${raw}</${name}>`;
    const value = raw.length > MAX_TEXT_CHARS ? null : decoded(raw.trim());
    if (value === null) tree.unreadable.add(line);
    else if (isInCard) tree.add({ path, text: value, line });
    else tree.addHead({ path, text: value, line });
  }

  /** Text where only elements belong: nvidia-smi's own complaints, or damage. */
  function noteStray(between: string): void {
    if (between.trim() === '') return;
    for (const line of between.split(/\r?\n/)) {
      if (line.trim() === '') continue;
      if (line.length > MAX_LINE_CHARS || tree.addFailure(line) === null) tree.unreadable.add(line);
    }
  }

  function noteOpen(): void {
    tree.unreadable.add(`<${stack.at(-1)?.name ?? ''}> is never closed`);
  }

  /** The text ends in the middle: what is behind the last whole element is not believed. */
  function cut(rest: string): ReportTree {
    if (stack.length > 0) noteOpen();
    else noteStray(rest);
    return tree.build();
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Null: it holds an entity that nobody declared, or a character that no tool prints. */
function decoded(raw: string): string | null {
  let isKnown = true;
  const text = raw.replace(/&([^;\s]{0,12});?/g, (whole, name: string) => {
    const code = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
    const point = code === null ? NaN : parseInt(code[1] ?? code[2] ?? '', code[1] ? 16 : 10);
    const char =
      ENTITIES[name] ?? (point >= 32 && point <= 0x10ffff ? String.fromCodePoint(point) : null);
    if (char === null || !whole.endsWith(';')) {
      isKnown = false;
      return '';
    }
    return char;
  });
  return isKnown && !/[\x00-\x1f\x7f-\x9f\ufffd]/.test(text) ? text : null;
}

function joined(above: string, name: string): string {
  return above === '' ? name : `${above}/${name}`;
}
