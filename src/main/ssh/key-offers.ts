import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { keyOffersStream } from '../../shared/streams/app-streams.ts';
import type { SettingsStore } from '../storage/settings.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import type { LoginWay } from './person.ts';

/** Which boxes may be offered a key because they were logged in to with a password, and what the person said to it. */
export interface KeyOffers {
  loggedIn(boxId: string, way: LoginWay): void;
  /** The key that was installed on a box from here. */
  installedKey(boxId: string): string | null;
  installed(boxId: string, keyFile: string): Promise<Result<unknown, Problem>>;
  dismiss(boxId: string): Promise<Result<unknown, Problem>>;
  forgetBox(boxId: string): Promise<Result<unknown, Problem>>;
}

/** Settings hold at most this many; the oldest box is asked again. */
const MAX_DISMISSED = 1000;

export function openKeyOffers(hub: StreamHub, settings: SettingsStore): KeyOffers {
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
      const isWanted = !settings.current().keyOffersDismissed.includes(boxId);
      if (isByHand && isWanted) topic.publish([...without(boxId), boxId]);
      else withdraw(boxId);
    },
    installedKey: (boxId) => settings.current().boxKeys[boxId] ?? null,
    installed: (boxId, keyFile) => {
      withdraw(boxId);
      return settings.change({ boxKeys: { ...settings.current().boxKeys, [boxId]: keyFile } });
    },
    dismiss: (boxId) => {
      withdraw(boxId);
      const dismissed = [...settings.current().keyOffersDismissed, boxId].slice(-MAX_DISMISSED);
      return settings.change({ keyOffersDismissed: dismissed });
    },
    forgetBox: (boxId) => {
      withdraw(boxId);
      const { boxKeys, keyOffersDismissed } = settings.current();
      return settings.change({
        boxKeys: Object.fromEntries(Object.entries(boxKeys).filter(([id]) => id !== boxId)),
        keyOffersDismissed: keyOffersDismissed.filter((id) => id !== boxId),
      });
    },
  };
}
