import {
  Composer,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  visit,
  type Document,
  type Node,
  type YAMLError,
} from 'yaml';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FileFault } from '../../shared/yaml/file-fault.ts';
import type { Path } from '../../shared/yaml/path.ts';
import { readTokens } from './too-deep.ts';

export type YamlFault = Omit<FileFault, 'file'>;

export interface ReadYaml {
  readonly value: unknown;
  /** The line of what is at this path, or of the nearest thing around it. */
  readonly lineOf: (path: Path) => number;
  /** The same to the column; of a field, where its name stands. */
  readonly placeOf: (path: Path) => FilePlace;
}

/** Both from 1. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Plain YAML without what makes a small file large: no aliases at all, no tags. A file of the person's own is as foreign as any
 * other. `docs` is the page that says what it may hold.
 */
export function readYaml(text: string, docs: string): Result<ReadYaml, YamlFault> {
  const lines = new LineCounter();
  const last = text.trimEnd().split('\n').length;
  // What is not closed is missed at the end of the file, which may be below its last line.
  const placeAt = (offset: number): FilePlace => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.min(last, Math.max(1, line)), column: Math.max(1, col) };
  };
  const tokens = readTokens(text, lines.addNewLine);
  if (!tokens.ok) {
    const line = text.slice(0, tokens.error).split('\n').length;
    return err({ line, message: 'is nested too deeply', fix: `Use the fields of ${docs}.` });
  }
  const composer = new Composer({ prettyErrors: false, version: '1.2' });
  const documents = composer.compose(tokens.value, true, text.length);
  // There is one even in an empty text.
  const [document, another] = [...documents] as [Document.Parsed, Document.Parsed?];
  const [broken] = [...document.errors, ...document.warnings];
  if (broken === undefined && another !== undefined) {
    return err({
      ...placeAt(another.range[0]),
      message: 'holds more than one document',
      fix: 'Keep only what stands before this line.',
    });
  }
  if (broken !== undefined) {
    return err({
      ...placeAt(broken.pos[0]),
      message: `is not plain YAML: ${wordsOf(broken)}`,
      fix: 'Mend this line; a text with ": " or "#" in it needs quotes.',
    });
  }
  const foreign = firstForeign(document);
  if (foreign !== null) {
    return err({
      ...placeAt(foreign.range?.[0] ?? 0),
      message: 'uses an anchor, an alias or a tag',
      fix: 'Write the value out where it is needed.',
    });
  }
  return ok({
    value: document.toJS({ maxAliasCount: 0 }) as unknown,
    lineOf: (path) => placeAt(offsetOf(document, path)).line,
    placeOf: (path) => placeAt(nameOffset(document, path)),
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

function nameOffset(document: Document.Parsed, path: Path): number {
  const around = path.length < 2 ? document.contents : document.getIn(path.slice(0, -1), true);
  const name = path.at(-1);
  const pair = isMap(around)
    ? around.items.find(({ key }) => isScalar(key) && String(key.value) === String(name))
    : undefined;
  return (isNode(pair?.key) ? pair.key.range?.[0] : undefined) ?? offsetOf(document, path);
}
