/** A pattern that says something else than its words; null: it can be used. */
export function ruleError(rule: string): string | null {
  if (rule.startsWith('!')) return 'A pattern cannot begin with “!”: nothing is taken back.';
  if (rule.replace(/[/*]/g, '') === '')
    return 'Write the name of a file or folder, or a pattern, such as data/ or *.ckpt';
  return null;
}
