import type { SessionBounds } from './lock-session.ts';

/** What the page of a box may do: nothing but load what its own tunnel serves, over HTTP and web sockets. */
export function boundsOf(origin: string): SessionBounds {
  const socketOrigin = origin.replace(/^http:/, 'ws:');
  return {
    mayLoad: (url) => {
      const from = originOf(url);
      const isLocalData = url.startsWith('data:') || url.startsWith('blob:');
      return from === origin || from === socketOrigin || isLocalData;
    },
    mayCopy: () => false,
    reaches: new URL(origin).host,
  };
}

export function originOf(url: string): string | null {
  try {
    const { protocol, host, username, password } = new URL(url);
    return username === '' && password === '' ? `${protocol}//${host}` : null;
  } catch {
    return null; // not a URL, so nobody's origin
  }
}
