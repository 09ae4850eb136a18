import { File, Folder, PlugZap, Upload } from 'lucide-react';
import { useMemo, useState, useSyncExternalStore } from 'react';
import type { BoxEntry } from '../../state/box-entry.ts';
import { profileIn, useProfiles } from '../../state/profiles.ts';
import { usePageAct } from '../../state/page-part.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/panel-state.tsx';
import { useMounts } from '../facts/use-mounts.ts';
import { ActsNote } from './acts-note.tsx';
import styles from './files.module.css';
import { selectFilesView, useFilesView } from './files-view.ts';
import { FolderBody } from './folder-body.tsx';
import { FolderTree } from './folder-tree.tsx';
import { PathBar } from './path-bar.tsx';
import { PlacesMenu, TierNote } from './places-menu.tsx';
import { tierOf, tiersAt } from '../../../shared/profiles/tier-at.ts';
import { useFileActs } from './use-file-acts.ts';
import { useFolder } from './use-folder.ts';

/** The files of a box. */
export function FilesTab({ entry }: { readonly entry: BoxEntry }) {
  if (entry.link.kind !== 'up') {
    return (
      <EmptyState
        icon={<PlugZap size={28} strokeWidth={1.4} />}
        title="The files of this box cannot be seen"
      >
        <p>It is not connected. Connect it, and its folders are listed here.</p>
      </EmptyState>
    );
  }
  return <Files key={entry.box.id} entry={entry} />;
}

function Files({ entry: { box } }: { readonly entry: BoxEntry }) {
  const boxId = box.id;
  const view = useFilesView(selectFilesView(boxId));
  const [home, setHome] = useState<string | null>(null);
  const searched = view.folder ?? home;
  const search =
    view.wanted === null || searched === null ? null : { folder: searched, wanted: view.wanted };
  const look = useFolder(boxId, view.folder, search);
  const profile = profileIn(useProfiles(), box.platform)?.profile ?? null;
  const mounts = useMounts(boxId, true, box.platform).found;
  const tiers = useMemo(() => tiersAt(profile, mounts), [profile, mounts]);
  const isWide = useSyncExternalStore(watchWidth, hasRoomForTree);
  const showsTree = view.showsTree ?? isWide;
  const acts = useFileActs(boxId, look.lookAgain);
  const [previewed, setPreviewed] = useState<string | null>(null);
  if (view.folder === null && look.folder !== null && look.folder !== home) setHome(look.folder);
  const folder = look.folder ?? view.folder;
  const upload = (what: 'files' | 'folder'): void => {
    if (folder !== null) acts.upload(folder, what);
  };
  // Where it cannot be listed there is nowhere to send to, and its problem stands there.
  const isListed = (folder !== null || look.problem !== null) && !acts.isBusy;
  usePageAct('upload-files', () => upload('files'), isListed);
  usePageAct('upload-folder', () => upload('folder'), isListed);
  const tier = folder === null ? null : tierOf(folder, tiers, mounts);
  return (
    <div className={styles['files']}>
      <PathBar
        boxId={boxId}
        folder={folder}
        home={home}
        wanted={view.wanted}
        showsHidden={view.showsHidden}
        showsTree={showsTree}
        onLookAgain={look.lookAgain}
      >
        <UploadMenu isDisabled={folder === null || acts.isBusy} onUpload={upload} />
        <PlacesMenu boxId={boxId} tiers={tiers} />
      </PathBar>
      <ActsNote boxId={boxId} acts={acts} />
      <div className={styles['beside']}>
        {showsTree && (
          <FolderTree {...{ boxId, folder }} showsHidden={view.showsHidden} times={look.times} />
        )}
        <div className={styles['shown']}>
          <FolderBody
            key={JSON.stringify([look.times, folder, view.wanted])}
            {...{ boxId, folder, look, previewed, acts }}
            wanted={view.wanted}
            onPreview={setPreviewed}
          >
            {tier !== null && <TierNote tier={tier} />}
          </FolderBody>
        </div>
      </div>
    </div>
  );
}

/** A tree, names and their sizes. */
const ROOM_FOR_TREE = '(min-width: 1280px)';
const hasRoomForTree = (): boolean => matchMedia(ROOM_FOR_TREE).matches;

function watchWidth(onChange: () => void): () => void {
  const query = matchMedia(ROOM_FOR_TREE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

interface UploadMenuProps {
  readonly isDisabled: boolean;
  readonly onUpload: (what: 'files' | 'folder') => void;
}

/** The systems' dialogs choose files or a folder, and not both. */
function UploadMenu({ isDisabled, onUpload }: UploadMenuProps) {
  return (
    <Menu
      trigger={
        <Button
          size="small"
          disabled={isDisabled}
          title="Send files of this computer into this folder, or drop them on the list"
        >
          <Upload size={14} aria-hidden /> Upload
        </Button>
      }
    >
      <MenuItem icon={<File size={15} />} onSelect={() => onUpload('files')}>
        Files…
      </MenuItem>
      <MenuItem icon={<Folder size={15} />} onSelect={() => onUpload('folder')}>
        A folder…
      </MenuItem>
    </Menu>
  );
}
