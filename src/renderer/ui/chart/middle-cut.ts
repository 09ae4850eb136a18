/** `configs…me.yaml`: values such as paths differ at their ends as well. */
export function middleCut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor((maxChars - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}
