/** A trap of one platform is looked for there, and where nobody has said which platform it is. */
export function isPlatform(platform: string | null, wanted: string): boolean {
  return platform === null || platform === 'generic-ssh' || platform === wanted;
}
