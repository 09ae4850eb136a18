import { ChartLine, Globe, NotebookText, RefreshCw } from 'lucide-react';
import { useId, useState, type FormEvent } from 'react';
import type { JupyterListing } from '../../../shared/tunnels/jupyter.ts';
import {
  DEFAULT_TENSORBOARD_PORT,
  type TensorboardReport,
} from '../../../shared/tunnels/tensorboard.ts';
import { usePageAct } from '../../state/page-part.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import {
  fixChosen,
  jupyterOpened,
  jupytersRequested,
  tensorboardRequested,
  tensorboardStopped,
  useServices,
  type Looked,
} from './services.ts';
import styles from './services-panel.module.css';
import { findingWords, fixLabel } from './tensorboard-words.ts';

interface ServicesPanelProps {
  readonly boxId: string;
  readonly isUp: boolean;
}

/** One click to what people look at in a browser. */
export function ServicesPanel({ boxId, isUp }: ServicesPanelProps) {
  const tensorboard = useServices(({ tensorboards }) => tensorboards[boxId]);
  const jupyter = useServices(({ jupyters }) => jupyters[boxId]);
  const copiedPort = useServices(({ copiedTokens }) => copiedTokens[boxId]);
  return (
    <div className={styles['panel']}>
      <section className={styles['service']} aria-labelledby="tensorboard-title">
        <ChartLine size={20} strokeWidth={1.5} aria-hidden />
        <div className={styles['body']}>
          <h2 id="tensorboard-title">TensorBoard</h2>
          <TensorboardBody boxId={boxId} looked={tensorboard} />
        </div>
        <div className={styles['buttons']}>
          <Button
            look="primary"
            disabled={!isUp || tensorboard?.kind === 'busy'}
            title={isUp ? undefined : 'Connect the box first'}
            onClick={() => void tensorboardRequested(boxId)}
          >
            Open TensorBoard
          </Button>
          <Button
            isIcon
            look="quiet"
            disabled={!isUp || tensorboard?.kind === 'busy'}
            aria-label="Open TensorBoard in the system browser"
            title="Open in the system browser"
            onClick={() => void tensorboardRequested(boxId, 'browser')}
          >
            <Globe size={16} aria-hidden />
          </Button>
        </div>
      </section>
      <section className={styles['service']} aria-labelledby="jupyter-title">
        <NotebookText size={20} strokeWidth={1.5} aria-hidden />
        <div className={styles['body']}>
          <h2 id="jupyter-title">Jupyter</h2>
          <JupyterBody boxId={boxId} looked={jupyter} />
          <p role="status">
            {copiedPort !== undefined &&
              `The token of port ${copiedPort} is in the clipboard: paste it into the log-in page.`}
          </p>
        </div>
        <div className={styles['buttons']}>
          <Button
            disabled={!isUp || jupyter?.kind === 'busy'}
            title={isUp ? undefined : 'Connect the box first'}
            onClick={() => void jupytersRequested(boxId)}
          >
            Find Jupyter
          </Button>
        </div>
      </section>
    </div>
  );
}

function TensorboardBody({
  boxId,
  looked,
}: {
  readonly boxId: string;
  readonly looked: Looked<TensorboardReport> | undefined;
}) {
  if (looked === undefined) {
    return <p>Finds a running TensorBoard, forwards its port and opens it.</p>;
  }
  if (looked.kind === 'busy') return <p role="status">{looked.doing}</p>;
  if (looked.kind === 'failed') return <ProblemNote problem={looked.problem} />;
  return <Finding boxId={boxId} report={looked.value} />;
}

function Finding({
  boxId,
  report,
}: {
  readonly boxId: string;
  readonly report: TensorboardReport;
}) {
  const { tone, title, text } = findingWords(report);
  const { fixes } = report.finding;
  const ours = report.processes.filter(({ isOurs }) => isOurs);
  return (
    <div role="status">
      <p className={styles['finding']}>
        <Glyph tone={tone} /> <strong>{title}</strong>
      </p>
      <p className="selectable">{text}</p>
      <div className={styles['fixes']}>
        {fixes.map((fix) => (
          <Button key={fixLabel(fix)} size="small" onClick={() => void fixChosen(boxId, fix)}>
            {fixLabel(fix)}
          </Button>
        ))}
        {ours.map(({ pid }) => (
          <Button key={pid} size="small" onClick={() => void tensorboardStopped(boxId, pid)}>
            End the one that Leasehold started
          </Button>
        ))}
        <Button look="quiet" size="small" onClick={() => void tensorboardRequested(boxId)}>
          <RefreshCw size={13} aria-hidden /> Check again
        </Button>
      </div>
      {report.serving === null && report.finding.cause === 'not-running' && (
        <StartForm boxId={boxId} />
      )}
    </div>
  );
}

/** For a log folder that the search did not find. */
function StartForm({ boxId }: { readonly boxId: string }) {
  const [logdir, setLogdir] = useState('');
  const [error, setError] = useState<string | null>(null);
  const formId = useId();
  usePageAct('start-tensorboard', () =>
    document.getElementById(formId)?.querySelector('input')?.focus(),
  );
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!logdir.startsWith('/')) {
      setError('Write the whole path, beginning with “/”.');
      return;
    }
    void fixChosen(boxId, { kind: 'start', logdir, port: DEFAULT_TENSORBOARD_PORT });
  }
  return (
    <form id={formId} className={styles['start']} noValidate onSubmit={submitted}>
      <Field
        label="Log folder on the box"
        isMono
        placeholder="/root/tf-logs"
        value={logdir}
        error={error}
        onValue={(value) => {
          setLogdir(value);
          setError(null);
        }}
      />
      <Button type="submit">Start it on the box</Button>
    </form>
  );
}

function JupyterBody({
  boxId,
  looked,
}: {
  readonly boxId: string;
  readonly looked: Looked<readonly JupyterListing[]> | undefined;
}) {
  if (looked === undefined) {
    return <p>Finds the servers of the box and opens one in a window of its own, logged in.</p>;
  }
  if (looked.kind === 'busy') return <p role="status">{looked.doing}</p>;
  if (looked.kind === 'failed') return <ProblemNote problem={looked.problem} />;
  if (looked.value.length === 0) {
    return (
      <p role="status">
        No Jupyter server was found in this user’s runtime folder. One that another user or a
        container started does not show there: add a tunnel to its port.
      </p>
    );
  }
  return (
    <ul className={styles['servers']}>
      {looked.value.map(({ port, folder }) => (
        <li key={port}>
          <span>
            Port {port} <small className="mono">{folder ?? 'folder unknown'}</small>
          </span>
          <Button size="small" onClick={() => void jupyterOpened(boxId, port, 'window')}>
            Open
          </Button>
          <Button
            size="small"
            look="quiet"
            isIcon
            aria-label={`Open the Jupyter server on port ${port} in the system browser and copy its token`}
            title="Open in the system browser; its token is copied, to paste there"
            onClick={() => void jupyterOpened(boxId, port, 'browser')}
          >
            <Globe size={14} aria-hidden />
          </Button>
        </li>
      ))}
    </ul>
  );
}
