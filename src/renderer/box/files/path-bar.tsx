import {
  ArrowUp,
  ChevronRight,
  Eye,
  EyeOff,
  FolderPen,
  FolderTree,
  House,
  RotateCw,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { parentOf, nameOf, stepsOf, typedPath } from '../../../shared/files/box-path.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { usePageAct } from '../../state/page-part.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import styles from './path-bar.module.css';
import { folderChosen, hiddenShown, searchChosen, treeShown } from './files-view.ts';

interface PathBarProps {
  readonly boxId: string;
  /** Null: not known before the box answers. */
  readonly folder: string | null;
  readonly home: string | null;
  /** What is searched for in the folder; null: nothing is. */
  readonly wanted: string | null;
  readonly showsHidden: boolean;
  readonly showsTree: boolean;
  readonly onLookAgain: () => void;
  readonly children?: ReactNode;
}

/** Where a person is, and every way from there but into a folder. */
export function PathBar(props: PathBarProps) {
  const { boxId, folder, home, wanted, showsHidden, showsTree, onLookAgain, children } = props;
  const [isTyping, setIsTyping] = useState(false);
  usePageAct('go-to-folder', () => setIsTyping(true), folder !== null);
  const parent = folder === null ? null : parentOf(folder);
  return (
    <div className={styles['bar']}>
      <Button
        size="small"
        isIcon
        aria-label="Folder tree"
        aria-pressed={showsTree}
        title={showsTree ? 'Hide the tree of folders' : 'Show the tree of folders'}
        onClick={() => treeShown(boxId, !showsTree)}
      >
        <FolderTree size={15} aria-hidden />
      </Button>
      <Button
        size="small"
        isIcon
        aria-label="Up one folder"
        title="Up one folder (Backspace)"
        disabled={parent === null}
        onClick={() => folderChosen(boxId, parent, folder === null ? null : nameOf(folder))}
      >
        <ArrowUp size={15} aria-hidden />
      </Button>
      <Button
        size="small"
        isIcon
        aria-label="Home folder"
        title="The folder in which a log-in begins"
        onClick={() => folderChosen(boxId, null)}
      >
        <House size={15} aria-hidden />
      </Button>
      {isTyping && folder !== null ? (
        <PathField
          folder={folder}
          onEnd={(typed) => {
            setIsTyping(false);
            if (typed !== null) folderChosen(boxId, typedPath(typed, folder, home ?? folder));
          }}
        />
      ) : (
        <Steps boxId={boxId} folder={folder} onType={() => setIsTyping(true)} />
      )}
      <Button
        size="small"
        isIcon
        aria-label="Hidden files"
        aria-pressed={showsHidden}
        title={
          showsHidden ? 'Hide names that begin with a dot' : 'Show names that begin with a dot'
        }
        onClick={() => hiddenShown(boxId, !showsHidden)}
      >
        {showsHidden ? <Eye size={15} aria-hidden /> : <EyeOff size={15} aria-hidden />}
      </Button>
      <Button
        size="small"
        isIcon
        aria-label="List again"
        title="List the folder again (F5)"
        onClick={onLookAgain}
      >
        <RotateCw size={15} aria-hidden />
      </Button>
      <NameSearch key={folder} boxId={boxId} wanted={wanted} />
      {children}
    </div>
  );
}

interface NameSearchProps {
  readonly boxId: string;
  readonly wanted: string | null;
}

/** Each search goes through folders of the box: one is begun by Enter, and not by each letter. */
function NameSearch({ boxId, wanted }: NameSearchProps) {
  const [{ typed, of }, setTyped] = useState({ typed: wanted ?? '', of: wanted });
  // A search may also be left by other ways.
  if (of !== wanted) setTyped({ typed: wanted ?? '', of: wanted });
  return (
    <div className={styles['search']} title={SEARCH_HINT}>
      <SearchField
        label="Search by name in this folder"
        placeholder="Search…"
        emptyLabel="End the search"
        value={typed}
        onValue={(value) => {
          setTyped({ typed: value, of });
          if (value === '' && wanted !== null) searchChosen(boxId, null);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || typed === '') return;
          // The keys go on in what is found.
          event.currentTarget.blur();
          searchChosen(boxId, typed);
        }}
      />
    </div>
  );
}

const SEARCH_HINT =
  'A part of a name, or with * ? [ ] a pattern for all of it. Enter searches this folder and all that is in it; large and small letters are the same.';

interface StepsProps {
  readonly boxId: string;
  readonly folder: string | null;
  readonly onType: () => void;
}

function Steps({ boxId, folder, onType }: StepsProps) {
  const steps = folder === null ? [] : stepsOf(folder);
  return (
    <nav className={styles['steps']} aria-label="Folder">
      <ol>
        {steps.map(({ name, path }, at) => (
          <li key={path}>
            {at > 1 && <ChevronRight size={12} aria-hidden />}
            <button
              type="button"
              aria-current={at === steps.length - 1 ? 'location' : undefined}
              onClick={() => folderChosen(boxId, path, steps[at + 1]?.name ?? null)}
            >
              {showHidden(name)}
            </button>
          </li>
        ))}
      </ol>
      <Button
        size="small"
        look="quiet"
        isIcon
        aria-label="Go to a folder…"
        title="Type a path"
        disabled={folder === null}
        onClick={onType}
      >
        <FolderPen size={15} aria-hidden />
      </Button>
    </nav>
  );
}

interface PathFieldProps {
  readonly folder: string;
  /** Null: the person left it as it was. */
  readonly onEnd: (typed: string | null) => void;
}

function PathField({ folder, onEnd }: PathFieldProps) {
  const [typed, setTyped] = useState(folder);
  return (
    <form
      className={styles['typing']}
      onSubmit={(event) => {
        event.preventDefault();
        onEnd(typed);
      }}
    >
      <input
        aria-label="Path"
        className="mono"
        value={typed}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => onEnd(null)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onEnd(null);
        }}
      />
    </form>
  );
}
