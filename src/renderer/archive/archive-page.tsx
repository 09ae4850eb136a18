import { Archive } from 'lucide-react';
import type { ArchivedBox } from '../../shared/teardown/archived-box.ts';
import { useAsking, type Asking } from '../box/teardown/use-teardown.ts';
import { selectMeters, useMeter } from '../state/feeds.ts';
import { tabChosen } from '../state/view.ts';
import { formatDate } from '../ui/format.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState, FailedState, LoadingState } from '../ui/panel-state.tsx';
import { Refusal } from '../ui/problem-note.tsx';
import styles from './archive.module.css';
import { afterEndWords, foldersOf, NO_APPROVAL, wholeCostWords } from './archive-words.ts';
import { ReceiptButtons } from './receipt-buttons.tsx';
import { useArchive } from './use-archive.ts';

/** The boxes that are gone, with what is kept of each. */
export function ArchivePage() {
  const archive = useArchive();
  const asking = useAsking();
  return (
    <>
      <PageHeader title="Archive" meta="Boxes that are gone, and what is kept of them" />
      {archive === null && <LoadingState title="Reading the evidence…" />}
      {archive?.ok === false && <FailedState problem={archive.error} />}
      {archive?.ok === true && archive.value.length === 0 && (
        <EmptyState icon={<Archive size={30} strokeWidth={1.4} />} title="No archived boxes">
          <p>
            A box whose end is confirmed moves here, with its charts, alerts, costs and receipt.
          </p>
        </EmptyState>
      )}
      {archive?.ok === true && archive.value.length > 0 && (
        <div className={styles['page']}>
          <Refusal problem={asking.refusal} />
          <div className={styles['scroll']} tabIndex={0} role="group" aria-label="Archived boxes">
            <table className={styles['table']}>
              <caption className="sr-only">Archived boxes</caption>
              <thead>
                <tr>
                  <th scope="col">Box</th>
                  <th scope="col">Ended</th>
                  <th scope="col">Total cost</th>
                  <th scope="col">Storage after the end</th>
                  <th scope="col">Results on this computer</th>
                  <th scope="col">Receipt</th>
                </tr>
              </thead>
              <tbody>
                {archive.value.map((box) => (
                  <Row key={box.receipt} {...{ box, asking }} />
                ))}
              </tbody>
            </table>
          </div>
        </div>
      )}
    </>
  );
}

function Row({ box, asking }: { readonly box: ArchivedBox; readonly asking: Asking }) {
  const { boxId, boxName, goneAtMs, verb, by, receipt, cost, isKept } = box;
  const meter = useMeter(selectMeters)[boxId];
  const folders = foldersOf(box);
  return (
    <tr>
      <th scope="row">
        {isKept ? (
          <button
            type="button"
            className={styles['open']}
            title={boxName}
            onClick={() => tabChosen(boxId, 'teardown')}
          >
            {boxName}
          </button>
        ) : (
          <span title={boxName}>{boxName === '' ? 'Unnamed box' : boxName}</span>
        )}
        <small>{isKept ? verb : `${verb} · history deleted, receipt kept`}</small>
      </th>
      <td>
        {formatDate(goneAtMs)}
        <small>{by === 'provider' ? 'the provider confirmed it' : 'you confirmed it'}</small>
      </td>
      <td>{wholeCostWords(cost)}</td>
      <td>{isKept ? afterEndWords(meter?.perDay.destroyed ?? null) : 'history deleted'}</td>
      <td className={styles['folders']}>
        {folders === null
          ? NO_APPROVAL
          : folders.length === 0
            ? 'none'
            : folders.map((folder) => (
                <span key={folder} className="mono selectable">
                  {folder}
                </span>
              ))}
      </td>
      <td>
        <div className={styles['buttons']}>
          <ReceiptButtons {...{ receipt, asking }} boxId={null} isSmall />
        </div>
      </td>
    </tr>
  );
}
