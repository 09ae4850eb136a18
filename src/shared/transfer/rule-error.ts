/** A pattern that says something else than its words; null: it can be used. */
export function ruleError(rule: string): string | null {
  if (rule.startsWith('!')) return 'Write what is left out; nothing can be taken back in with “!”.';
  if (rule.replace(/[/*]/g, '') === '') return 'Write what is left out, such as data/ or *.ckpt';
  return null;
}
