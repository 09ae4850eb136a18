// STYLE §3: one IPC contract. Whoever registers a channel by hand gets around the check of sender and input.

/** @type {import('eslint').Rule.RuleModule} */
export const rawIpc = {
  meta: {
    type: 'problem',
    docs: {
      description: 'ipcMain and ipcRenderer are touched only where the contract is carried out',
    },
    schema: [
      {
        type: 'object',
        properties: { allow: { type: 'array', items: { enum: ['ipcMain', 'ipcRenderer'] } } },
        additionalProperties: false,
      },
    ],
    messages: {
      raw: '{{name}} gets around the contract: declare a channel in src/shared/ipc/contract.ts instead.',
    },
  },
  create(context) {
    const { allow = [] } = /** @type {{ allow?: string[] }} */ (context.options[0] ?? {});
    const forbidden = ['ipcMain', 'ipcRenderer'].filter((name) => !allow.includes(name));

    /** @param {import('estree').Node} node @param {string} name */
    const report = (node, name) => context.report({ node, messageId: 'raw', data: { name } });

    return {
      ImportSpecifier(node) {
        const { imported } = node;
        const isElectron =
          /** @type {{ parent: import('estree').ImportDeclaration }} */ (
            /** @type {unknown} */ (node)
          ).parent.source.value === 'electron';
        if (isElectron && imported.type === 'Identifier' && forbidden.includes(imported.name)) {
          report(node, imported.name);
        }
      },
      // electron.ipcMain, and const { ipcMain } = electron
      MemberExpression(node) {
        const name = propertyName(node);
        if (name !== null && forbidden.includes(name)) report(node, name);
        // webContents.ipc.handle(…) and webFrameMain.ipc.on(…) are ipcMain by another name.
        if (
          forbidden.includes('ipcMain') &&
          name !== null &&
          /^(?:handle|on)(?:Once)?$|^once$/.test(name)
        ) {
          if (node.object.type === 'MemberExpression' && propertyName(node.object) === 'ipc')
            report(node, 'ipc');
        }
      },
      ObjectPattern(node) {
        for (const property of node.properties) {
          if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
          if (forbidden.includes(property.key.name)) report(property, property.key.name);
        }
      },
    };
  },
};

/** The name after the dot, or the text in the brackets. */
function propertyName(/** @type {import('estree').MemberExpression} */ { property, computed }) {
  if (!computed) return property.type === 'Identifier' ? property.name : null;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : null;
}
