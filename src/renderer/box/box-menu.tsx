import { Copy, ListChecks, Pencil, Power, Route, Trash2 } from 'lucide-react';
import type { Box } from '../../shared/boxes/box.ts';
import { settingsChanged } from '../state/actions.ts';
import { overlayOpened } from '../state/view.ts';
import { copyText } from '../ui/copy-text.ts';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { BoxMenuButton } from './header-buttons.tsx';
import { sshCommandOf } from './ssh-command-of.ts';

interface BoxMenuProps {
  readonly box: Box;
  readonly isDemo: boolean;
  readonly isOpenAtFirst: boolean;
}

export function BoxMenu({ box, isDemo, isOpenAtFirst }: BoxMenuProps) {
  return (
    <Menu trigger={<BoxMenuButton />} isOpenAtFirst={isOpenAtFirst}>
      <MenuItem icon={<Copy size={15} />} onSelect={() => copyText(sshCommandOf(box))}>
        Copy ssh command
      </MenuItem>
      <MenuItem
        icon={<ListChecks size={15} />}
        onSelect={() => overlayOpened({ kind: 'flavour', boxId: box.id })}
      >
        What SSH can do here…
      </MenuItem>
      {isDemo ? <DemoItems /> : <StoredBoxItems boxId={box.id} />}
    </Menu>
  );
}

function StoredBoxItems({ boxId }: { readonly boxId: string }) {
  return (
    <>
      <MenuItem
        icon={<Pencil size={15} />}
        onSelect={() => overlayOpened({ kind: 'rename-box', boxId })}
      >
        Rename…
      </MenuItem>
      <MenuItem
        icon={<Route size={15} />}
        onSelect={() => overlayOpened({ kind: 'edit-connection', boxId })}
      >
        Edit connection…
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Trash2 size={15} />}
        isDangerous
        onSelect={() => overlayOpened({ kind: 'forget-box', boxId })}
      >
        Forget box…
      </MenuItem>
    </>
  );
}

/** The demo box is not stored, so it cannot be renamed or forgotten; the settings hold whether it is there. */
function DemoItems() {
  return (
    <MenuItem
      icon={<Power size={15} />}
      onSelect={() => settingsChanged({ demo: { isOn: false } })}
    >
      Switch the demo box off
    </MenuItem>
  );
}
