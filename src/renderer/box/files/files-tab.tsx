import { FolderOpen, PlugZap } from 'lucide-react';
import { useMemo, useState, type KeyboardEvent } from 'react';
import { MAX_LISTED, type BoxFile, type LinkEnd } from '../../../shared/files/box-file.ts';
import { joinPath, nameOf, parentOf } from '../../../shared/files/box-path.ts';
import { sortFiles, type SortedFile } from '../../../shared/files/sort-files.ts';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatCount, formatNumber } from '../../ui/format.ts';
import { EmptyState, FailedState, LoadingState } from '../../ui/panel-state.tsx';
import { ProblemNote, Refusal } from '../../ui/problem-note.tsx';
import { FileTable } from './file-table.tsx';
import styles from './files.module.css';
import { columnPressed, folderChosen, selectFilesView, useFilesView } from './files-view.ts';
import { PathBar } from './path-bar.tsx';
import { chooseOne, NOTHING_CHOSEN, type Selection } from './selection.ts';
import { useFolder, type FolderLook } from './use-folder.ts';

/** The files of a box. */
export function FilesTab({ entry: { box, link } }: { readonly entry: BoxEntry }) {
  if (link.kind !== 'up') {
    return (
      <EmptyState
        icon={<PlugZap size={28} strokeWidth={1.4} />}
        title="The files of this box cannot be seen"
      >
        <p>It is not connected. Connect it, and its folders are listed here.</p>
      </EmptyState>
    );
  }
  return <Files key={box.id} boxId={box.id} />;
}

function Files({ boxId }: { readonly boxId: string }) {
  const view = useFilesView(selectFilesView(boxId));
  const look = useFolder(boxId, view.folder);
  const [home, setHome] = useState<string | null>(null);
  if (view.folder === null && look.folder !== null && look.folder !== home) setHome(look.folder);
  const folder = look.folder ?? view.folder;
  return (
    <div className={styles['files']}>
      <PathBar
        boxId={boxId}
        folder={folder}
        home={home}
        showsHidden={view.showsHidden}
        onLookAgain={look.lookAgain}
      />
      <FolderBody key={folder} boxId={boxId} folder={folder} look={look} />
    </div>
  );
}

interface FolderBodyProps {
  readonly boxId: string;
  readonly folder: string | null;
  readonly look: FolderLook;
}

function FolderBody({ boxId, folder, look }: FolderBodyProps) {
  const { order, showsHidden, marked } = useFilesView(selectFilesView(boxId));
  const [chosen, setChosen] = useState<Selection | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const { files, problem, isListing } = look;
  const rows = useMemo(() => {
    const shown = showsHidden ? files : files.filter(({ file }) => !file.name.startsWith('.'));
    return sortFiles(shown, order);
  }, [files, order, showsHidden]);
  // Until a person has chosen: where they came from, or nothing.
  const selection = chosen ?? selectionOf(rows, marked);

  if (look.folder === null || folder === null) {
    if (problem === null) return <LoadingState title="Listing the folder…" />;
    return (
      <FailedState
        problem={problem}
        actions={<WaysOut {...{ boxId, folder }} onAgain={look.lookAgain} />}
      />
    );
  }
  const openFile = async (file: BoxFile, end: LinkEnd | null): Promise<void> => {
    if (!file.hasUsableName) return;
    const path = joinPath(folder, file.name);
    setRefusal(null);
    const kind = file.kind === 'link' ? await kindBehind(boxId, path, end) : file.kind;
    if (kind === 'folder') folderChosen(boxId, path);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === 'Backspace') {
      folderChosen(boxId, parentOf(folder) ?? '/', nameOf(folder));
      return true;
    }
    if (event.key === 'F5') {
      look.lookAgain();
      return true;
    }
    return false;
  };
  const hidden = files.length - rows.length;
  return (
    <>
      {problem !== null && <ProblemNote problem={problem} />}
      <Refusal problem={refusal} />
      <FileTable
        boxId={boxId}
        folder={folder}
        files={files}
        rows={rows}
        order={order}
        selection={selection}
        onSelect={setChosen}
        onColumn={(column) => columnPressed(boxId, column)}
        onOpen={(file, end) => void openFile(file, end)}
        onKey={onKey}
      />
      {rows.length === 0 && !isListing && problem === null && (
        <EmptyState
          icon={<FolderOpen size={28} strokeWidth={1.4} />}
          title={hidden === 0 ? 'This folder is empty' : 'Only hidden files'}
        >
          {hidden > 0 && (
            <p>{formatCount(hidden, 'name begins', 'names begin')} with a dot and is not shown.</p>
          )}
        </EmptyState>
      )}
      <StatusLine look={look} rows={rows} hidden={hidden} selection={selection} />
    </>
  );
}

/** What is behind a link, asked for where it is not known yet. */
async function kindBehind(
  boxId: string,
  path: string,
  end: LinkEnd | null,
): Promise<BoxFile['kind'] | null> {
  if (end !== null) return end.kind;
  const answer = await call('files:follow', { boxId, paths: [path] });
  return answer.ok ? (answer.value[0]?.kind ?? null) : null;
}

function selectionOf(rows: readonly SortedFile[], marked: string | null): Selection {
  const row = marked === null ? undefined : rows.find(({ file }) => file.name === marked);
  return row === undefined ? NOTHING_CHOSEN : chooseOne(row.id);
}

interface WaysOutProps {
  readonly boxId: string;
  readonly folder: string | null;
  readonly onAgain: () => void;
}

function WaysOut({ boxId, folder, onAgain }: WaysOutProps) {
  const parent = folder === null ? null : parentOf(folder);
  return (
    <>
      <Button onClick={onAgain}>Try again</Button>
      {parent !== null && (
        <Button onClick={() => folderChosen(boxId, parent)}>Up one folder</Button>
      )}
    </>
  );
}

interface StatusLineProps {
  readonly look: FolderLook;
  readonly rows: readonly SortedFile[];
  readonly hidden: number;
  readonly selection: Selection;
}

function StatusLine({ look, rows, hidden, selection }: StatusLineProps) {
  const { isListing, isCut, atMs } = look;
  const chosen = selection.ids.size < 2 ? [] : rows.filter(({ id }) => selection.ids.has(id));
  const bytes = chosen.reduce(
    (sum, { file }) => sum + (file.kind === 'file' ? (file.sizeBytes ?? 0) : 0),
    0,
  );
  return (
    <p className={styles['status']} role="status">
      <span>
        {formatCount(rows.length, 'entry', 'entries')}
        {hidden > 0 && `, ${formatNumber(hidden)} hidden`}
        {isListing && ' so far, listing…'}
      </span>
      {isCut && (
        <span className={styles['warn']}>
          The folder has more than {formatNumber(MAX_LISTED)}: only these are shown.
        </span>
      )}
      {chosen.length > 0 && (
        <span>
          {formatCount(chosen.length, 'entry', 'entries')} chosen, files of {formatBytes(bytes)}
        </span>
      )}
      {atMs !== null && !isListing && (
        <span className={styles['listed']}>
          Listed <Age atMs={atMs} />
        </span>
      )}
    </p>
  );
}
