import { findColours, NAMED_COLOUR } from './colour-literals.mjs';

// STYLE §6: components use no raw colours; a theme could not reassign them.

const COLOUR_PROPERTIES = new Set([
  'background',
  'backgroundColor',
  'borderColor',
  'color',
  'fill',
  'floodColor',
  'outlineColor',
  'stopColor',
  'stroke',
]);

/** @type {import('eslint').Rule.RuleModule} */
export const noRawColour = {
  meta: {
    type: 'problem',
    docs: { description: 'colours come from tokens.css' },
    schema: [],
    messages: { raw: '{{literal}} is a raw colour: use a token, var(--…), from tokens.css.' },
  },
  create(context) {
    /** @param {import('estree').Node} node @param {readonly string[]} literals */
    const report = (node, literals) => {
      for (const literal of literals) context.report({ node, messageId: 'raw', data: { literal } });
    };
    return {
      Literal(node) {
        if (typeof node.value !== 'string') return;
        report(node, findColours(node.value));
        // A name is a colour only where a colour is meant: "gold" is also a plan, "tan" a function.
        if (COLOUR_PROPERTIES.has(ownerName(node) ?? ''))
          report(node, node.value.match(NAMED_COLOUR) ?? []);
      },
      TemplateElement: (node) => report(node, findColours(node.value.raw)),
    };
  },
};

/**
 * The property or JSX attribute that a literal is the value of.
 * @param {import('estree').Node} node
 * @returns {string | null}
 */
function ownerName(node) {
  const { parent } = /** @type {{ parent: any }} */ (/** @type {unknown} */ (node));
  if (parent.type === 'JSXExpressionContainer') return ownerName(parent);
  if (parent.type === 'JSXAttribute') return parent.name.name;
  if (parent.type === 'Property') return parent.key.name ?? parent.key.value;
  return null;
}
