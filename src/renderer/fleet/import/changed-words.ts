export function changedWords(count: number): string {
  return count === 1
    ? '1 box changed in your SSH config'
    : `${count} boxes changed in your SSH config`;
}
