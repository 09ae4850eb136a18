import type { ReactNode } from 'react';
import type { FileList, PlannedPush } from '../../../../shared/transfer/planned-push.ts';
import type { PushProgress } from '../../../../shared/transfer/push-progress.ts';
import { call } from '../../../state/bridge.ts';
import { usePush } from '../../../state/launched-runs.ts';
import { formatBytes, formatCount } from '../../../ui/format.ts';
import { TransferBar } from '../../../ui/transfer-bar.tsx';
import { NextTry } from '../next-try.tsx';
import styles from './launch.module.css';

/** What of this computer goes to the box, and where it lands. */
export function PushPart({ push }: { readonly push: PlannedPush }) {
  const { from, to, commit, isDirty, files, bytes, send, replaced, gone, kept } = push;
  return (
    <section className={styles['part']} aria-label="Code that is pushed">
      <h3>Code that is pushed</h3>
      <dl className={styles['facts']}>
        <Row name="From">
          <code className="selectable">{from}</code>, {formatCount(files, 'file')},{' '}
          {formatBytes(bytes)}
        </Row>
        <Row name="To">
          <code className="selectable">{to}</code>
        </Row>
        <Row name="Commit">
          {commit === null ? (
            'not known: no git commit'
          ) : (
            <>
              <code className="selectable">{commit.slice(0, 12)}</code>
              {isDirty ? ', with changes that are in no commit' : ', without changes'}
            </>
          )}
        </Row>
        <Row name="To send">
          {send.count === 0 ? (
            'nothing: the box has all of it'
          ) : (
            <>
              {formatCount(send.count, 'file')}, {formatBytes(send.bytes)}
              {replaced.count > 0 && `; ${String(replaced.count)} replace what the box has`}
              <Names list={send} />
            </>
          )}
        </Row>
        {gone.count > 0 && (
          <Row name={push.isDeleting ? 'To delete' : 'No longer here'}>
            {formatCount(gone.count, 'file')} of an earlier push{' '}
            {push.isDeleting ? 'will be deleted on the box' : 'stay on the box'}
            <Names list={gone} />
          </Row>
        )}
        {kept.count > 0 && (
          <Row name="Kept on the box">
            {formatCount(kept.count, 'file')} of an earlier push, no longer here, but changed on the
            box since
            <Names list={kept} />
          </Row>
        )}
        {push.fixed.count > 0 && (
          <Row name="Line ends">
            changed from Windows to Unix in {formatCount(push.fixed.count, 'script')}
            <Names list={push.fixed} />
          </Row>
        )}
        {push.large.count > 0 && (
          <Row name="Large files">
            {formatCount(push.large.count, 'file')} over 100 MiB; data is better fetched on the box
            <Names list={push.large} />
          </Row>
        )}
        {push.leftOut.length > 0 && (
          <Row name="Left out">
            <ul className={styles['list']}>
              {push.leftOut.map(({ path, because }) => (
                <li key={path}>
                  {path}: {because}
                </li>
              ))}
            </ul>
          </Row>
        )}
        <Row name="Hash">
          <code className="selectable">{push.tree.slice(0, 16)}…</code>, read back from the box
          before the run starts
        </Row>
      </dl>
    </section>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Names({ list: { count, first } }: { readonly list: FileList }) {
  return (
    <ul className={styles['list']}>
      {first.map((path) => (
        <li key={path}>{path}</li>
      ))}
      {count > first.length && <li>and {String(count - first.length)} more</li>}
    </ul>
  );
}

const STAGES: Readonly<Record<PushProgress['stage'], string>> = {
  looking: 'Checking what the box has…',
  sending: 'Sending the code…',
  placing: 'Moving the code into its folder…',
  checking: 'Reading the code back from the box…',
  waiting:
    'The connection was lost. The push resumes by itself; nothing that has arrived is sent again.',
};

/** How far the code of a launch is. */
export function PushBar({ boxId }: { readonly boxId: string }) {
  const progress = usePush(boxId);
  if (progress === null) return null;
  const { stage, isResumed, retry } = progress;
  const resumed =
    isResumed && stage !== 'waiting' ? ' The connection was lost; it goes on over a new one.' : '';
  return (
    <TransferBar
      label="Code sent"
      stage={STAGES[stage] + resumed}
      isMoving={stage === 'sending'}
      progress={progress}
      notes={<NextTry retry={retry} className={styles['muted']} />}
      stop="Cancel push"
      onStop={() => void call('runs:stop-push', { boxId })}
    />
  );
}
