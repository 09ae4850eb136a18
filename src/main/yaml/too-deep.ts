import { Lexer, Parser } from 'yaml';

/** Of the parser's own stack, which takes two for a level. */
const MAX_STACK = 200;

/**
 * Where a text is nested deeper than anything that a person writes; null: nowhere. What makes values of a text walks it by recursion,
 * and not only throws where that is too much for it: a process has died of “- ” repeated.
 */
export function tooDeepAt(text: string): number | null {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _token of parser.next(lexeme));
    if (parser.stack.length > MAX_STACK) return parser.offset;
  }
  return null;
}
