import { useEffect } from 'react';
import { overlayClosed, overlayOpened, useView, type PagePart } from './view.ts';

const selectIsWanted =
  (part: PagePart) =>
  ({ overlay }: ReturnType<typeof useView.getState>): boolean =>
    overlay.kind === 'on-page' && overlay.part === part;

/** A dialog of this page that is also opened from elsewhere: whether it is open, and how it is opened and closed. */
export function usePagePart(part: PagePart): readonly [boolean, (isOpen: boolean) => void] {
  const isOpen = useView(selectIsWanted(part));
  const change = (isToOpen: boolean): void => {
    if (isToOpen) overlayOpened({ kind: 'on-page', part });
    // Whatever took its place meanwhile stays.
    else if (selectIsWanted(part)(useView.getState())) overlayClosed();
  };
  return [isOpen, change];
}

/** Something that this page does, and that is also asked for from elsewhere: done once, as soon as it can be. */
export function usePageAct(part: PagePart, act: () => void, isReady = true): void {
  const isWanted = useView(selectIsWanted(part));
  useEffect(() => {
    if (!isWanted || !isReady) return;
    overlayClosed();
    act();
  }, [isWanted, isReady, act]);
}
