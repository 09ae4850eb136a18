import { isGpuToolFailureDetail } from './gpu-tool-failure.ts';
import { MAX_LINE_CHARS } from './line-splitter.ts';
import { filledLines } from './probe-output.ts';
import { nameOfPart, ReportTreeBuilder, type ReportTree } from './report-tree.ts';

const CARD = /^GPU ([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])\s*$/i;
const BANNER = /^=+NVSMI LOG=+\s*$/;
// The colon stands in another column with each driver, and in another one inside of one text (facts/nvidia.md §2.3).
const VALUE = /^( *)(\S(?:.{0,98}?\S)?)\s* :(?: (.*))?$/;
const HEADING = /^( *)([A-Z][A-Za-z0-9 ./()&+-]{0,98}?)\s*$/;
const MAY_BE_EMPTY = /^ *(?:Processes|Accounted Processes|Supported Clocks)\s*$/;
/** What stands before the first card, and nothing else does. */
const HEAD = /^(?:Timestamp|Attached GPUs|(?:CUDA )?(?:Driver|CUDA|KMD|UMD) Version)$/;
// SECURITY: only what nvidia-smi prints; a colour or a control character means that something else wrote the line.
const FOREIGN = /[^\x20-\x7e\u00a0-\ufffc]/;
const CUT_FIGURE = /^-?[\d.]+$/;

export interface ReportBounds {
  /** What comes after is unreadable; if nothing is said, as many as a recording may have. */
  readonly maxCards?: number;
}

/** Reads the text of `nvidia-smi -q`, whole or of one section, of any driver. Depth comes from the indentation. */
export function readReportText(text: string, { maxCards }: ReportBounds = {}): ReportTree {
  const reader = new TextReader(maxCards);
  // What follows the last newline may be cut anywhere.
  const ended = text.lastIndexOf('\n') + 1;
  for (const line of filledLines(text.slice(0, ended))) {
    reader.read(line.endsWith('\r') ? line.slice(0, -1) : line, false);
  }
  reader.read(text.slice(ended), true);
  return reader.end();
}

class TextReader {
  readonly #tree: ReportTreeBuilder;
  /** What the next lines may stand under, the outermost first. */
  #above: readonly { readonly indent: number; readonly path: string }[] = [];
  /** A title that has nothing under it so far. */
  #title: { readonly indent: number; readonly line: string } | null = null;

  constructor(maxCards: number | undefined) {
    this.#tree = new ReportTreeBuilder(maxCards);
  }

  end(): ReportTree {
    this.#endTitle(0);
    return this.#tree.build();
  }

  read(line: string, isCut: boolean): void {
    if (line.trim() === '') return;
    if (line.length > MAX_LINE_CHARS || FOREIGN.test(line)) this.#tree.unreadable.add(line);
    else if (BANNER.test(line)) this.#startDocument();
    else if (this.#tree.addFailure(line) === null && !isGpuToolFailureDetail(line)) {
      this.#readLine(line, isCut);
    }
  }

  #startDocument(): void {
    this.#endTitle(0);
    this.#above = [];
    this.#tree.startDocument();
  }

  #readLine(line: string, isCut: boolean): void {
    const address = CARD.exec(line)?.[1];
    if (address !== undefined) {
      this.#endTitle(0);
      this.#above = [];
      this.#tree.startCard(address);
      return;
    }
    const value = VALUE.exec(line);
    const [, blanks = '', name = ''] = value ?? HEADING.exec(line) ?? [];
    if (name === '') this.#tree.unreadable.add(line);
    else if (blanks === '') this.#readHead(line, name, value?.[3]);
    else this.#readInner(line, { indent: blanks.length, name, text: value?.[3], isCut });
  }

  #readHead(line: string, name: string, text: string | undefined): void {
    if (text === undefined || !HEAD.test(name)) this.#tree.unreadable.add(line);
    else this.#tree.addHead({ path: nameOfPart(name), text: text.trim(), line });
  }

  #readInner(
    line: string,
    told: {
      readonly indent: number;
      readonly name: string;
      readonly text: string | undefined;
      readonly isCut: boolean;
    },
  ): void {
    const { indent, name, isCut } = told;
    this.#endTitle(indent);
    const above = this.#above.filter((each) => each.indent < indent);
    const path = [...above.slice(-1).map((each) => each.path), nameOfPart(name)].join('/');
    this.#above = [...above, { indent, path }];
    if (told.text === undefined) {
      this.#title = { indent, line };
      return;
    }
    const text = told.text.trim();
    // A cut can hide inside a last figure that has no unit behind it ("17" of "177").
    if (isCut && CUT_FIGURE.test(text)) this.#tree.unreadable.add(line);
    else this.#tree.add({ path, text, line });
  }

  /** A title with nothing under it is no title: anybody may write some words. */
  #endTitle(indent: number): void {
    const title = this.#title;
    this.#title = null;
    if (title !== null && indent <= title.indent && !MAY_BE_EMPTY.test(title.line)) {
      this.#tree.unreadable.add(title.line);
    }
  }
}
