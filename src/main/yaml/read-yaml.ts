import {
  isAlias,
  isNode,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type YAMLError,
} from 'yaml';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FileFault } from '../../shared/yaml/file-fault.ts';
import type { Path } from '../../shared/yaml/path.ts';

export type YamlFault = Omit<FileFault, 'file'>;

export interface ReadYaml {
  readonly value: unknown;
  /** The line of what is at this path, or of the nearest thing around it. */
  readonly lineOf: (path: Path) => number;
}

/**
 * Plain YAML without what makes a small file large: no aliases at all, no tags. A file of the person's own is as foreign as any
 * other. `docs` is the page that says what it may hold.
 */
export function readYaml(text: string, docs: string): Result<ReadYaml, YamlFault> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' });
  const last = text.trimEnd().split('\n').length;
  // What is not closed is missed at the end of the file, which may be below its last line.
  const lineAt = (offset: number): number =>
    Math.min(last, Math.max(1, lines.linePos(offset).line));
  const [broken] = [...document.errors, ...document.warnings];
  if (broken !== undefined) {
    // The library walks nested values by recursion.
    if (broken.code === 'RESOURCE_EXHAUSTION') {
      const fix = `Use the fields of ${docs}.`;
      return err({ line: lineAt(broken.pos[0]), message: 'is nested too deeply', fix });
    }
    return err({
      line: lineAt(broken.pos[0]),
      message: `is not plain YAML: ${wordsOf(broken)}`,
      fix: 'Mend this line; a text with ": " or "#" in it needs quotes.',
    });
  }
  const foreign = firstForeign(document);
  if (foreign !== null) {
    return err({
      line: lineAt(foreign.range?.[0] ?? 0),
      message: 'uses an anchor, an alias or a tag',
      fix: 'Write the value out where it is needed.',
    });
  }
  return ok({
    value: document.toJS({ maxAliasCount: 0 }) as unknown,
    lineOf: (path) => lineAt(offsetOf(document, path)),
  });
}

function wordsOf({ message }: YAMLError): string {
  return message.replace(/\s+/g, ' ').slice(0, 200);
}

function firstForeign(document: Document.Parsed): Node | null {
  const found: Node[] = [];
  visit(document, {
    Node: (_key, node) => {
      if (!isAlias(node) && node.anchor === undefined && node.tag === undefined) return undefined;
      found.push(node);
      return visit.BREAK;
    },
  });
  return found[0] ?? null;
}

function offsetOf(document: Document.Parsed, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range !== undefined && node.range !== null) return node.range[0];
  }
  return 0;
}
