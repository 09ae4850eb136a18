/**
 * The comments that say why a rule of ours does not hold on the next line: `// shell-text: …`. Not ESLint's own: the linter that has
 * all other rules would call each of them needless.
 * @param {import('eslint').Rule.RuleContext} context
 * @param {string} name
 */
export function reasonsIn({ sourceCode }, name) {
  const reasons = new Map(
    sourceCode.getAllComments().flatMap((comment) => {
      const isReason = comment.value.startsWith(` ${name}: `);
      return isReason && comment.loc ? [[comment.loc.end.line + 1, comment]] : [];
    }),
  );
  const needless = new Set(reasons.values());
  return {
    /** Whether what stands on this line is explained. */
    explains: (/** @type {number} */ line) => {
      const reason = reasons.get(line);
      if (reason !== undefined) needless.delete(reason);
      return reason !== undefined;
    },
    /** At the end: those that explained nothing. */
    needless,
  };
}
