// A verb that ends a box asks for a GatePass, and one that ends work on it or deletes there for a ChangePass, which only the gate gives out, for what was shown. Who could call the gate with a
// state of their own making would have a way around it: so a pass is opened by the service that keeps the gate alone, and the verbs that end a box are for it and for who puts it together.

const FOLDERS = /\/src\/(?:main|shared)\/teardown\/[^/]+$/;
const WING = /\/src\/main\/app\/wings\/teardown\.ts$/;
const VERBS = /\/teardown-verbs(?:\.ts)?$/;
const GATE = /\/(?:gate|change-pass)(?:\.ts)?$/;
const PASSES = new Set(['GatePass', 'ChangePass']);
/** Opens one for tests. */
const TEST_PASS = /\/change-pass\.fixture(?:\.ts)?$/;
const TEST = /\.(?:test|fixture|bench)\.tsx?$/;
/** What destroys something on a box, and the file that takes the pass for it. Another way to the same script would need none. */
const SCRIPTS = new Map([
  ['run-end.sh', /\/main\/runs\/end-run\.ts$/],
  ['end-processes.sh', /\/main\/processes\/gpu-holders\.ts$/],
  // The copy of a handbook is Leasehold's own, and goes as it came.
  ['sent-secrets.sh', /\/main\/(?:secrets\/sent-secrets|recovery\/copy-on-box)\.ts$/],
  ['secrets-remove.sh', /\/main\/teardown\/box-secrets\.ts$/],
]);
/** Makes the text of one that is no file. */
const KILLS = 'killScript';
const KILLER = /\/main\/terminal\/tmux\.ts$/;
/** They name all of them, and run none. */
const LISTS = /\/main\/onbox\/onbox-scripts\.ts$|\/eslint-rules\//;

/** @type {import('eslint').Rule.RuleModule} */
export const gatePass = {
  meta: {
    type: 'problem',
    docs: {
      description:
        'only the teardown service knows the verbs that end a box, and opens a pass for a verb',
    },
    schema: [],
    messages: {
      verbs: 'What ends a box is reached through Teardowns (src/main/teardown/teardowns.ts) alone.',
      pass: 'A pass of the gate is opened in src/main/teardown alone; who takes a ChangePass imports its type.',
      script:
        'This script destroys something on a box: it is reached through the one file that takes the pass for it.',
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
    const nameOf = (name) => String(name.type === 'Identifier' ? name.name : name.value);
    /** A type opens nothing. @param {object} node */
    const isType = (node) => 'importKind' in node && node.importKind === 'type';
    /** @param {import('estree').Node} node @param {unknown} text */
    const checkScript = (node, text) => {
      const takes = SCRIPTS.get(String(text));
      if (takes !== undefined && ![takes, LISTS, TEST].some((each) => each.test(file))) {
        context.report({ node, messageId: 'script' });
      }
    };
    return {
      ImportDeclaration(node) {
        checkVerbs(node, node.source.value);
        if (TEST_PASS.test(String(node.source.value)) && !TEST.test(file)) {
          context.report({ node, messageId: 'pass' });
        }
        for (const specifier of node.specifiers) {
          if (specifier.type === 'ImportNamespaceSpecifier') {
            checkWhole(specifier, node.source.value);
          } else if (specifier.type === 'ImportSpecifier') {
            const name = nameOf(specifier.imported);
            const takes = name === 'ChangePass' && (isType(node) || isType(specifier));
            if (PASSES.has(name) && !takes) context.report({ node: specifier, messageId: 'pass' });
            if (name === KILLS && ![KILLER, TEST].some((each) => each.test(file))) {
              context.report({ node: specifier, messageId: 'script' });
            }
          }
        }
      },
      ExportNamedDeclaration(node) {
        if (node.source === null || node.source === undefined) return;
        checkVerbs(node, node.source.value);
        for (const { local } of node.specifiers) {
          if (PASSES.has(nameOf(local))) context.report({ node, messageId: 'pass' });
        }
      },
      Literal: (node) => checkScript(node, node.value),
      TemplateElement: (node) => checkScript(node, node.value.cooked),
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
