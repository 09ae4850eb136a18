import { createContext, useContext } from 'react';
import type { StreamClient } from './stream-client.ts';

const StreamContext = createContext<StreamClient | null>(null);

/** Hands the one stream client to panels that open a stream of their own while they are shown. */
export const StreamProvider = StreamContext.Provider;

export function useStreamClient(): StreamClient {
  const client = useContext(StreamContext);
  if (client === null) throw new Error('useStreamClient outside of StreamProvider');
  return client;
}
