import { Bookmark, FolderCog, HardDrive, House, Slash } from 'lucide-react';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { survivalOf } from '../../facts/fact-words.ts';
import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx';
import { useRunsOf } from '../runs/launch/launch-view.ts';
import styles from './places-menu.module.css';
import { folderChosen } from './files-view.ts';
import { runPlaces } from './places.ts';
import type { TierAt } from '../../../shared/profiles/tier-at.ts';

interface PlacesMenuProps {
  readonly boxId: string;
  readonly tiers: readonly TierAt[];
}

/** The folders of a box that a person comes for. */
export function PlacesMenu({ boxId, tiers }: PlacesMenuProps) {
  const feed = useRunsOf(boxId);
  const runs = feed.kind === 'live' ? runPlaces(feed.state.runs) : [];
  const go = (path: string | null) => () => folderChosen(boxId, path);
  return (
    <Menu
      trigger={
        <Button size="small" title="Home, the platform’s storage, runs and their results">
          <Bookmark size={14} aria-hidden /> Places
        </Button>
      }
    >
      <MenuItem icon={<House size={15} />} onSelect={go(null)}>
        Home
      </MenuItem>
      <MenuItem icon={<Slash size={15} />} onSelect={go('/')}>
        Root
      </MenuItem>
      {tiers.length > 0 && <MenuLabel>Storage</MenuLabel>}
      {tiers.map((tier) => (
        <MenuItem
          key={tier.path}
          icon={<HardDrive size={15} />}
          hint={showHidden(tier.path)}
          onSelect={go(tier.path)}
        >
          {tier.label}
          <small className={styles['fate']}>{fateWords(tier)}</small>
        </MenuItem>
      ))}
      {runs.length > 0 && <MenuLabel>Runs</MenuLabel>}
      {runs.map(({ label, path }) => (
        <MenuItem key={`${label} ${path}`} icon={<FolderCog size={15} />} onSelect={go(path)}>
          {showHidden(label)}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** What becomes of a folder on this tier, with a stop and with a destroy. */
export function TierNote({ tier }: { readonly tier: TierAt }) {
  const stop = survivalOf(tier.tier.survivesStop);
  const destroy = survivalOf(tier.tier.survivesDestroy);
  const worst = [stop, destroy].find(({ tone }) => tone === 'danger') ?? stop;
  return (
    <span className={styles['tier']} title={tier.tier.note ?? undefined}>
      <Glyph tone={worst.tone} />
      {tier.label}: {fateWords(tier)}
    </span>
  );
}

export function fateWords({ tier }: TierAt): string {
  const stop = survivalOf(tier.survivesStop).word;
  const destroy = survivalOf(tier.survivesDestroy).word;
  return stop === destroy
    ? `${stop} when stopped or destroyed`
    : `${stop} when stopped, ${destroy} when destroyed`;
}
