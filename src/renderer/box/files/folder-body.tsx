import { FolderOpen, Search } from 'lucide-react';
import { useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { BoxFile, LinkEnd } from '../../../shared/files/box-file.ts';
import { joinPath, nameOf, parentOf } from '../../../shared/files/box-path.ts';
import { ordered, type SortedFile } from '../../../shared/files/sort-files.ts';
import { problem as makeProblem, type Problem } from '../../../shared/problem.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { call } from '../../state/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { EmptyState, FailedState, LoadingState } from '../../ui/panel-state.tsx';
import { ProblemNote, Refusal } from '../../ui/problem-note.tsx';
import { FileMenu } from './file-menu.tsx';
import { FileTable } from './file-table.tsx';
import styles from './files.module.css';
import {
  columnPressed,
  folderChosen,
  searchChosen,
  selectFilesView,
  useFilesView,
} from './files-view.ts';
import { NameDialog } from './name-dialog.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { chooseOne, NOTHING_CHOSEN, type Selection } from './selection.ts';
import { StatusLine } from './status-line.tsx';
import type { FileActs } from './use-file-acts.ts';
import type { ShownFolder } from './use-folder.ts';

interface FolderBodyProps {
  readonly boxId: string;
  readonly folder: string | null;
  readonly look: ShownFolder;
  /** What was searched for in the folder; null: it is shown itself. */
  readonly wanted: string | null;
  /** The file that is looked into; null: none. */
  readonly previewed: string | null;
  readonly onPreview: (path: string | null) => void;
  readonly acts: FileActs;
  /** What else is to be said of the folder. */
  readonly children?: ReactNode;
}

/** A folder as it was listed, or why it could not be. */
export function FolderBody({ boxId, folder, look, ...rest }: FolderBodyProps) {
  if (look.folder !== null && folder !== null) {
    return <Folder boxId={boxId} folder={folder} look={look} {...rest} />;
  }
  if (look.problem === null) return <LoadingState title="Listing the folder…" />;
  const parent = folder === null ? null : parentOf(folder);
  const actions = (
    <>
      <Button onClick={look.lookAgain}>Try again</Button>
      {parent !== null && (
        <Button onClick={() => folderChosen(boxId, parent)}>Up one folder</Button>
      )}
    </>
  );
  return <FailedState problem={look.problem} actions={actions} />;
}

/** One act at a time: what came of it is told before the next begins. */
const BUSY = makeProblem('files-busy', 'Other files of this box are being copied or deleted.');

type Asking = { readonly kind: 'new-folder' } | { readonly kind: 'rename'; readonly name: string };

interface FolderProps extends FolderBodyProps {
  readonly folder: string;
}

function Folder({
  boxId,
  folder,
  look,
  wanted,
  previewed,
  onPreview,
  acts,
  children,
}: FolderProps) {
  const { order, showsHidden, marked } = useFilesView(selectFilesView(boxId));
  const [chosen, setChosen] = useState<Selection | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [asking, setAsking] = useState<Asking | null>(null);
  const { files, first, problem, isListing } = look;
  const shown = useMemo(
    () => (showsHidden ? files : files.filter(({ isHidden }) => !isHidden)),
    [files, showsHidden],
  );
  const rows = useMemo(() => ordered(shown, order), [shown, order]);
  // Until a person has chosen: where they came from, or nothing.
  const selection = chosen ?? selectionOf(rows, marked);
  const active = rows.find(({ id }) => id === selection.active)?.file ?? null;
  const hidden = files.length - rows.length;

  const openEntry = async (file: BoxFile, end: LinkEnd | null): Promise<void> => {
    if (!file.hasUsableName) return;
    const path = joinPath(folder, file.name);
    setRefusal(null);
    const known = file.kind === 'link' ? end : { kind: file.kind };
    const kind = known === null ? await kindBehind(boxId, path, setRefusal) : known.kind;
    if (kind === 'folder') folderChosen(boxId, path);
    // Where a link leads nowhere, the preview says so.
    else if (kind !== undefined) onPreview(path);
  };
  const listAgain = (name: string | null): void => {
    setAsking(null);
    if (wanted === null) folderChosen(boxId, folder, name);
    look.lookAgain();
  };
  const rename = (): void => {
    if (active?.hasUsableName === true) setAsking({ kind: 'rename', name: active.name });
  };
  const onceFree = (act: () => void): void => {
    if (acts.isBusy) setRefusal(BUSY);
    else act();
  };
  const withChosen = (act: (paths: readonly string[]) => void): void => {
    const paths = rows
      .filter(({ id, file }) => selection.ids.has(id) && file.hasUsableName)
      .map(({ file }) => joinPath(folder, file.name));
    if (paths.length > 0) onceFree(() => act(paths));
  };
  /** Where an entry of a search lies. */
  const showInFolder = (): void => {
    if (active?.hasUsableName !== true || wanted === null) return;
    const path = joinPath(folder, active.name);
    folderChosen(boxId, parentOf(path) ?? '/', nameOf(path));
  };
  const leave = (): void => {
    if (wanted !== null) searchChosen(boxId, null);
    else folderChosen(boxId, parentOf(folder) ?? '/', nameOf(folder));
  };
  const keys: Readonly<Record<string, () => void>> = {
    Backspace: leave,
    F5: () => listAgain(active?.name ?? null),
    F2: rename,
    Delete: () => withChosen(acts.planDelete),
    Escape: () => onPreview(null),
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const isCommand = event.ctrlKey || event.metaKey;
    const withCommand = event.key === 'Enter' ? showInFolder : undefined;
    const act = isCommand ? withCommand : event.altKey ? undefined : keys[event.key];
    act?.();
    return act !== undefined;
  };
  return (
    <>
      {problem !== null && <ProblemNote problem={problem} />}
      <Refusal problem={refusal === BUSY && !acts.isBusy ? null : refusal} />
      <div className={styles['split']}>
        <FileTable
          {...{ boxId, folder, first, rows, order, selection }}
          label={tableLabel(folder, wanted)}
          onSelect={setChosen}
          onColumn={(column) => columnPressed(boxId, column)}
          onOpen={(file, end) => void openEntry(file, end)}
          onKey={onKey}
          onDrop={acts.isBusy ? null : (into) => acts.upload(into, 'dropped')}
          onDragOut={(names, isHeld) => {
            const paths = names.map((name) => joinPath(folder, name));
            onceFree(() => acts.dragOut(paths, isHeld));
          }}
          menu={
            <FileMenu
              file={active}
              path={active === null ? folder : joinPath(folder, active.name)}
              chosen={selection.ids.size}
              onShowInFolder={wanted === null ? null : showInFolder}
              onOpen={() => active !== null && void openEntry(active, null)}
              onRename={rename}
              onNewFolder={() => setAsking({ kind: 'new-folder' })}
              onDownload={() => withChosen(acts.download)}
              onUpload={(what) => onceFree(() => acts.upload(folder, what))}
              onDelete={() => withChosen(acts.planDelete)}
            />
          }
          nothing={
            rows.length === 0 && !isListing && problem === null ? (
              <Nothing hidden={hidden} wanted={wanted} />
            ) : null
          }
        />
        {previewed !== null && (
          <PreviewPane boxId={boxId} path={previewed} onClose={() => onPreview(null)} />
        )}
      </div>
      <StatusLine
        {...{ look, rows, hidden, selection }}
        onStop={wanted === null ? null : () => void call('files:stop-finding', { boxId })}
      >
        {children}
      </StatusLine>
      {asking !== null && (
        <AskName
          {...{ boxId, folder, asking }}
          onDone={listAgain}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

const tableLabel = (folder: string, wanted: string | null): string =>
  wanted === null
    ? `Entries of ${showHidden(folder)}`
    : `Found in ${showHidden(folder)} by “${showHidden(wanted)}”`;

interface NothingProps {
  readonly hidden: number;
  readonly wanted: string | null;
}

function Nothing({ hidden, wanted }: NothingProps) {
  const Icon = wanted === null ? FolderOpen : Search;
  const none = wanted === null ? 'This folder is empty' : 'No such name in this folder';
  return (
    <EmptyState
      icon={<Icon size={28} strokeWidth={1.4} />}
      title={hidden === 0 ? none : 'Only hidden files'}
    >
      {hidden > 0 && (
        <p>
          {wanted === null
            ? `${formatCount(hidden, 'name begins', 'names begin')} with a dot`
            : `${formatCount(hidden, 'entry is', 'entries are')} hidden, or in a hidden folder`}
          : show hidden files.
        </p>
      )}
    </EmptyState>
  );
}

interface AskNameProps {
  readonly boxId: string;
  readonly folder: string;
  readonly asking: Asking;
  readonly onDone: (name: string) => void;
  readonly onClose: () => void;
}

function AskName({ boxId, folder, asking, ...ends }: AskNameProps) {
  if (asking.kind === 'new-folder') {
    return (
      <NameDialog
        title="New folder"
        act="Make folder"
        name=""
        onName={(name) => call('files:make-folder', { boxId, folder, name })}
        {...ends}
      />
    );
  }
  const path = joinPath(folder, asking.name);
  return (
    <NameDialog
      title={`Rename ${showHidden(nameOf(asking.name))}`}
      act="Rename"
      name={nameOf(asking.name)}
      onName={(name) => call('files:rename', { boxId, path, name })}
      {...ends}
    />
  );
}

/** What is behind a link, asked for where it is not known yet; undefined: the box could not be asked. */
async function kindBehind(
  boxId: string,
  path: string,
  onProblem: (found: Problem) => void,
): Promise<LinkEnd['kind'] | undefined> {
  const answer = await call('files:follow', { boxId, paths: [path] });
  if (!answer.ok) onProblem(answer.error);
  return answer.ok ? answer.value[0]?.kind : undefined;
}

function selectionOf(rows: readonly SortedFile[], marked: string | null): Selection {
  const row = marked === null ? undefined : rows.find(({ file }) => file.name === marked);
  return row === undefined ? NOTHING_CHOSEN : chooseOne(row.id);
}
