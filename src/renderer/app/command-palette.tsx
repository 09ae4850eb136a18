import { Command, defaultFilter } from 'cmdk';
import { BookOpen } from 'lucide-react';
import { memo, useState, type ReactNode } from 'react';
import { describeStatus } from '../fleet/box-status.ts';
import { describeBox } from '../fleet/gpu-names.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { useRunsOf } from '../box/runs/launch/launch-view.ts';
import { usePatrol } from '../state/patrol.ts';
import { selectAllEntries, selectEntries, useFleet } from '../state/feeds.ts';
import { boxChosen, handbookChosen, useView } from '../state/view.ts';
import { useFoundEntries } from '../handbook/gotchas.ts';
import { useNow } from '../ui/clock.ts';
import { PaletteDialog } from '../ui/dialog.tsx';
import { Glyph } from '../ui/glyph.tsx';
import styles from './command-palette.module.css';
import type { PaletteAction } from './palette-action.tsx';
import { paletteActions } from './palette-actions.tsx';
import { resolvePage } from './resolve-page.ts';

/** Entries of the handbook come from a search of their own, below everything that has the letters in its name. */
const ENTRY = 'handbook-entry ';
const ENTRY_SCORE = 1e-6;
const MAX_ENTRIES = 5;

function scoreOf(value: string, typed: string, keywords?: string[]): number {
  return value.startsWith(ENTRY) ? ENTRY_SCORE : defaultFilter(value, typed, keywords);
}

/** Boxes and actions by a few letters of their name. cmdk brings the fuzzy search and the keyboard. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const entries = useFleet(selectEntries);
  const page = resolvePage(
    useView((view) => view.page),
    useFleet(selectAllEntries),
  );
  const nowMs = useNow();
  const [typed, setTyped] = useState('');
  const found = useFoundEntries(typed, MAX_ENTRIES);
  const shownId = page.kind === 'box' || page.kind === 'costs' ? page.boxId : null;
  const shown = entries.find(({ box }) => box.id === shownId);
  return (
    <PaletteDialog title="Command palette" onClose={onClose}>
      <Command className={styles['palette']} label="Command palette" filter={scoreOf} loop>
        <Command.Input
          className={styles['input']}
          value={typed}
          onValueChange={setTyped}
          placeholder="Search boxes, commands and the Handbook"
          autoFocus
        />
        <Command.List className={styles['list']}>
          <Command.Empty className={styles['empty']}>No results</Command.Empty>
          {entries.length > 0 && (
            <Command.Group heading="Boxes">
              {entries.map((entry, i) => (
                <PaletteItem
                  key={entry.box.id}
                  // The number tells two boxes with one name apart; cmdk knows items by their value.
                  value={`${entry.box.name} ${describeBox(entry)} ${i + 1}`}
                  icon={<Glyph tone={describeStatus(entry, nowMs).tone} />}
                  hint={describeBox(entry)}
                  onSelect={() => boxChosen(entry.box.id)}
                >
                  {entry.box.name}
                </PaletteItem>
              ))}
            </Command.Group>
          )}
          <Command.Group heading="Actions">
            {shown === undefined ? (
              <Actions actions={paletteActions(undefined, nowMs)} onClose={onClose} />
            ) : (
              <ActionsOfBox shown={shown} nowMs={nowMs} onClose={onClose} />
            )}
          </Command.Group>
          {found.length > 0 && (
            <Command.Group heading="Handbook">
              {found.map(({ id, title }) => (
                <PaletteItem
                  key={id}
                  value={`${ENTRY}${id}`}
                  icon={<BookOpen size={15} />}
                  hint={id}
                  onSelect={() => handbookChosen(id)}
                >
                  {title}
                </PaletteItem>
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </PaletteDialog>
  );
}

interface ActionsOfBoxProps {
  readonly shown: FleetEntry;
  readonly nowMs: number;
  readonly onClose: () => void;
}

/** The streams of its runs are open for as long as this is. Not drawn again with each letter that is typed. */
const ActionsOfBox = memo(function ActionsOfBox({ shown, nowMs, onClose }: ActionsOfBoxProps) {
  const patrol = usePatrol(shown.box.id);
  const launched = useRunsOf(shown.box.id);
  const runs = {
    seen: patrol.kind === 'live' ? patrol.state.seen : null,
    launched: launched.kind === 'live' ? launched.state.runs : [],
  };
  return <Actions actions={paletteActions(shown, nowMs, runs)} onClose={onClose} />;
});

interface ActionsProps {
  readonly actions: readonly PaletteAction[];
  readonly onClose: () => void;
}

function Actions({ actions, onClose }: ActionsProps) {
  const times = new Map<string, number>();
  return actions.map(({ label, icon, hint, keywords, run }) => {
    // Two runs may have one name; cmdk knows items by their value.
    const time = (times.get(label) ?? 0) + 1;
    times.set(label, time);
    const value = time === 1 ? label : `${label} ${time}`;
    return (
      <PaletteItem
        key={value}
        value={value}
        icon={icon}
        {...(hint !== undefined && { hint })}
        {...(keywords !== undefined && { keywords })}
        onSelect={() => {
          onClose();
          run();
        }}
      >
        {label}
      </PaletteItem>
    );
  });
}

interface PaletteItemProps {
  readonly value: string;
  readonly icon: ReactNode;
  readonly hint?: string;
  readonly keywords?: readonly string[];
  readonly onSelect: () => void;
  readonly children: string;
}

function PaletteItem({ value, icon, hint, keywords, onSelect, children }: PaletteItemProps) {
  return (
    <Command.Item
      className={styles['item']}
      value={value}
      {...(keywords !== undefined && { keywords: [...keywords] })}
      onSelect={onSelect}
    >
      {icon}
      <span className={styles['name']}>{children}</span>
      {hint !== undefined && <span className={styles['hint']}>{hint}</span>}
    </Command.Item>
  );
}
