/** Slack reads these as the beginning of links and mentions; a box's name must not call a channel. */
export function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
