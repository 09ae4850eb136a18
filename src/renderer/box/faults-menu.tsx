import type { ReactElement } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { demoFaultInfos, type DemoFault, type DemoState } from '../../shared/demo/faults.ts';
import { faultSwitched } from '../state/actions.ts';
import { useDemo } from '../state/feeds.ts';
import type { Feed } from '../state/stream-client.ts';
import { Menu, MenuCheckbox, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { FaultsButton } from './header-buttons.tsx';

const INFOS = Object.values(demoFaultInfos);
const NO_FAULTS: readonly DemoFault[] = [];
const selectActive = (feed: Feed<DemoState>): readonly DemoFault[] =>
  feed.kind === 'live' ? feed.state.active : NO_FAULTS;

interface FaultsMenuProps {
  readonly isOpenAtFirst?: boolean;
  /** The button that opens it, where that is not the header's. */
  readonly trigger?: ReactElement;
}

/** Makes the demo box suffer. Lasting faults are switched; the others happen once. */
export function FaultsMenu({ isOpenAtFirst = false, trigger }: FaultsMenuProps) {
  const active = useDemo(useShallow(selectActive));
  return (
    <Menu trigger={trigger ?? <FaultsButton count={active.length} />} isOpenAtFirst={isOpenAtFirst}>
      <MenuLabel>Until switched off</MenuLabel>
      {INFOS.filter(({ isLasting }) => isLasting).map(({ fault, label, hint }) => (
        <MenuCheckbox
          key={fault}
          hint={hint}
          isOn={active.includes(fault)}
          onChange={(isOn) => faultSwitched(fault, isOn)}
        >
          {label}
        </MenuCheckbox>
      ))}
      <MenuSeparator />
      <MenuLabel>Once</MenuLabel>
      {INFOS.filter(({ isLasting }) => !isLasting).map(({ fault, label, hint }) => (
        <MenuItem key={fault} hint={hint} onSelect={() => faultSwitched(fault, true)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
