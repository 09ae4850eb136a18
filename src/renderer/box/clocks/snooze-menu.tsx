import { useState, type Ref } from 'react';
import { formatWhen } from '../../../shared/clocks/when.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import { snoozeEnds } from '../../clocks/snooze-ends.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Refusal } from '../../ui/problem-note.tsx';

interface SnoozeMenuProps {
  readonly label: string;
  /** It ends before this moment. */
  readonly latestMs: number;
  readonly put: (untilMs: number) => Promise<Result<null, Problem>>;
  readonly onUntil: () => void;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** The ends that people choose, a click each, and any other. */
export function SnoozeMenu({ label, latestMs, put, onUntil, ref }: SnoozeMenuProps) {
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const snooze = async (atMs: number): Promise<void> => {
    const done = await put(atMs);
    setRefusal(done.ok ? null : done.error);
  };
  return (
    <>
      <Menu
        trigger={
          <Button size="small" ref={ref}>
            {label}
          </Button>
        }
      >
        <Ends latestMs={latestMs} onChoose={(atMs) => void snooze(atMs)} />
        <MenuItem onSelect={onUntil}>Until…</MenuItem>
      </Menu>
      <Refusal problem={refusal} />
    </>
  );
}

interface EndsProps {
  readonly latestMs: number;
  readonly onChoose: (atMs: number) => void;
}

/** There once the menu is open: its ends are told from then on. */
function Ends({ latestMs, onChoose }: EndsProps) {
  const [nowMs] = useState(() => Date.now());
  return snoozeEnds(nowMs, latestMs).map(({ label, ms }) => (
    <MenuItem key={label} hint={formatWhen(ms)} onSelect={() => onChoose(ms)}>
      {label}
    </MenuItem>
  ));
}
