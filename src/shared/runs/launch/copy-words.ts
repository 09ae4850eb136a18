/** What copy.sh says of itself where the copy was read back. */
export const COPIED = 'copied';
/** A part of what was copied is gone on both sides, so that only running it again brings it back. */
export const COPY_GONE = 'copy-gone';

/** Nothing is left to copy from. No box says this of itself. */
export const BOX_GONE = 'box-gone';

/** Why there is no checked copy of a run's results, by the words of parts/run-copy.sh. */
const WHY_NOT: Readonly<Record<string, string>> = {
  'cut-off': 'the copy was cut off',
  'disk-full': 'the disk that it goes to is full',
  'no-inodes': 'the disk that it goes to has no inodes left',
  quota: 'the quota there is used up',
  'read-only': 'the file system there is read-only',
  'not-writable': "the folder there can't be written",
  'in-the-way': 'something of that name is there already, or the folder is one of the results',
  'no-results': 'the results folder is missing or has no files',
  'no-hasher': 'the box has no tool that computes SHA-256',
  unreadable: "some of the results can't be read",
  'copy-unreadable': "the copy can't be read back",
  differs: 'what was read back is not what the results are',
  [COPY_GONE]:
    'a part of the results was removed after an earlier one, which is not there any more as it was read back',
  [BOX_GONE]: 'its box is gone',
  'run-disk-full': 'the disk of the run folder is full, where its hashes are kept',
  'run-no-inodes': 'the disk of the run folder has no inodes left, where its hashes are kept',
  'run-quota': 'the quota of the run folder is used up, where its hashes are kept',
  'run-read-only': 'the disk of the run folder is read-only, where its hashes are kept',
  'not-noted':
    'what became of it could not be written down: the disk of the run folder may be full',
  'no-plan': 'its plan is missing on the box',
};

/** Whether it is a word of copy.sh. */
export const isCopyWord = (word: string): boolean =>
  word !== BOX_GONE && (word === COPIED || Object.hasOwn(WHY_NOT, word));

/** As a clause; a box may have made the word up. */
export function whyNotCopied(word: string): string {
  return Object.hasOwn(WHY_NOT, word) ? (WHY_NOT[word] ?? '') : 'the box did not say why';
}
