import { ClipboardCopy, Download, FileSpreadsheet, Image } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { problem, type Problem } from '../../../shared/problem.ts';
import { metrics } from '../../../shared/telemetry/reading-ring.ts';
import { call } from '../../state/bridge.ts';
import { usePageAct } from '../../state/page-part.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { usePalette } from '../../ui/palette.ts';
import styles from './overview.module.css';
import type { OverviewModel } from './overview-model.ts';
import { paintPicture } from './paint/paint-picture.ts';
import { useTimeCursor } from './time-cursor.ts';
import { valuesText } from './values-text.ts';

/** How the last export went. */
export type ExportState =
  | { readonly kind: 'none' }
  | { readonly kind: 'working'; readonly words: string }
  | { readonly kind: 'done'; readonly words: string }
  | { readonly kind: 'failed'; readonly problem: Problem };

export const NO_EXPORT: ExportState = { kind: 'none' };

interface ExportMenuProps {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly boxId: string;
  readonly boxName: string;
  /** What is shown at the moment of the press. */
  readonly model: RefObject<OverviewModel>;
  readonly state: ExportState;
  readonly onState: (state: ExportState) => void;
}

export function ExportMenu({ button, boxId, boxName, model, state, onState }: ExportMenuProps) {
  const palette = usePalette();
  // The items, not the button: one that is disabled loses the focus of the keyboard.
  const isWorking = state.kind === 'working';
  // The cursor leaves the charts when the menu opens; what it showed is what is copied.
  const [pointed, setPointed] = useState<number | null>(null);
  const range = () => ({
    fromMs: Math.max(0, Math.floor(model.current.axis.fromMs)),
    toMs: Math.ceil(model.current.axis.toMs),
  });

  function copyValues(): void {
    const isCopied = copyText(valuesText(model.current, boxName, pointed));
    onState(
      isCopied
        ? { kind: 'done', words: 'Values copied' }
        : {
            kind: 'failed',
            problem: problem('export-failed', 'The system’s clipboard refused the values.'),
          },
    );
  }

  async function exportCsv(): Promise<void> {
    onState({ kind: 'working', words: 'Writing CSV…' });
    const gpus = model.current.shown.map(({ gpu }) => gpu);
    const input = { boxId, gpus, metrics: [...metrics], ...range() };
    const answer = await call('history:export', input);
    if (!answer.ok) onState({ kind: 'failed', problem: answer.error });
    else if (answer.value.kind === 'cancelled') onState(NO_EXPORT);
    else {
      const { file, rows, bytes } = answer.value;
      const words = `${formatCount(rows, 'row')}, ${formatBytes(bytes)}, written to ${file}`;
      onState({ kind: 'done', words });
    }
  }

  async function exportPicture(): Promise<void> {
    onState({ kind: 'working', words: 'Painting…' });
    const png = await paintPicture(model.current, boxName, palette);
    if (png === null) {
      const failed = problem('export-failed', 'The picture could not be painted.');
      onState({ kind: 'failed', problem: failed });
      return;
    }
    const answer = await call('history:picture', { boxId, fromMs: range().fromMs, png });
    if (!answer.ok) onState({ kind: 'failed', problem: answer.error });
    else if (answer.value.kind === 'cancelled') onState(NO_EXPORT);
    else {
      const { file, bytes } = answer.value;
      onState({ kind: 'done', words: `Picture, ${formatBytes(bytes)}, written to ${file}` });
    }
  }

  usePageAct('copy-values', copyValues);
  usePageAct('charts-csv', () => void exportCsv(), !isWorking);
  usePageAct('charts-picture', () => void exportPicture(), !isWorking);
  return (
    <Menu
      trigger={
        <Button
          ref={button}
          look="quiet"
          size="small"
          aria-label="Export"
          title="Export"
          onPointerDownCapture={() => setPointed(useTimeCursor.getState().at)}
          onKeyDownCapture={() => setPointed(useTimeCursor.getState().at)}
        >
          <Download size={14} aria-hidden /> <span className={styles['optional']}>Export</span>
        </Button>
      }
    >
      <MenuItem
        icon={<ClipboardCopy size={15} />}
        hint={pointed === null ? 'summary' : 'at cursor'}
        isDisabled={isWorking}
        onSelect={copyValues}
      >
        Copy values
      </MenuItem>
      <MenuItem
        icon={<FileSpreadsheet size={15} />}
        hint="stored points"
        isDisabled={isWorking}
        onSelect={() => void exportCsv()}
      >
        CSV…
      </MenuItem>
      <MenuItem
        icon={<Image size={15} />}
        hint="as shown"
        isDisabled={isWorking}
        onSelect={() => void exportPicture()}
      >
        Picture (PNG)…
      </MenuItem>
    </Menu>
  );
}
