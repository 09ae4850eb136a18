import { useCallback, useEffect, useState } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import type { ProviderAccount } from '../../../shared/teardown/provider-account.ts';
import { call } from '../../state/bridge.ts';

export interface AccountAsked {
  readonly account: ProviderAccount | null;
  readonly refusal: Problem | null;
  readonly isBusy: boolean;
  readonly ask: () => void;
}

/** Asks the provider at once, and another one that is linked meanwhile: that takes its time, and needs no look at the box. Null: nobody is linked. */
export function useAccount(boxId: string, provider: string | null): AccountAsked {
  const [asking, setAsking] = useState(0);
  const [isBusy, setIsBusy] = useState(provider !== null);
  const [account, setAccount] = useState<ProviderAccount | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  useEffect(() => {
    if (provider === null) return undefined;
    let isWanted = true;
    void call('teardown:account', { boxId }).then((answer) => {
      if (!isWanted) return;
      setIsBusy(false);
      setRefusal(answer.ok ? null : answer.error);
      if (answer.ok) setAccount(answer.value);
    });
    return () => {
      isWanted = false;
    };
  }, [boxId, provider, asking]);
  const ask = useCallback(() => {
    setIsBusy(true);
    setAsking((before) => before + 1);
  }, []);
  // What another one said is not what this one says.
  const isOfThis = account?.provider === provider;
  return { account: isOfThis ? account : null, refusal, isBusy, ask };
}
