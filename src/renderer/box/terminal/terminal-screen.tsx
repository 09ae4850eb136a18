import { useEffect, useRef, useState } from 'react';
import type { LinkState } from '../../../shared/boxes/box.ts';
import type { PasteJudgement } from '../../../shared/terminal/paste.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { usePageAct } from '../../state/page-part.ts';
import { FindBar, type Matches } from './find-bar.tsx';
import { PasteDialog } from './paste-dialog.tsx';
import { IS_MAC } from './shortcuts.ts';
import { StateBanner, TerminalNotes } from './terminal-notes.tsx';
import styles from './terminal.module.css';
import { stageTerminal, viewOf } from './terminals.ts';
import type { TerminalTab } from './terminals-store.ts';
import { openNextTerminal } from './usual-terminal.ts';

interface TerminalScreenProps {
  readonly tab: TerminalTab;
  readonly link: LinkState;
}

type AskedPaste = Extract<PasteJudgement, { kind: 'ask' }>;

/** One terminal: what must be known about it, its screen, and what asks before something happens. */
export function TerminalScreen({ tab, link }: TerminalScreenProps) {
  const slot = useRef<HTMLDivElement>(null);
  const [paste, setPaste] = useState<AskedPaste | null>(null);
  const [address, setAddress] = useState<string | null>(null);
  const [isFinding, setIsFinding] = useState(false);
  const [matches, setMatches] = useState<Matches | null>(null);
  usePageAct('find-in-terminal', () => setIsFinding(true));

  useEffect(() => {
    if (slot.current === null) return undefined;
    return stageTerminal(tab.id, slot.current, {
      askPaste: setPaste,
      showLink: setAddress,
      openFind: () => setIsFinding(true),
      openNew: () => void openNextTerminal(tab.boxId),
      showMatches: setMatches,
      leave: leaveTerminal,
    });
  }, [tab.id, tab.boxId]);

  function findClosed(): void {
    setIsFinding(false);
    setMatches(null);
    viewOf(tab.id)?.stopFinding();
    viewOf(tab.id)?.focus();
  }

  return (
    <div className={styles['screen']} role="tabpanel" aria-label="Terminal">
      <StateBanner tab={tab} link={link} />
      <TerminalNotes tab={tab} />
      {isFinding && <FindBar tabId={tab.id} matches={matches} onClose={findClosed} />}
      <div ref={slot} className={styles['slot']} />
      {address !== null && (
        <p className={styles['address']}>
          {IS_MAC ? 'Cmd' : 'Ctrl'}+click asks to open <b>{showHidden(address)}</b>
        </p>
      )}
      {paste !== null && (
        <PasteDialog
          paste={paste}
          onClose={() => setPaste(null)}
          onPaste={() => {
            setPaste(null);
            viewOf(tab.id)?.sendPaste(paste.text);
          }}
        />
      )}
    </div>
  );
}

/** The way out for the keyboard, since Tab belongs to the shell. */
function leaveTerminal(): void {
  document.querySelector<HTMLElement>('[aria-label="Terminals"] [aria-selected="true"]')?.focus();
}
