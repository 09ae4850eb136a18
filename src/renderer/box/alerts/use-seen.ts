import { useEffect } from 'react';
import { alertsSeen } from './alert-calls.ts';

/** Tells main that the person looks at the alerts of a box: the tab is open, and the window in front of them. */
export function useSeen(boxId: string, hasUnseen: boolean): void {
  useEffect(() => {
    if (!hasUnseen) return undefined;
    const look = (): void => {
      if (document.visibilityState === 'visible' && document.hasFocus()) alertsSeen(boxId);
    };
    look();
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [boxId, hasUnseen]);
}
