import { BellPlus, FileCheck, Flag, Save, ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { SeenRun } from '../../../../shared/patrol/patrol-state.ts';
import { isSameProcess, processRefIn } from '../../../../shared/runs/process-ref.ts';
import type { Problem } from '../../../../shared/problem.ts';
import { DEFAULT_FOR_MS } from '../../../../shared/sentinels/sentinel.ts';
import { call } from '../../../state/bridge.ts';
import { useSentinels } from '../../../state/sentinels.ts';
import { Button } from '../../../ui/button.tsx';
import { Glyph } from '../../../ui/glyph.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import { commandOf } from '../run-card.tsx';
import { ArmDialog } from './arm-dialog.tsx';
import { processOf, type ArmValues } from './arm-form.ts';
import styles from './sentinels.module.css';

/** On a run: what of it the person wants to be told. */
export function TellMe({ boxId, run }: { readonly boxId: string; readonly run: SeenRun }) {
  const feed = useSentinels(boxId);
  const [wanted, setWanted] = useState<Partial<ArmValues> | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const process = processOf(run);
  const armed = feed.kind === 'live' ? feed.state.armed : [];
  const isEndAwaited = armed.some(({ awaited: each }) => {
    const ended = each.kind === 'process' ? processRefIn(each) : null;
    return ended !== null && isSameProcess(ended, run);
  });
  const armEnd = async (): Promise<void> => {
    const done = await call('sentinels:arm', { boxId, awaited: process, forMs: DEFAULT_FOR_MS });
    setRefusal(done.ok ? null : done.error);
  };
  return (
    <div className={styles['tell']}>
      <Menu
        trigger={
          <Button size="small" aria-label={`Tell me when, of ${commandOf(run)}`}>
            <BellPlus size={14} aria-hidden /> Tell me when…
          </Button>
        }
      >
        <MenuItem
          icon={<Flag size={15} />}
          isDisabled={isEndAwaited}
          onSelect={() => void armEnd()}
        >
          This run ends
        </MenuItem>
        <MenuItem icon={<ScrollText size={15} />} onSelect={() => setWanted({ kind: 'line' })}>
          A line is in its log…
        </MenuItem>
        <MenuItem icon={<FileCheck size={15} />} onSelect={() => setWanted({ kind: 'file' })}>
          A marker file appears…
        </MenuItem>
        <MenuItem icon={<Save size={15} />} onSelect={() => setWanted({ kind: 'newest' })}>
          A new checkpoint is there…
        </MenuItem>
      </Menu>
      {isEndAwaited && (
        <span className={styles['muted']}>
          <Glyph tone="wait" /> you are told when it ends
        </span>
      )}
      <Refusal problem={refusal} />
      {wanted !== null && (
        <ArmDialog
          boxId={boxId}
          runs={[run]}
          run={run}
          wanted={wanted}
          onClose={() => setWanted(null)}
        />
      )}
    </div>
  );
}
