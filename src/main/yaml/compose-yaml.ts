import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type ParsedNode,
  visit,
} from 'yaml';
import { err, ok, type Result } from '../../shared/result.ts';
import { readTokens } from './too-deep.ts';

/** What one document of a text is, and of how many parts. */
export interface YamlDocument {
  readonly kind: 'map' | 'list' | 'value';
  readonly parts: number;
}

export type YamlRefused =
  | { readonly kind: 'too deep' }
  | { readonly kind: 'broken'; readonly line: number };

/** A scalar without quotes or tag, letter by letter as it stands there, with its way from the outside in. */
export type TakePlain = (parts: readonly (string | number)[], text: string) => void;

/** Signs that ended a line until YAML 1.2, and as which Python's writers still take them. */
const OLDER_ENDS = /[\x85\u2028\u2029]/g;

/**
 * Whether a text of anybody's is YAML, with the tags and anchors that Python's writers use. Nothing is made of a tag, and no alias
 * is followed, so that a small text stays small.
 */
export function composeYaml(
  text: string,
  takePlain?: TakePlain,
): Result<readonly YamlDocument[], YamlRefused> {
  const found = compose(text, takePlain);
  if (found.ok || found.error.kind === 'too deep' || text.search(OLDER_ENDS) < 0) return found;
  const older = compose(text.replace(OLDER_ENDS, '\n'), takePlain);
  return older.ok ? older : found;
}

function compose(
  text: string,
  takePlain?: TakePlain,
): Result<readonly YamlDocument[], YamlRefused> {
  const tokens = readTokens(text);
  if (!tokens.ok) return err({ kind: 'too deep' });
  // Keys that stand there twice are looked for pair by pair, and Python's reader takes the last of them. Of what a tag asks of a value
  // nothing is checked: a set whose missing values stand in quotes is one to Python.
  const composer = new Composer({
    version: '1.1',
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const documents: YamlDocument[] = [];
  // Told once all of it is known to be YAML.
  const plain: Parameters<TakePlain>[] = [];
  let brokenAt: number | null = null;
  for (const document of composer.compose(tokens.value)) {
    brokenAt ??= document.errors[0]?.pos[0] ?? danglingAt(document);
    documents.push(describe(document.contents));
    if (takePlain !== undefined) {
      eachPlain(document.contents, [], (...one) => plain.push(one));
    }
  }
  if (brokenAt === null) {
    for (const one of plain) takePlain?.(...one);
    return ok(documents);
  }
  return err({ kind: 'broken', line: text.slice(0, brokenAt).split('\n').length });
}

/** Where an alias stands whose anchor is not before it. */
function danglingAt(document: Document.Parsed): number | null {
  const anchors = new Set<string>();
  let at: number | null = null;
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node) && !anchors.has(node.source)) {
        at = node.range?.[0] ?? 0;
        return visit.BREAK;
      }
      if (node.anchor !== undefined) anchors.add(node.anchor);
      return undefined;
    },
  });
  return at;
}

/** As deep as the text may be nested, which was looked at before. */
function eachPlain(
  node: ParsedNode | null,
  parts: readonly (string | number)[],
  take: TakePlain,
): void {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (isScalar(key)) eachPlain(value, [...parts, key.source], take);
    }
  } else if (isSeq(node)) {
    node.items.forEach((item, at) => eachPlain(item, [...parts, at], take));
  } else if (isScalar(node) && node.type === 'PLAIN' && node.tag === undefined) {
    take(parts, node.source);
  }
}

function describe(contents: ParsedNode | null): YamlDocument {
  if (isMap(contents)) return { kind: 'map', parts: contents.items.length };
  if (isSeq(contents)) return { kind: 'list', parts: contents.items.length };
  return { kind: 'value', parts: 1 };
}
