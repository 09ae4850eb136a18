import {
  ChevronDown,
  Ellipsis,
  Keyboard,
  Pencil,
  Plus,
  Search,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { usePagePart } from '../../state/page-part.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { RenameTerminalDialog } from './rename-terminal-dialog.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import styles from './terminal.module.css';
import { nameOf, toneOf, wordOf } from './terminal-words.ts';
import { closeTerminal, fontSizeChanged, openFind } from './terminals.ts';
import { openNextTerminal } from './usual-terminal.ts';
import { neighbourSelected, terminalSelected, type TerminalTab } from './terminals-store.ts';

interface TabStripProps {
  readonly boxId: string;
  readonly tabs: readonly TerminalTab[];
  readonly shown: TerminalTab | null;
}

export function TabStrip({ boxId, tabs, shown }: TabStripProps) {
  const list = useRef<HTMLDivElement>(null);
  const shownId = shown?.id ?? null;

  // Also when the strip itself gets narrower, with the window or the rail.
  useEffect(() => {
    const strip = list.current;
    if (strip === null) return undefined;
    const bringIntoView = (): void =>
      strip.querySelector('[aria-selected="true"]')?.scrollIntoView({ inline: 'nearest' });
    const watch = new ResizeObserver(bringIntoView);
    watch.observe(strip);
    return () => watch.disconnect();
  }, [shownId]);

  function moved(event: KeyboardEvent): void {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    neighbourSelected(boxId, event.key === 'ArrowRight' ? 1 : -1);
    // The newly selected tab is the list's only tab stop, so the focus goes along.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus(),
    );
  }

  return (
    <div className={styles['strip']}>
      <div
        ref={list}
        className={styles['tabs']}
        role="tablist"
        aria-label="Terminals"
        onKeyDown={moved}
        onWheel={({ deltaY }) => list.current?.scrollBy({ left: deltaY })}
      >
        {tabs.map((tab, i) => (
          <TabButton
            key={tab.id}
            tab={tab}
            isShown={tab === shown}
            isStop={tab === shown || (shown === null && i === 0)}
          />
        ))}
      </div>
      <Button
        look="quiet"
        size="small"
        isIcon
        aria-label="New terminal"
        title="New terminal, in a tmux session of its own"
        isOnce
        onClick={() => void openNextTerminal(boxId)}
      >
        <Plus size={16} aria-hidden />
      </Button>
      <Button
        look="quiet"
        size="small"
        isIcon
        aria-label="Choose a session or a shell"
        title="Choose a session or a shell"
        aria-pressed={shown === null}
        onClick={() => terminalSelected(boxId, null)}
      >
        <ChevronDown size={16} aria-hidden />
      </Button>
      <span className={styles['gap']} />
      {shown !== null && <TerminalMenu tab={shown} />}
    </div>
  );
}

interface TabButtonProps {
  readonly tab: TerminalTab;
  readonly isShown: boolean;
  readonly isStop: boolean;
}

function TabButton({ tab, isShown, isStop }: TabButtonProps) {
  const name = nameOf(tab);
  const bell = tab.hasRung ? ', bell' : '';
  return (
    <button
      type="button"
      role="tab"
      aria-selected={isShown}
      aria-label={`${name}, ${wordOf(tab.state)}${bell}`}
      tabIndex={isStop ? 0 : -1}
      className={classNames(styles['tab'], isShown && styles['shown'])}
      title={tab.title === '' ? name : `${name}: ${tab.title}`}
      onClick={() => terminalSelected(tab.boxId, tab.id)}
      onAuxClick={(event) => event.button === 1 && closeTerminal(tab.id)}
    >
      <Glyph tone={toneOf(tab.state)} />
      <span className={styles['label']}>
        <span className={styles['name']}>{name}</span>
        {tab.title !== '' && <span className={styles['title']}>{tab.title}</span>}
      </span>
      {tab.hasRung && <span className={styles['bell']}>bell</span>}
      {/* For the mouse. A button cannot lie in a tab; the keyboard has a shortcut and the menu. */}
      <span
        className={styles['close']}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          closeTerminal(tab.id);
        }}
      >
        <X size={13} />
      </span>
    </button>
  );
}

function TerminalMenu({ tab }: { readonly tab: TerminalTab }) {
  const [isRenaming, setIsRenaming] = usePagePart('rename-terminal');
  const [hasShortcuts, setHasShortcuts] = usePagePart('terminal-shortcuts');
  return (
    <>
      <Button
        look="quiet"
        size="small"
        isIcon
        aria-label="Find in this terminal"
        title="Find (Ctrl+Shift+F)"
        onClick={() => openFind(tab.id)}
      >
        <Search size={15} aria-hidden />
      </Button>
      <Menu
        trigger={
          <Button
            look="quiet"
            size="small"
            isIcon
            aria-label="Terminal actions"
            title="Terminal actions"
          >
            <Ellipsis size={16} aria-hidden />
          </Button>
        }
      >
        <MenuItem icon={<Pencil size={15} />} onSelect={() => setIsRenaming(true)}>
          Rename…
        </MenuItem>
        <MenuItem icon={<ZoomIn size={15} />} onSelect={() => fontSizeChanged('larger')}>
          Larger letters
        </MenuItem>
        <MenuItem icon={<ZoomOut size={15} />} onSelect={() => fontSizeChanged('smaller')}>
          Smaller letters
        </MenuItem>
        <MenuItem icon={<Keyboard size={15} />} onSelect={() => setHasShortcuts(true)}>
          Keyboard shortcuts…
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<X size={15} />} onSelect={() => closeTerminal(tab.id)}>
          Close terminal
        </MenuItem>
      </Menu>
      {isRenaming && <RenameTerminalDialog tab={tab} onClose={() => setIsRenaming(false)} />}
      {hasShortcuts && <ShortcutsDialog onClose={() => setHasShortcuts(false)} />}
    </>
  );
}
