import { useEffect } from 'react';
import { create } from 'zustand';
import type { Profiles } from '../../shared/profiles/loaded.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { call } from './bridge.ts';
import { actionFailed } from './view.ts';

/** The facts of every platform; null until somebody asked for them. They change only with a restart. */
export const useProfiles = create<{ readonly loaded: Profiles | null }>(() => ({ loaded: null }));

let isAsked = false;

/** The facts of one platform, fetched when the first one looks; null: not there, or not yet. */
export function useProfile(platform: string): Profile | null {
  const loaded = useProfiles((state) => state.loaded);
  useEffect(() => {
    if (loaded === null && !isAsked) void load();
  }, [loaded]);
  return loaded?.all.find(({ profile }) => profile.id === platform)?.profile ?? null;
}

async function load(): Promise<void> {
  isAsked = true;
  const answer = await call('profiles:list', {});
  isAsked = false;
  if (answer.ok) useProfiles.setState({ loaded: answer.value });
  else actionFailed(answer.error);
}
