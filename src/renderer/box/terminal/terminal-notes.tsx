import { X } from 'lucide-react';
import type { LinkState } from '../../../shared/boxes/box.ts';
import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { ProblemDetails } from '../../ui/problem-note.tsx';
import styles from './terminal.module.css';
import { bannerOf, noteWords } from './terminal-words.ts';
import { closeTerminal, reopenTerminal } from './terminals.ts';
import { noteDismissed, type NoteKind, type TerminalTab } from './terminals-store.ts';

interface StateBannerProps {
  readonly tab: TerminalTab;
  readonly link: LinkState;
}

/** Why the screen below does not move any more, and what can be done. */
export function StateBanner({ tab, link }: StateBannerProps) {
  const banner = bannerOf(tab, link);
  const { state } = tab;
  return (
    <div role="status" className={styles['status']}>
      {banner !== null && (
        <div className={styles['banner']} data-tone={banner.tone}>
          <Glyph tone={banner.tone} />
          <div className={styles['bannerText']}>
            <p>
              <b>{banner.title}</b> {banner.text}
            </p>
            {state.kind === 'ended' && state.because === 'failed' && (
              <ProblemDetails problem={state.problem} />
            )}
          </div>
          {banner.action !== null && (
            <Button size="small" look="primary" onClick={() => reopenTerminal(tab)}>
              {banner.action}
            </Button>
          )}
          {state.kind === 'ended' && (
            <Button size="small" onClick={() => closeTerminal(tab.id)}>
              Close
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** What the box tried by printing. */
export function TerminalNotes({ tab }: { readonly tab: TerminalTab }) {
  const notes = Object.entries(tab.notes) as [NoteKind, number][];
  return (
    <div role="status" className={styles['status']}>
      {notes
        .filter(([, count]) => count > 0)
        .map(([kind, count]) => (
          <div key={kind} className={styles['banner']} data-tone="warn">
            <Glyph tone="warn" />
            <p className={styles['bannerText']}>{noteWords(kind, count)}</p>
            <Button
              size="small"
              look="quiet"
              isIcon
              aria-label="Dismiss"
              onClick={() => noteDismissed(tab.id, kind)}
            >
              <X size={14} aria-hidden />
            </Button>
          </div>
        ))}
    </div>
  );
}
