import { err, ok, type Result } from '../result.ts';

/** What each letter after a percent sign stands for, for example `{ h: 'host.example' }`. */
export type TokenValues = Readonly<Record<string, string>>;

/** OpenSSH's `%h` and its kin; `%%` is a percent sign. Answers the first token that has no value here. */
export function expandTokens(text: string, values: TokenValues): Result<string, string> {
  let unknown: string | null = null;
  const expanded = text.replace(/%(.?)/gsu, (token, letter: string) => {
    if (letter === '%') return '%';
    const value = Object.hasOwn(values, letter) ? values[letter] : undefined;
    if (value === undefined) unknown ??= token;
    return value ?? token;
  });
  return unknown === null ? ok(expanded) : err(unknown);
}
