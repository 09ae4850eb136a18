import ts from 'typescript';
import { reasonsIn } from './reasons.mjs';
import { NAMES, SINKS } from './shell-calls.mjs';

// CONTRIBUTING: shell text never contains values. They go as arguments or over stdin, where no quoting can fail.

/** @type {import('eslint').Rule.RuleModule} */
export const shellText = {
  meta: {
    type: 'problem',
    docs: { description: 'a command for a box is fixed text; values go over stdin' },
    schema: [],
    messages: {
      value:
        'This is put into shell text, where a value could be read as a command. Hand values over on stdin (OnboxScripts), or say in a comment on the line before why it can be no such value: // shell-text: …',
      needless: 'This explains a value where none is put into shell text.',
    },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    /** @type {ts.Program} */
    const program = services.program;
    const checker = program.getTypeChecker();
    const nodes = /** @type {{ get(node: unknown): ts.Node }} */ (services.esTreeNodeToTSNodeMap);

    const reasons = reasonsIn(context, 'shell-text');

    /** @param {import('estree').Node} node */
    const check = (node) => {
      if (isFixed(/** @type {ts.Expression} */ (nodes.get(node)), checker)) return;
      if (!reasons.explains(node.loc?.start.line ?? 0))
        context.report({ node, messageId: 'value' });
    };

    return {
      CallExpression(node) {
        const { callee, arguments: given } = node;
        if (callee.type !== 'MemberExpression') return;
        const { property, computed } = callee;
        if (!computed && property.type === 'Identifier' && !NAMES.has(property.name)) return;
        const called = checker.getSymbolAtLocation(nodes.get(callee.property));
        const [first, second] = given;
        if (called === undefined || first === undefined || !isSink(called)) return;
        if (called.name === 'openTerminal') {
          for (const command of valuesOf(first, 'command')) check(command);
          return;
        }
        check(first);
        // A shell that reads its commands from stdin.
        const text = first.type === 'Literal' || first.type === 'TemplateLiteral' ? first : null;
        if (text === null || second === undefined) return;
        if (/\bsh -s\b/.test(context.sourceCode.getText(text))) {
          for (const input of valuesOf(second, 'input')) check(input);
        }
      },
      'Program:exit': () => {
        for (const { loc } of reasons.needless)
          if (loc) context.report({ loc, messageId: 'needless' });
      },
    };
  },
};

/** @param {ts.Symbol} called */
function isSink(called) {
  return (called.declarations ?? []).some(({ parent }) => {
    const isNamed = ts.isInterfaceDeclaration(parent) || ts.isClassDeclaration(parent);
    return isNamed && SINKS[parent.name?.text ?? '']?.includes(called.name) === true;
  });
}

/**
 * What an object literal gives under this name, also in what is spread into it.
 * @param {import('estree').Node} node
 * @param {string} name
 * @returns {import('estree').Node[]}
 */
function valuesOf(node, name) {
  if (node.type === 'LogicalExpression') return valuesOf(node.right, name);
  if (node.type === 'ConditionalExpression') {
    return [...valuesOf(node.consequent, name), ...valuesOf(node.alternate, name)];
  }
  if (node.type !== 'ObjectExpression') return [];
  return node.properties.flatMap((property) => {
    if (property.type === 'SpreadElement') return valuesOf(property.argument, name);
    const isIt = property.key.type === 'Identifier' && property.key.name === name;
    return isIt ? [property.value] : [];
  });
}

/**
 * Whether the text is the same in each run of the program, wherever it is put together.
 * @param {ts.Expression} node
 * @param {ts.TypeChecker} checker
 * @returns {boolean}
 */
function isFixed(node, checker) {
  const type = checker.getTypeAtLocation(node);
  if (type.isUnion() ? type.types.every(isLiteral) : isLiteral(type)) return true;
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node)
  ) {
    return isFixed(node.expression, checker);
  }
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.every(({ expression }) => isFixed(expression, checker));
  }
  if (ts.isBinaryExpression(node)) {
    const isJoined = node.operatorToken.kind === ts.SyntaxKind.PlusToken;
    return isJoined && isFixed(node.left, checker) && isFixed(node.right, checker);
  }
  if (ts.isConditionalExpression(node)) {
    return isFixed(node.whenTrue, checker) && isFixed(node.whenFalse, checker);
  }
  if (ts.isArrayLiteralExpression(node)) {
    return node.elements.every((element) => isFixed(element, checker));
  }
  // [ 'one', 'after the other' ].join('; ')
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    const parts = [expression, ...node.arguments];
    return name.text === 'join' && parts.every((part) => isFixed(part, checker));
  }
  return ts.isIdentifier(node) && isFixedConstant(node, checker);
}

/** @param {ts.Type} type */
const isLiteral = (type) => type.isStringLiteral() || type.isNumberLiteral();

/**
 * @param {ts.Identifier} node
 * @param {ts.TypeChecker} checker
 */
function isFixedConstant(node, checker) {
  let symbol = checker.getSymbolAtLocation(node);
  if (symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias) {
    symbol = checker.getAliasedSymbol(symbol);
  }
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return false;
  const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  return (
    isConst && declaration.initializer !== undefined && isFixed(declaration.initializer, checker)
  );
}
