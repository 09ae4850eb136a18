// A verb that ends a box asks for a GatePass, and one that deletes on it for a DeletePass, which only the open gate gives out, for what it is shown. Who could call the gate with a state of
// their own making would have a way around it: so the pass and the verbs are for the service that keeps the gate, and for who puts it together.

const FOLDERS = /\/src\/(?:main|shared)\/teardown\/[^/]+$/;
const WING = /\/src\/main\/app\/wings\/teardown\.ts$/;
const VERBS = /\/teardown-verbs(?:\.ts)?$/;
const GATE = /\/(?:gate|delete-pass)(?:\.ts)?$/;
const PASSES = new Set(['GatePass', 'DeletePass']);

/** @type {import('eslint').Rule.RuleModule} */
export const gatePass = {
  meta: {
    type: 'problem',
    docs: {
      description:
        'only the teardown service knows the verbs that end a box, and the pass for them',
    },
    schema: [],
    messages: {
      verbs: 'What ends a box is reached through Teardowns (src/main/teardown/teardowns.ts) alone.',
      pass: 'A pass of the gate is asked for and taken in src/main/teardown alone.',
    },
  },
  create(context) {
    const file = context.filename.replaceAll('\\', '/');
    if (FOLDERS.test(file)) return {};
    /** @param {import('estree').Node} node @param {unknown} source */
    const checkVerbs = (node, source) => {
      if (typeof source !== 'string' || WING.test(file)) return;
      if (VERBS.test(source)) context.report({ node, messageId: 'verbs' });
    };
    /** @param {import('estree').Node} node @param {unknown} source */
    const checkWhole = (node, source) => {
      if (typeof source === 'string' && GATE.test(source)) {
        context.report({ node, messageId: 'pass' });
      }
    };
    /** @param {import('estree').Identifier | import('estree').Literal} name */
    const isPass = (name) =>
      PASSES.has(String(name.type === 'Identifier' ? name.name : name.value));
    return {
      ImportDeclaration(node) {
        checkVerbs(node, node.source.value);
        for (const specifier of node.specifiers) {
          if (specifier.type === 'ImportNamespaceSpecifier') {
            checkWhole(specifier, node.source.value);
          } else if (specifier.type === 'ImportSpecifier' && isPass(specifier.imported)) {
            context.report({ node: specifier, messageId: 'pass' });
          }
        }
      },
      ExportNamedDeclaration(node) {
        if (node.source === null || node.source === undefined) return;
        checkVerbs(node, node.source.value);
        for (const { local } of node.specifiers) {
          if (isPass(local)) context.report({ node, messageId: 'pass' });
        }
      },
      ExportAllDeclaration(node) {
        checkVerbs(node, node.source.value);
        checkWhole(node, node.source.value);
      },
      ImportExpression(node) {
        const source = node.source.type === 'Literal' ? node.source.value : null;
        checkVerbs(node, source);
        checkWhole(node, source);
      },
    };
  },
};
