import { useState } from 'react';

/** The value as it was when the key last changed. */
export function useHeld<T>(value: T, key: string): T {
  const [held, setHeld] = useState({ key, value });
  if (held.key === key) return held.value;
  setHeld({ key, value });
  return value;
}
