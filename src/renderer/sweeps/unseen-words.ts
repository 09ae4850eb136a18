import { plainLine } from '../../shared/questions/hostile-text.ts';
import { listWords } from '../../shared/runs/launch/checks/judged.ts';
import type { ShareView } from '../../shared/runs/sweep/sweep-view.ts';

/** What is said of the boxes that the last look did not reach. */
export function unseenWords(
  unseen: readonly (Pick<ShareView, 'place' | 'boxId'> & {
    /** Nothing else is known to have its cells. */
    readonly isWaitedFor: boolean;
  })[],
): readonly string[] {
  const away = namesOf(unseen.filter(({ boxId }) => boxId !== null));
  const nowhere = namesOf(unseen.filter(({ boxId }) => boxId === null));
  const isWaitedFor = unseen.some((share) => share.boxId === null && share.isWaitedFor);
  const areAway = away.length > 1 ? ['are', 'them'] : ['is', 'it'];
  return [
    ...(away.length === 0
      ? []
      : [
          `${listWords(away)} ${areAway[0]} not reached: what is shown of ${areAway[1]} may be old.`,
        ]),
    // Another computer launched it there, or was cut off before it did: only that box knows.
    ...(nowhere.length === 0
      ? []
      : [
          `No box of your list has shown the run meant for ${listWords(nowhere)}. It may never have been launched. Connect to that box to find out${isWaitedFor ? ', or run its cells again on another' : ''}.`,
        ]),
  ];
}

/** What is said of boxes that are in the archive; null: none of them had a cell that is not done. */
export function goneWords(gone: readonly Pick<ShareView, 'place'>[]): string | null {
  const names = namesOf(gone);
  if (names.length === 0) return null;
  return `${listWords(names)} ${names.length > 1 ? 'are' : 'is'} gone. Cells that were not done there can run again on another box.`;
}

const namesOf = (shares: readonly Pick<ShareView, 'place'>[]): readonly string[] => [
  ...new Set(shares.map(({ place }) => plainLine(place, 100))),
];
