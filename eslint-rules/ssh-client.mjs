// An ssh2 Client that is made by hand checks no host key: ssh2 accepts any unless it is told otherwise. So one class makes
// them all, and its constructor asks for the check. node-ssh makes one in its own `connect`.

/** @type {import('eslint').Rule.RuleModule} */
export const sshClient = {
  meta: {
    type: 'problem',
    docs: { description: 'only VerifiedClient makes a Client of ssh2' },
    schema: [],
    messages: {
      unverified:
        'A Client of ssh2 accepts any host key: make a VerifiedClient (src/main/ssh/verified-client.ts) instead.',
      ownConnect:
        'node-ssh accepts any host key: set its `connection` to a VerifiedClient instead.',
    },
  },
  create(context) {
    /** What stands for the class, and what stands for the whole package, in this file. @type {Set<string>} */
    const classes = new Set();
    /** @type {Set<string>} */
    const packages = new Set();
    /** Whatever connects in a file that knows node-ssh. @type {import('estree').Node[]} */
    const connecting = [];
    let knowsNodeSsh = false;

    /** @param {import('estree').Node | null | undefined} node */
    const isClient = (node) => {
      if (node?.type === 'Identifier') return classes.has(node.name);
      if (node?.type !== 'MemberExpression' || node.object.type !== 'Identifier') return false;
      const { property } = node;
      const name =
        property.type === 'Identifier' && !node.computed
          ? property.name
          : property.type === 'Literal'
            ? property.value
            : null;
      return name === 'Client' && packages.has(node.object.name);
    };
    /** @param {import('estree').Node} node @param {import('estree').Node | null | undefined} made */
    const check = (node, made) => {
      if (isClient(made)) context.report({ node, messageId: 'unverified' });
    };

    return {
      ImportDeclaration(node) {
        knowsNodeSsh ||= node.source.value === 'node-ssh';
        if (node.source.value !== 'ssh2') return;
        for (const specifier of node.specifiers) {
          if (specifier.type !== 'ImportSpecifier') packages.add(specifier.local.name);
          else if (specifier.imported.type === 'Identifier' && specifier.imported.name === 'Client')
            classes.add(specifier.local.name);
        }
      },
      // import('ssh2') and require('ssh2') would bring the class in by another way.
      ImportExpression(node) {
        knowsNodeSsh ||= node.source.type === 'Literal' && node.source.value === 'node-ssh';
        if (node.source.type === 'Literal' && node.source.value === 'ssh2')
          context.report({ node, messageId: 'unverified' });
      },
      VariableDeclarator(node) {
        // const { Client } = ssh2
        const { id, init } = node;
        if (init?.type !== 'Identifier' || !packages.has(init.name)) return;
        if (id.type !== 'ObjectPattern') return;
        for (const property of id.properties) {
          if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
          if (property.key.name === 'Client')
            context.report({ node: property, messageId: 'unverified' });
        }
      },
      MemberExpression(node) {
        const { property } = node;
        const name =
          property.type === 'Identifier'
            ? property.name
            : property.type === 'Literal' && property.value;
        if (name === 'connect') connecting.push(node);
      },
      'Program:exit': () => {
        for (const node of knowsNodeSsh ? connecting : []) {
          context.report({ node, messageId: 'ownConnect' });
        }
      },
      NewExpression: (node) => check(node, node.callee),
      ClassDeclaration: (node) => check(node, node.superClass),
      ClassExpression: (node) => check(node, node.superClass),
    };
  },
};
