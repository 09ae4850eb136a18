import { useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { BoxEntry } from '../../state/box-entry.ts';
import { LoadingState } from '../../ui/panel-state.tsx';
import { NewTerminal } from './new-terminal.tsx';
import { TabStrip } from './tab-strip.tsx';
import styles from './terminal.module.css';
import { TerminalScreen } from './terminal-screen.tsx';
import { selectShown, selectTabs, useTerminals } from './terminals-store.ts';
import { openUsualTerminal } from './usual-terminal.ts';

/** The box's terminals as tabs. Who comes to none finds their tmux session at once; the page with the choice is behind the arrow. */
export function TerminalTab({ entry }: { readonly entry: BoxEntry }) {
  const { box, link } = entry;
  const tabs = useTerminals(useShallow(selectTabs(box.id)));
  const shown = useTerminals(selectShown(box.id));
  const isChoosing = useTerminals(({ selected }) => selected[box.id] === null);
  const isUp = link.kind === 'up';
  const opensByItself = isUp && !isChoosing && tabs.length === 0;
  useEffect(() => {
    if (opensByItself) void openUsualTerminal(box.id);
  }, [box.id, opensByItself]);
  return (
    <div className={styles['terminals']}>
      {tabs.length > 0 && <TabStrip boxId={box.id} tabs={tabs} shown={shown} />}
      {opensByItself ? (
        <LoadingState title="Opening a terminal…" />
      ) : shown === null ? (
        <NewTerminal box={box} link={link} />
      ) : (
        <TerminalScreen key={shown.id} tab={shown} link={link} />
      )}
    </div>
  );
}
