import { PlatformBrief } from '../facts/platform-brief.tsx';
import type { BoxEntry } from '../state/box-entry.ts';
import { CrowdingNote } from './crowding-note.tsx';
import { KeyOffer } from './install-key/key-offer.tsx';
import { SignInNote } from './sign-in-note.tsx';

/** What is to be said of a box above its page, where there is anything: behind one name, for each part that comes later costs its own. */
export function BoxNotes({
  entry: { box, link, crowding },
  isStrip,
}: {
  readonly entry: BoxEntry;
  /** As low as it can be: the page below is another than the overview, which says by itself why it has no readings. */
  readonly isStrip: boolean;
}) {
  return (
    <>
      <KeyOffer box={box} />
      <PlatformBrief box={box} isStrip={isStrip} />
      {isStrip && <SignInNote {...{ box, link }} />}
      {crowding && <CrowdingNote crowding={crowding} />}
    </>
  );
}
