import { useCallback, useEffect, useState } from 'react';
import type { ClockEntries } from '../../../shared/clocks/clock.ts';
import type { AccountEntry } from '../../../shared/clocks/clock-entries.ts';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';

export interface OwnEntries {
  /** Null: not read yet, or it cannot be read. */
  readonly entries: ClockEntries | null;
  readonly account: AccountEntry | null;
  /** Why they could not be read. */
  readonly problem: Problem | null;
  /** Null: it is kept. */
  readonly save: (entries: ClockEntries) => Promise<Problem | null>;
  readonly saveAccount: (account: AccountEntry | null) => Promise<Problem | null>;
}

/** What the person said about a box and about its platform's account; read again after each change, never assumed. */
export function useOwnEntries(boxId: string, platform: string): OwnEntries {
  const [read, setRead] = useState<Pick<OwnEntries, 'entries' | 'account' | 'problem'>>({
    entries: null,
    account: null,
    problem: null,
  });
  const reload = useCallback(async () => {
    const [entries, account] = await Promise.all([
      call('clocks:entries', { boxId }),
      call('clocks:account', { platform }),
    ]);
    setRead({
      entries: entries.ok ? entries.value : null,
      account: account.ok ? account.value : null,
      problem: !entries.ok ? entries.error : account.ok ? null : account.error,
    });
  }, [boxId, platform]);
  useEffect(() => {
    // oxlint-disable-next-line react-hooks/set-state-in-effect -- set when main has answered
    void reload();
  }, [reload]);

  async function save(entries: ClockEntries): Promise<Problem | null> {
    const saved = await call('clocks:set-entries', { boxId, entries });
    await reload();
    return saved.ok ? null : saved.error;
  }
  async function saveAccount(account: AccountEntry | null): Promise<Problem | null> {
    const saved = await call('clocks:set-account', { platform, account });
    await reload();
    return saved.ok ? null : saved.error;
  }
  return { ...read, save, saveAccount };
}
