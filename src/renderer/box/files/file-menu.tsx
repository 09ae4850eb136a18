import {
  ClipboardCopy,
  Download,
  Eye,
  FolderOpen,
  FolderPlus,
  FolderSearch,
  FolderUp,
  PencilLine,
  Trash2,
  Upload,
} from 'lucide-react';
import type { BoxFile } from '../../../shared/files/box-file.ts';
import { ContextItem, ContextSeparator } from '../../ui/context-menu.tsx';
import { copyText } from '../../ui/copy-text.ts';

export interface FileActions {
  readonly onOpen: () => void;
  /** Null: it is there already. */
  readonly onShowInFolder: (() => void) | null;
  readonly onRename: () => void;
  readonly onNewFolder: () => void;
  readonly onDownload: () => void;
  readonly onUpload: (what: 'files' | 'folder') => void;
  readonly onDelete: () => void;
}

interface FileMenuProps extends FileActions {
  /** The entry that the keys are at; null: none. */
  readonly file: BoxFile | null;
  /** Its whole path, or the folder's where there is none. */
  readonly path: string;
  readonly chosen: number;
}

/** Everything that can be done with what is chosen; each has its key. */
export function FileMenu({ file, path, chosen, ...acts }: FileMenuProps) {
  const isOne = chosen <= 1 && file?.hasUsableName === true;
  const isFile = file?.kind === 'file';
  return (
    <>
      <ContextItem
        icon={isFile ? <Eye size={15} /> : <FolderOpen size={15} />}
        hint="Enter"
        isDisabled={!isOne}
        onSelect={acts.onOpen}
      >
        {isFile ? 'Preview' : 'Open'}
      </ContextItem>
      {acts.onShowInFolder !== null && (
        <ContextItem
          icon={<FolderSearch size={15} />}
          hint="Ctrl+Enter"
          isDisabled={!isOne}
          onSelect={acts.onShowInFolder}
        >
          Show in its folder
        </ContextItem>
      )}
      <ContextItem
        icon={<PencilLine size={15} />}
        hint="F2"
        isDisabled={!isOne}
        onSelect={acts.onRename}
      >
        Rename…
      </ContextItem>
      <ContextItem
        icon={<Download size={15} />}
        isDisabled={chosen === 0}
        onSelect={acts.onDownload}
      >
        Download…
      </ContextItem>
      <ContextItem icon={<ClipboardCopy size={15} />} onSelect={() => copyText(path)}>
        Copy path
      </ContextItem>
      <ContextSeparator />
      <ContextItem icon={<FolderPlus size={15} />} onSelect={acts.onNewFolder}>
        New folder…
      </ContextItem>
      <ContextItem icon={<Upload size={15} />} onSelect={() => acts.onUpload('files')}>
        Upload files…
      </ContextItem>
      <ContextItem icon={<FolderUp size={15} />} onSelect={() => acts.onUpload('folder')}>
        Upload a folder…
      </ContextItem>
      <ContextSeparator />
      <ContextItem
        icon={<Trash2 size={15} />}
        hint="Del"
        isDangerous
        isDisabled={chosen === 0}
        onSelect={acts.onDelete}
      >
        Delete…
      </ContextItem>
    </>
  );
}
