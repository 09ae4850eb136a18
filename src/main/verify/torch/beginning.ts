/** Of an archive; and the number that the old form begins with, as Python writes it. */
const BEGINNINGS = ['PK\x03\x04', '\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19'];

/** Whether torch saved what is called a pickle. */
export function isOfTorch(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head);
  return BEGINNINGS.some((each) => text.startsWith(each));
}
