/**
 * One cell of a CSV file. SECURITY: a spreadsheet runs text that begins like a formula, and such text comes from boxes and people;
 * an apostrophe makes it harmless.
 */
export function csvText(text: string): string {
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
