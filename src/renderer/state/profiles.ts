import { useEffect } from 'react';
import { create } from 'zustand';
import { DEMO_PLATFORM } from '../../shared/demo/demo-platform.ts';
import type { LoadedProfile, Profiles } from '../../shared/profiles/loaded.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { profilesStream, type ProfilesState } from '../../shared/streams/app-streams.ts';
import { call } from './bridge.ts';
import { LOADING, type Feed } from './stream-client.ts';
import { useStreamClient } from './stream-context.ts';

const CHANGES = {
  stream: 'profiles',
  key: '',
  kind: profilesStream,
  fromWire: (wire: ProfilesState) => wire,
} as const;

/** What was read last stays while nobody looks: a tab that is opened again shows it at once. */
export const useStoredProfiles = create<Feed<Profiles>>(() => LOADING);

/** The facts of all platforms, read anew when the person saves a file of their own. */
export function useProfiles(): Feed<Profiles> {
  const client = useStreamClient();
  useEffect(() => {
    let isShown = true;
    const close = client.open(CHANGES, (feed) => {
      if (feed.kind === 'failed') useStoredProfiles.setState(feed, true);
      if (feed.kind !== 'live') return;
      void call('profiles:list', {}).then((answer) => {
        if (!isShown) return;
        const read: Feed<Profiles> = answer.ok
          ? { kind: 'live', state: answer.value }
          : { kind: 'failed', problem: answer.error };
        useStoredProfiles.setState(read, true);
      });
    });
    return () => {
      isShown = false;
      close();
    };
  }, [client]);
  return useStoredProfiles();
}

/** One of them; null: there is none with this id, or they are not read yet. */
export function profileIn(feed: Feed<Profiles>, platform: string): LoadedProfile | null {
  if (feed.kind !== 'live') return null;
  const { all, demo } = feed.state;
  if (platform === DEMO_PLATFORM) return demo;
  return all.find(({ profile }) => profile.id === platform) ?? null;
}

/** The facts of one platform; null: not there, or not yet. */
export function useProfile(platform: string): Profile | null {
  return profileIn(useProfiles(), platform)?.profile ?? null;
}
