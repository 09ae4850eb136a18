import { StreamHub } from '../streams/stream-hub.ts';
import { BoxPushes } from '../transfer/box-pushes.ts';
import { keepMeasured } from '../transfer/measured-pushes.ts';
import type { NamedBox } from './named-box.ts';

/** Pushes of code for as long as a command launches; what they took is kept, as by the window. */
export async function withPushes<T>(
  { scripts, hashes, database }: Pick<NamedBox, 'scripts' | 'hashes' | 'database'>,
  act: (pushes: BoxPushes) => Promise<T>,
): Promise<T> {
  const hub = new StreamHub();
  const pushes = new BoxPushes({
    ...{ hub, scripts, hashes },
    // A rate that is not kept makes a later plan say that it does not know.
    onMeasured: (boxId, push) => void keepMeasured(database.entries, boxId, push),
  });
  try {
    return await act(pushes);
  } finally {
    pushes.close();
    hub.dispose();
  }
}
