import { useEffect, useState } from 'react';
import type { AppInfo } from '../../shared/ipc/contract.ts';
import type { Problem } from '../../shared/problem.ts';
import { call } from '../state/bridge.ts';

export type AppInfoState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly info: AppInfo }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Asked each time the page opens: a keyring can be unlocked while Leasehold runs. */
export function useAppInfo(): AppInfoState {
  const [state, setState] = useState<AppInfoState>({ kind: 'loading' });
  useEffect(() => {
    let isShown = true;
    void call('app:info', {}).then((answer) => {
      if (!isShown) return;
      setState(
        answer.ok
          ? { kind: 'known', info: answer.value }
          : { kind: 'failed', problem: answer.error },
      );
    });
    return () => {
      isShown = false;
    };
  }, []);
  return state;
}
