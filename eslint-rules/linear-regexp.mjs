import { rules } from 'eslint-plugin-regexp';
import { reasonsIn } from './reasons.mjs';

// A pattern that can match the same text in many ways takes a box's 500 kB for minutes, in the one thread that everything runs in.

const ways = /** @type {import('eslint').Rule.RuleModule} */ (
  rules['no-super-linear-backtracking']
);

/**
 * @typedef {object} Found what the library's rule reports
 * @property {import('estree').Node} [node]
 * @property {import('estree').SourceLocation} [loc]
 * @property {string} messageId
 * @property {Record<string, string>} data
 */

/** @type {import('eslint').Rule.RuleModule} */
export const linearRegexp = {
  meta: {
    type: 'problem',
    docs: { description: 'a regular expression has one way to match a text' },
    schema: [],
    messages: {
      slow: 'This can match the same text in many ways, and takes more than linear time to find out that none fits ({{ because }}). Write it so that it has one way, or say in a comment on the line before what bounds the text: // linear-regexp: …',
      needless: 'This explains a regular expression where none is slow.',
    },
  },
  create(context) {
    const reasons = reasonsIn(context, 'linear-regexp');
    const report = (
      /** @type {Found} */ { node, loc = node?.loc ?? undefined, messageId, data },
    ) => {
      if (loc === undefined || reasons.explains(loc.start.line)) return;
      const because = (ways.meta?.messages?.[messageId] ?? messageId).replace(
        /\{\{\s*(\w+)\s*\}\}/g,
        (/** @type {string} */ _all, /** @type {string} */ name) => data[name] ?? '',
      );
      context.report({ loc, messageId: 'slow', data: { because } });
    };
    const judged = /** @type {import('eslint').Rule.RuleContext} */ (
      Object.create(context, {
        options: { value: [{ report: 'certain' }] },
        report: { value: report },
      })
    );
    return {
      ...ways.create(judged),
      'Program:exit': () => {
        for (const { loc } of reasons.needless) {
          if (loc) context.report({ loc, messageId: 'needless' });
        }
      },
    };
  },
};
