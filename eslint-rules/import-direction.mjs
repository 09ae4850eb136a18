import { dirname, join, relative, sep } from 'node:path';

// STYLE §1: main → shared ← renderer, preload → shared; and each outside thing is known in one place only.

/**
 * @typedef {Record<string, readonly string[]>} MayImport Each room's folder, and the rooms that it may import from
 * besides itself.
 * @typedef {Record<string, readonly string[]>} HomeOf For a package: the paths (a folder ends with /) that may import it.
 */

/** @type {import('eslint').Rule.RuleModule} */
export const importDirection = {
  meta: {
    type: 'problem',
    docs: { description: 'imports point inwards, and a package is known only where it is at home' },
    schema: [
      {
        type: 'object',
        properties: {
          root: { type: 'string' },
          rooms: {
            type: 'object',
            additionalProperties: { type: 'array', items: { type: 'string' } },
          },
          packages: {
            type: 'object',
            additionalProperties: { type: 'array', items: { type: 'string' } },
          },
        },
        required: ['rooms', 'packages'],
        additionalProperties: false,
      },
    ],
    messages: {
      direction: '{{from}} must not import from {{to}}.',
      package: '"{{name}}" is known only in {{homes}}.',
    },
  },
  create(context) {
    const {
      root = context.cwd,
      rooms,
      packages,
    } = /** @type {{ root?: string, rooms: MayImport, packages: HomeOf }} */ (context.options[0]);
    const file = relativePath(root, context.filename);
    const room = roomOf(rooms, file);

    /** @param {import('estree').Node | null | undefined} source */
    const check = (source) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const target = source.value;
      if (!target.startsWith('.')) {
        const name = packageName(target);
        const homes = packages[name];
        if (homes === undefined || homes.some((home) => isWithin(file, home))) return;
        context.report({
          node: source,
          messageId: 'package',
          data: { name, homes: homes.join(', ') },
        });
        return;
      }
      if (room === null) return;
      const to = roomOf(rooms, relativePath(root, join(dirname(context.filename), target)));
      if (to === null || to === room || rooms[room]?.includes(to) === true) return;
      context.report({ node: source, messageId: 'direction', data: { from: room, to } });
    };

    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      CallExpression(node) {
        const isRequire = node.callee.type === 'Identifier' && node.callee.name === 'require';
        if (isRequire) check(node.arguments[0]);
      },
      // import('./x.ts').Y in a type
      TSImportType: (/** @type {{ source?: import('estree').Node }} */ node) => check(node.source),
    };
  },
};

const relativePath = (/** @type {string} */ root, /** @type {string} */ path) =>
  relative(root, path).split(sep).join('/');

const isWithin = (/** @type {string} */ file, /** @type {string} */ home) =>
  home.endsWith('/') ? file.startsWith(home) : file === home;

/** The room a file lies in; null outside of all. */
const roomOf = (/** @type {MayImport} */ rooms, /** @type {string} */ file) =>
  Object.keys(rooms).find((room) => file.startsWith(`${room}/`)) ?? null;

/** `@scope/name` of `@scope/name/part`, `name` of `name/part`. */
const packageName = (/** @type {string} */ specifier) =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
