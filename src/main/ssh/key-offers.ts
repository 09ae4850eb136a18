import type { Remembered } from '../../shared/settings/remembered.ts';
import { keyOffersStream } from '../../shared/streams/app-streams.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import type { LoginWay } from './person.ts';

/** Which boxes may be offered a key because they were logged in to with a password, and what the person said to it. */
export interface KeyOffers {
  loggedIn(boxId: string, way: LoginWay): void;
  /** The key that was installed on a box from here. */
  installedKey(boxId: string): string | null;
  installed(boxId: string, keyFile: string): void;
  dismiss(boxId: string): void;
  forgetBox(boxId: string): void;
}

/** What is remembered of boxes and their keys. */
export interface KeyMemory {
  readonly current: () => Pick<Remembered, 'boxKeys' | 'keyOffersDismissed'>;
  readonly change: (part: Partial<Pick<Remembered, 'boxKeys' | 'keyOffersDismissed'>>) => void;
}

/** At most this many are remembered; the oldest box is asked again. */
const MAX_DISMISSED = 1000;

export function openKeyOffers(hub: StreamHub, memory: KeyMemory): KeyOffers {
  const topic = hub.addTopic<readonly string[], readonly string[]>('key-offers', '', {
    kind: keyOffersStream,
    initial: [],
  });
  const without = (boxId: string): readonly string[] => topic.state.filter((id) => id !== boxId);
  const withdraw = (boxId: string): void => {
    if (topic.state.includes(boxId)) topic.publish(without(boxId));
  };
  return {
    loggedIn: (boxId, way) => {
      const isByHand = way === 'password' || way === 'prompts';
      const isWanted = !memory.current().keyOffersDismissed.includes(boxId);
      if (isByHand && isWanted) topic.publish([...without(boxId), boxId]);
      else withdraw(boxId);
    },
    installedKey: (boxId) => memory.current().boxKeys[boxId] ?? null,
    installed: (boxId, keyFile) => {
      withdraw(boxId);
      memory.change({ boxKeys: { ...memory.current().boxKeys, [boxId]: keyFile } });
    },
    dismiss: (boxId) => {
      withdraw(boxId);
      const dismissed = [...memory.current().keyOffersDismissed, boxId].slice(-MAX_DISMISSED);
      memory.change({ keyOffersDismissed: dismissed });
    },
    forgetBox: (boxId) => {
      withdraw(boxId);
      const { boxKeys, keyOffersDismissed } = memory.current();
      if (!(boxId in boxKeys) && !keyOffersDismissed.includes(boxId)) return;
      memory.change({
        boxKeys: Object.fromEntries(Object.entries(boxKeys).filter(([id]) => id !== boxId)),
        keyOffersDismissed: keyOffersDismissed.filter((id) => id !== boxId),
      });
    },
  };
}
