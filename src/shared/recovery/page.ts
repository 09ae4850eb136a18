/** A piece of a line: plain words, or something to be read letter by letter. */
export type Inline = string | { readonly code: string };

/** What the recovery handbook is made of: one text for the file, for the window and for the command line. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'text'; readonly text: readonly Inline[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Inline[])[] }
  /** For a shell. `what`: what it is, for those who only hear it. */
  | { readonly kind: 'code'; readonly what: string; readonly text: string }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

/** Every text of a block goes through `change`; only that of a code block may have several lines. */
export function mapTexts(
  block: Block,
  change: (text: string, mayHaveLines: boolean) => string,
): Block {
  const onLine = (text: string): string => change(text, false);
  const inlines = (parts: readonly Inline[]): readonly Inline[] =>
    parts.map((part) => (typeof part === 'string' ? onLine(part) : { code: onLine(part.code) }));
  switch (block.kind) {
    case 'heading':
      return { ...block, text: onLine(block.text) };
    case 'code':
      return { ...block, text: change(block.text, true) };
    case 'text':
      return { ...block, text: inlines(block.text) };
    case 'list':
      return { ...block, items: block.items.map(inlines) };
    case 'table':
      return { ...block, rows: block.rows.map((row) => row.map(inlines)) };
  }
}

/** Markdown that any reader shows the same, and that a person reads as it is in a terminal. */
export function toMarkdown(blocks: readonly Block[]): string {
  return `${blocks.map(blockText).join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${escaped(block.text)}`;
    case 'text':
      return line(block.text);
    case 'list':
      return block.items.map((item) => `- ${line(item)}`).join('\n');
    case 'code': {
      const fence = fenceFor(block.text, 3);
      return `${fence}sh\n${block.text}\n${fence}`;
    }
    case 'table':
      return [
        `| ${block.head.map(escaped).join(' | ')} |`,
        `|${block.head.map(() => ' --- |').join('')}`,
        ...block.rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
      ].join('\n');
  }
}

const line = (parts: readonly Inline[]): string =>
  parts
    .map((part, at) => {
      if (typeof part !== 'string') return codeSpan(part.code);
      return at === 0 ? escapedStart(escaped(part)) : escaped(part);
    })
    .join('');

/** A bar ends a cell, also within a code span. */
const cell = (parts: readonly Inline[]): string =>
  parts
    .map((part) =>
      typeof part === 'string'
        ? escaped(part)
        : codeSpan(part.code).replaceAll('|', String.raw`\|`),
    )
    .join('');

function codeSpan(code: string): string {
  if (code === '') return '';
  const fence = fenceFor(code, 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

/** Longer than any row of backticks in it, so that nothing in it can end it. */
function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(least, longest + 1));
}

/** What Markdown would make something of. An underscore within a word is none of that, and paths stay readable. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*[\]<>|&]/g, String.raw`\$&`)
    .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, String.raw`\_`);
}

/** What makes a heading, a list or a quote of a line that begins with it. */
function escapedStart(text: string): string {
  return text
    .replace(/^(\s*)([#+=~-])/, String.raw`$1\$2`)
    .replace(/^(\s*\d{1,9})([.)])/, String.raw`$1\$2`);
}
