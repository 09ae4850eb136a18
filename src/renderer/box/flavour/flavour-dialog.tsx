import { selectFindings, type FlavourFinding } from '../../../shared/boxes/flavour/findings.ts';
import { reportOf, type FlavourReport } from '../../../shared/boxes/flavour/report.ts';
import type { FleetEntry } from '../../../shared/streams/fleet-stream.ts';
import { useCatalog } from '../../handbook/gotchas.ts';
import { sshCheckRequested } from '../../state/actions.ts';
import { selectEntry, useFleet } from '../../state/feeds.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { countUnknown, describeFacts, type FactRow } from './flavour-words.ts';
import styles from './flavour.module.css';

interface FlavourDialogProps {
  readonly boxId: string;
  readonly onClose: () => void;
}

/** What this box's SSH can do: what stands in the way first, and behind a fold everything that was found out. */
export function FlavourDialog({ boxId, onClose }: FlavourDialogProps) {
  const entry = useFleet(selectEntry(boxId));
  if (entry === undefined) return null;
  const report = reportOf(entry.flavour);
  return (
    <Dialog title={`SSH capabilities of ${entry.box.name}`} onClose={onClose}>
      <CheckLine entry={entry} report={report} />
      {report === null ? (
        <p className={styles['muted']}>
          Leasehold checks once it is connected and the first readings are there. It runs one short
          command that changes nothing, asks for a tunnel to a port where nothing listens, and says
          hello to the file channel.
        </p>
      ) : (
        <ReportView report={report} />
      )}
    </Dialog>
  );
}

function CheckLine({
  entry: { box, link, flavour },
  report,
}: {
  readonly entry: FleetEntry;
  readonly report: FlavourReport | null;
}) {
  const isUp = link.kind === 'up';
  const isChecking = flavour.kind === 'checking';
  return (
    <div className={styles['check']}>
      <p>
        <span role="status">{stateWords(isUp, isChecking, report)}</span>
        {report !== null && !isChecking && (
          <>
            {' '}
            <Age atMs={report.atMs} />
          </>
        )}
      </p>
      <Button
        size="small"
        aria-disabled={!isUp || isChecking}
        title={isUp ? undefined : 'Connect to the box first.'}
        onClick={() => isUp && !isChecking && sshCheckRequested(box.id)}
      >
        {report === null ? 'Check now' : 'Check again'}
      </Button>
    </div>
  );
}

/** Changes with the state and not with every second: screen readers say it aloud. */
function stateWords(isUp: boolean, isChecking: boolean, report: FlavourReport | null): string {
  if (isChecking) return 'Checking…';
  if (report === null) return isUp ? 'Not checked.' : 'Not connected.';
  return isUp ? 'Checked' : 'Not connected. Checked';
}

function ReportView({ report }: { readonly report: FlavourReport }) {
  const findings = selectFindings(report, useCatalog());
  const unknowns = countUnknown(report);
  const limits = findings.filter(({ weight }) => weight !== 'note').length;
  return (
    <>
      {limits === 0 && (
        <p className={styles['summary']}>
          <Glyph tone={unknowns === 0 ? 'ok' : 'unknown'} />
          {unknowns === 0
            ? 'Nothing was found that stands in Leasehold’s way.'
            : `Nothing is known that stands in Leasehold’s way, but ${formatCount(unknowns, 'thing')} could not be found out.`}
        </p>
      )}
      <ul className={styles['findings']}>
        {findings.map((finding) => (
          <li key={finding.id}>
            <FindingView finding={finding} />
          </li>
        ))}
      </ul>
      <details className={styles['fold']}>
        <summary>
          All facts{unknowns > 0 && `, ${formatCount(unknowns, 'unknown', 'unknown')}`}
        </summary>
        <table className={styles['facts']}>
          <thead className="sr-only">
            <tr>
              <th scope="col">Fact</th>
              <th scope="col">Answer</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {describeFacts(report).map((row) => (
              <FactLine key={row.label} row={row} />
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

function FindingView({ finding }: { readonly finding: FlavourFinding }) {
  const { weight, title, what, clue, fails, wayOut } = finding;
  return (
    <section className={styles['finding']} aria-label={title}>
      <Glyph tone={weight === 'note' ? 'off' : 'warn'} />
      <div>
        <h3>{title}</h3>
        <p>{what}</p>
        {fails.length > 0 && (
          <p>
            <b>Affected:</b> {fails.join('; ')}.
          </p>
        )}
        {wayOut.length > 0 && (
          <>
            <p>
              <b>What to do:</b>
            </p>
            <ul className={styles['ways']}>
              {wayOut.map((way) => (
                <li key={way} className="selectable">
                  {way}
                </li>
              ))}
            </ul>
          </>
        )}
        <details className={styles['fold']}>
          <summary>What the box answered</summary>
          <pre>{clue}</pre>
        </details>
      </div>
    </section>
  );
}

function FactLine({ row: { label, hint, word, tone, because } }: { readonly row: FactRow }) {
  return (
    <tr>
      <th scope="row" title={hint}>
        {label}
      </th>
      <td className={styles['word']}>
        <Glyph tone={tone} /> {word}
      </td>
      <td className={styles['because']}>{because}</td>
    </tr>
  );
}
