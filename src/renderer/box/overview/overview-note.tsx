import { isSignInFailed } from '../../../shared/boxes/sign-in-failed.ts';
import { connectRequested } from '../../state/actions.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SignInActions } from '../sign-in-actions.tsx';
import type { OverviewNote } from './overview-state.ts';
import styles from './overview.module.css';

interface OverviewNoteBarProps {
  readonly boxId: string;
  readonly note: OverviewNote;
}

/** Why the charts below do not show the present. */
export function OverviewNoteBar({ boxId, note }: OverviewNoteBarProps) {
  return <div className={styles['note']}>{contentOf(boxId, note)}</div>;
}

function contentOf(boxId: string, note: OverviewNote) {
  switch (note.kind) {
    case 'problem':
      return (
        <ProblemNote
          problem={note.problem}
          {...(isSignInFailed(note.problem) && { actions: <SignInActions boxId={boxId} /> })}
        />
      );
    case 'stale':
      return (
        <p className={styles['strip']}>
          <Glyph tone="warn" />
          <span>
            No new sample; last seen <Age atMs={note.lastAtMs} />. Current figures are missing.
          </span>
        </p>
      );
    case 'starting':
      return (
        <p className={styles['strip']}>
          <Glyph tone="wait" />
          <span>Waiting for the first sample. The charts show what was recorded before.</span>
        </p>
      );
    case 'connecting':
      return (
        <p className={styles['strip']}>
          <Glyph tone="wait" />
          <span>Connecting. The charts end where the connection was lost.</span>
        </p>
      );
    case 'archived':
      return (
        <p className={styles['strip']}>
          <Glyph tone="off" />
          <span>This box is gone. The charts show what was recorded before.</span>
        </p>
      );
    case 'disconnected':
      return (
        <div className={styles['strip']}>
          <Glyph tone="off" />
          <span>Not connected. The charts end where the connection was closed.</span>
          <Button size="small" isOnce onClick={() => connectRequested(boxId)}>
            Connect
          </Button>
        </div>
      );
  }
}
