import {
  BookOpen,
  Copy,
  FileLock,
  KeyRound,
  ListChecks,
  Pencil,
  Power,
  Route,
  Tags,
  Trash2,
} from 'lucide-react';
import type { ReactElement } from 'react';
import type { Box } from '../../shared/boxes/box.ts';
import { sshCommandOf } from '../../shared/boxes/ssh-command-of.ts';
import { settingsChanged } from '../state/actions.ts';
import { overlayOpened } from '../state/view.ts';
import { copyText } from '../ui/copy-text.ts';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { BoxMenuButton } from './header-buttons.tsx';

interface BoxMenuProps {
  readonly box: Box;
  readonly isDemo: boolean;
  /** What needs the link is there all the same, so that people find it. */
  readonly isUp: boolean;
  readonly isOpenAtFirst: boolean;
  /** The button that opens it, where that is not the header's. */
  readonly trigger?: ReactElement;
}

export function BoxMenu({
  box,
  isDemo,
  isUp,
  isOpenAtFirst,
  trigger = <BoxMenuButton />,
}: BoxMenuProps) {
  return (
    <Menu trigger={trigger} isOpenAtFirst={isOpenAtFirst}>
      <MenuItem icon={<Copy size={15} />} onSelect={() => copyText(sshCommandOf(box))}>
        Copy ssh command
      </MenuItem>
      <MenuItem
        icon={<ListChecks size={15} />}
        onSelect={() => overlayOpened({ kind: 'flavour', boxId: box.id })}
      >
        SSH capabilities…
      </MenuItem>
      <MenuItem
        icon={<BookOpen size={15} />}
        onSelect={() => overlayOpened({ kind: 'recovery', boxId: box.id })}
      >
        Recovery handbook…
      </MenuItem>
      {isDemo ? (
        <DemoItems boxId={box.id} isUp={isUp} />
      ) : (
        <StoredBoxItems boxId={box.id} isUp={isUp} />
      )}
    </Menu>
  );
}

const NEEDS_LINK = 'Connect to the box first';

interface ItemsProps {
  readonly boxId: string;
  readonly isUp: boolean;
}

function StoredBoxItems({ boxId, isUp }: ItemsProps) {
  return (
    <>
      <MenuItem
        icon={<Pencil size={15} />}
        onSelect={() => overlayOpened({ kind: 'rename-box', boxId })}
      >
        Rename…
      </MenuItem>
      <MenuItem icon={<Tags size={15} />} onSelect={() => overlayOpened({ kind: 'tags', boxId })}>
        Tags…
      </MenuItem>
      <MenuItem
        icon={<Route size={15} />}
        onSelect={() => overlayOpened({ kind: 'edit-connection', boxId })}
      >
        Edit connection…
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<KeyRound size={15} />}
        isDisabled={!isUp}
        {...(!isUp && { hint: NEEDS_LINK })}
        onSelect={() => overlayOpened({ kind: 'install-key', boxId })}
      >
        Install a public key…
      </MenuItem>
      <SendSecretItem boxId={boxId} isUp={isUp} />
      <MenuSeparator />
      <MenuItem
        icon={<Trash2 size={15} />}
        isDangerous
        onSelect={() => overlayOpened({ kind: 'forget-box', boxId })}
      >
        Remove from Leasehold…
      </MenuItem>
    </>
  );
}

/** The demo box is not stored, so it cannot be renamed or forgotten; the settings hold whether it is there. */
function DemoItems({ boxId, isUp }: ItemsProps) {
  return (
    <>
      <SendSecretItem boxId={boxId} isUp={isUp} />
      <MenuSeparator />
      <MenuItem
        icon={<Power size={15} />}
        onSelect={() => settingsChanged({ demo: { isOn: false } })}
      >
        Switch the demo box off
      </MenuItem>
    </>
  );
}

function SendSecretItem({ boxId, isUp }: ItemsProps) {
  return (
    <MenuItem
      icon={<FileLock size={15} />}
      isDisabled={!isUp}
      {...(!isUp && { hint: NEEDS_LINK })}
      onSelect={() => overlayOpened({ kind: 'send-secret', boxId })}
    >
      Send a secret…
    </MenuItem>
  );
}
