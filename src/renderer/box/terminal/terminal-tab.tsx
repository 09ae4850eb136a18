import { useShallow } from 'zustand/react/shallow';
import type { BoxEntry } from '../../state/box-entry.ts';
import { NewTerminal } from './new-terminal.tsx';
import { TabStrip } from './tab-strip.tsx';
import styles from './terminal.module.css';
import { TerminalScreen } from './terminal-screen.tsx';
import { selectShown, selectTabs, useTerminals } from './terminals-store.ts';

/** The box's terminals as tabs, and the page on which a new one is opened. */
export function TerminalTab({ entry }: { readonly entry: BoxEntry }) {
  const { box, link } = entry;
  const tabs = useTerminals(useShallow(selectTabs(box.id)));
  const shown = useTerminals(selectShown(box.id));
  return (
    <div className={styles['terminals']}>
      {tabs.length > 0 && <TabStrip boxId={box.id} tabs={tabs} shown={shown} />}
      {shown === null ? (
        <NewTerminal box={box} link={link} />
      ) : (
        <TerminalScreen key={shown.id} tab={shown} link={link} />
      )}
    </div>
  );
}
