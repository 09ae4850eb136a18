/** One pattern of a Host or Match line: `*` and `?`, and nothing else is special. Case counts, as in OpenSSH. */
export interface Pattern {
  readonly isNegated: boolean;
  /** What it is without wildcards; null: it has some. */
  readonly literal: string | null;
  readonly matches: (text: string) => boolean;
}

export function toPattern(word: string): Pattern {
  const isNegated = word.startsWith('!');
  const text = isNegated ? word.slice(1) : word;
  if (!/[*?]/.test(text)) return { isNegated, literal: text, matches: (other) => other === text };
  return { isNegated, literal: null, matches: (other) => matchesWildcards(other, text) };
}

/** Some pattern says yes and no negated one does. Only negated ones match nothing. */
export function matchesAny(patterns: readonly Pattern[], text: string): boolean {
  let isMatch = false;
  for (const pattern of patterns) {
    if (!pattern.matches(text)) continue;
    if (pattern.isNegated) return false;
    isMatch = true;
  }
  return isMatch;
}

/** Linear for one star and never worse than the product of both lengths: a config is no place for a slow regex. */
function matchesWildcards(text: string, pattern: string): boolean {
  let at = 0;
  let textAt = 0;
  let star = -1;
  let resumeAt = 0;
  while (textAt < text.length) {
    const char = pattern.charAt(at);
    if (char === '*') {
      star = at;
      at += 1;
      resumeAt = textAt;
    } else if (at < pattern.length && (char === '?' || char === text.charAt(textAt))) {
      at += 1;
      textAt += 1;
    } else if (star !== -1) {
      at = star + 1;
      resumeAt += 1;
      textAt = resumeAt;
    } else {
      return false;
    }
  }
  while (pattern.charAt(at) === '*') at += 1;
  return at === pattern.length;
}
