import { Lexer, Parser, type CST } from 'yaml';
import { err, ok, type Result } from '../../shared/result.ts';

/** Of the parser's own stack, which takes two for a level. */
const MAX_STACK = 200;

/**
 * What a text is made of; or else the place at which it is nested deeper than anything that a person writes. What makes values of it
 * walks it by recursion, and not only throws where that is too much for it: a process has died of “- ” repeated.
 */
export function readTokens(
  text: string,
  onNewLine?: (offset: number) => void,
): Result<readonly CST.Token[], number> {
  const parser = new Parser(onNewLine);
  const tokens: CST.Token[] = [];
  onNewLine?.(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > MAX_STACK) return err(parser.offset);
  }
  for (const token of parser.end()) tokens.push(token);
  return ok(tokens);
}
