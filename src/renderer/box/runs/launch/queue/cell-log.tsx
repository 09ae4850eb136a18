import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { LaunchedRun } from '../../../../../shared/runs/launch/launched-run.ts';
import { isAlive } from '../../../../../shared/runs/launch/run-words.ts';
import { Button } from '../../../../ui/button.tsx';
import { LogViewer } from '../log-viewer.tsx';
import { MetricsPanel } from '../metrics/metrics-panel.tsx';

/** A cell of a queue, of which a log is there. */
export interface OpenedCell {
  readonly index: number;
  /** Can be shown as it is. */
  readonly name: string;
}

interface CellLogProps {
  readonly boxId: string;
  readonly run: LaunchedRun;
  readonly cell: OpenedCell;
  readonly onClose: () => void;
}

/** What one cell of a queue has printed, in place of what the queue itself has. */
export function CellLog({ boxId, run, cell: { index, name }, onClose }: CellLogProps) {
  const back = useRef<HTMLButtonElement>(null);
  const opener = useRef<Element | null>(null);
  const [isWhole, setIsWhole] = useState(false);
  useEffect(() => {
    opener.current = document.activeElement;
    back.current?.focus();
  }, []);
  function close(): void {
    onClose();
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
  }
  const log = { runId: run.id, cell: index };
  return (
    <>
      <div>
        <Button ref={back} size="small" onClick={close}>
          <ArrowLeft size={14} aria-hidden /> Log of the queue
        </Button>
      </div>
      <MetricsPanel boxId={boxId} log={log} isAlive={isAlive(run) && !isWhole} />
      <LogViewer
        boxId={boxId}
        log={log}
        name={`cell ${String(index)}, ${name}`}
        title={`Log of cell ${String(index)}: ${name}`}
        onWhole={() => setIsWhole(true)}
      />
    </>
  );
}
