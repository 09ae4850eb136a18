import { FolderPlus, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import { textOf } from '../../../../shared/runs/launch/run-words.ts';
import type { RunBehind } from '../../../../shared/transfer/behind.ts';
import { rootOf, type NamedFolder } from '../../../../shared/transfer/result-root.ts';
import type { BoxEntry } from '../../../state/box-entry.ts';
import { call } from '../../../state/bridge.ts';
import { selectBehindOf, useBehind } from '../../../state/feeds.ts';
import { useNamedFolders } from '../../../state/launched-runs.ts';
import { usePagePart } from '../../../state/page-part.ts';
import { Button } from '../../../ui/button.tsx';
import { formatBytes, formatCount } from '../../../ui/format.ts';
import { Glyph, type Tone } from '../../../ui/glyph.tsx';
import { FailedState } from '../../../ui/panel-state.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import { ResultsList } from '../launch/results-list.tsx';
import { NameFolderDialog } from './name-folder-dialog.tsx';
import styles from './folders.module.css';

/** Folders of the box that a person wants to have home, beside what launched runs leave. */
export function FoldersSection({ entry }: { readonly entry: BoxEntry }) {
  const titleId = useId();
  const boxId = entry.box.id;
  const isUp = entry.link.kind === 'up';
  const feed = useNamedFolders();
  const behind = useBehind(selectBehindOf(boxId));
  const [isNaming, setIsNaming] = usePagePart('name-folder');
  const [refusal, setRefusal] = useState<Problem | null>(null);
  if (feed.kind === 'failed') return <FailedState problem={feed.problem} />;
  const folders = feed.kind === 'live' ? (feed.state.boxes[boxId] ?? []) : [];
  const remove = async (id: string): Promise<void> => {
    const answer = await call('runs:unname-folder', { boxId, id });
    setRefusal(answer.ok ? null : answer.error);
  };
  return (
    <section className={styles['section']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>Folders to bring home</h2>
        <Button
          size="small"
          disabled={!isUp || feed.kind !== 'live'}
          title={isUp ? undefined : 'Connect to the box first'}
          onClick={() => setIsNaming(true)}
        >
          <FolderPlus size={14} aria-hidden /> Add a folder to bring home…
        </Button>
      </div>
      <Refusal problem={refusal} />
      {folders.length === 0 ? (
        <p className={styles['muted']}>
          None. Results of launched runs are listed with their run; add a folder for everything
          else, such as what a run left that was started by hand.
        </p>
      ) : (
        <ul className={styles['list']}>
          {folders.map((folder) => (
            <FolderCard
              key={folder.id}
              {...{ boxId, folder, isUp }}
              behind={behind?.runs.find(({ runId }) => runId === folder.id) ?? null}
              onRemove={() => void remove(folder.id)}
            />
          ))}
        </ul>
      )}
      {isNaming && <NameFolderDialog entry={entry} onClose={() => setIsNaming(false)} />}
    </section>
  );
}

interface FolderCardProps {
  readonly boxId: string;
  readonly folder: NamedFolder;
  readonly isUp: boolean;
  readonly behind: RunBehind | null;
  readonly onRemove: () => void;
}

function FolderCard({ boxId, folder, isUp, behind, onRemove }: FolderCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const name = textOf(folder.folder);
  const { tone, words } = behindWords(behind);
  return (
    <li className={styles['card']}>
      <div className={styles['line']}>
        <span className={styles['path']} title={name}>
          {name}
        </span>
        <span className={styles['behind']}>
          <Glyph tone={tone} /> {words}
        </span>
        <Button
          size="small"
          aria-expanded={isOpen}
          disabled={!isUp && !isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide files' : 'Show files'}
        </Button>
        <Button
          size="small"
          look="quiet"
          isIcon
          aria-label={`Take ${name} off this list`}
          title="Take it off this list. Nothing is deleted, and what was proven stays in the evidence."
          onClick={onRemove}
        >
          <X size={14} />
        </Button>
      </div>
      {isOpen && <ResultsList boxId={boxId} run={rootOf(folder)} isUp={isUp} />}
    </li>
  );
}

function behindWords(behind: RunBehind | null): { readonly tone: Tone; readonly words: string } {
  const { seen = null, problem: because = null } = behind ?? {};
  if (seen === null) return { tone: 'unknown', words: because ?? 'Not listed' };
  if (seen.files === 0 && because === null) return { tone: 'ok', words: 'All home' };
  const count = `${formatCount(seen.files, 'file')}, ${formatBytes(seen.bytes)} not home`;
  return { tone: 'warn', words: because === null ? count : `${count}. ${because}` };
}
