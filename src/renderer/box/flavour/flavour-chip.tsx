import { selectLimit } from '../../../shared/boxes/flavour/findings.ts';
import { reportOf } from '../../../shared/boxes/flavour/report.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { overlayOpened } from '../../state/view.ts';
import { classNames } from '../../ui/class-names.ts';
import { Glyph } from '../../ui/glyph.tsx';
import styles from '../box-header.module.css';

/** What limits this box's SSH, in a word; nothing where nothing is known to. */
export function FlavourChip({ entry: { box, link, flavour } }: { readonly entry: BoxEntry }) {
  const report = reportOf(flavour);
  const limit = report === null ? null : selectLimit(report);
  if (limit === null || link.kind !== 'up') return null;
  const { first, count } = limit;
  const words = count > 1 ? `${first.title} +${count - 1}` : first.title;
  return (
    <button
      type="button"
      className={classNames(styles['chip'], styles['opens'], styles['warn'])}
      aria-label={`${words}: SSH capabilities`}
      title="SSH capabilities"
      onClick={() => overlayOpened({ kind: 'flavour', boxId: box.id })}
    >
      <Glyph tone="warn" />
      <span>{words}</span>
    </button>
  );
}
