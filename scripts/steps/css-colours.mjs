import { findColours, NAMED_COLOUR } from '../../eslint-rules/colour-literals.mjs';

// Values only: a selector may well be called #add or .tan.
const DECLARATION = /(?<=[{};]\s*)(?<property>[-\w]+)\s*:(?<value>[^;{}]*)(?=[;}])/g;

/**
 * The colours written out in a style sheet, where a token should stand.
 * @param {string} css
 * @param {boolean} mayDefine Whether it may define tokens of its own.
 * @returns {{ line: number, literal: string }[]}
 */
export function findColourLiterals(css, mayDefine) {
  // Blanked, not cut: the lines must stay where they are.
  const blank = (/** @type {string} */ text) => text.replace(/[^\n]/g, ' ');
  const bare = css
    .replace(/\/\*[\s\S]*?\*\//g, blank)
    .replace(/url\([^)]*\)|"[^"\n]*"|'[^'\n]*'/g, blank);
  const found = [];
  for (const { index, groups: { property = '', value = '' } = {} } of bare.matchAll(DECLARATION)) {
    if (mayDefine && property.startsWith('--')) continue;
    const line = bare.slice(0, index).split('\n').length;
    for (const literal of [...findColours(value), ...(value.match(NAMED_COLOUR) ?? [])]) {
      found.push({ line, literal });
    }
  }
  return found;
}
