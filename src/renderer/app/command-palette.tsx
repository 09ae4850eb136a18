import { Command, defaultFilter } from 'cmdk';
import { BookOpen } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { describeStatus } from '../fleet/box-status.ts';
import { describeBox } from '../fleet/gpu-names.ts';
import { selectAllEntries, selectEntries, useFleet } from '../state/feeds.ts';
import { boxChosen, handbookChosen, useView } from '../state/view.ts';
import { useFoundEntries } from '../handbook/gotchas.ts';
import { useNow } from '../ui/clock.ts';
import { PaletteDialog } from '../ui/dialog.tsx';
import { Glyph } from '../ui/glyph.tsx';
import styles from './command-palette.module.css';
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
  const shown = entries.find(({ box }) => page.kind === 'box' && box.id === page.boxId);
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
            {paletteActions(shown, nowMs).map(({ label, icon, hint, keywords, run }) => (
              <PaletteItem
                key={label}
                value={label}
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
            ))}
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
