import { sshCommandOf } from '../../../shared/boxes/ssh-command-of.ts';
import { DEMO_PLATFORM } from '../../../shared/demo/demo-platform.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { profileIn, useProfiles } from '../../state/profiles.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatDate } from '../../ui/format.ts';
import { FailedState, LoadingState } from '../../ui/panel-state.tsx';
import { FactSection } from './fact-section.tsx';
import styles from './facts-tab.module.css';
import { GpusSection } from './gpus-section.tsx';
import { Identity } from './identity-section.tsx';
import { KnownTraps } from './known-traps.tsx';
import { NotesSection } from './notes-section.tsx';
import { PlatformGuess } from './platform-guess.tsx';
import { PlatformSection } from './platform-section.tsx';
import { SentSecrets } from './sent-secrets-section.tsx';
import { StorageSection } from './storage-section.tsx';
import { TimersSection } from './timers-section.tsx';
import { useMounts } from './use-mounts.ts';
import { VerbsSection } from './verbs-section.tsx';
import { WorthKnowingSection } from './worth-knowing-section.tsx';

/** What is known of the box: of its platform by the facts, of its disks as measured, and of itself. */
export function FactsTab({ entry }: { readonly entry: BoxEntry }) {
  const { box, link, gpus } = entry;
  return (
    <div className={styles['facts']}>
      <PlatformFacts entry={entry} />
      <KnownTraps platform={box.platform} />
      <GpusSection gpus={gpus} />
      <Address entry={entry} />
      <FactSection title="Identity">
        <Identity boxId={box.id} linkKind={link.kind} />
      </FactSection>
      {box.platform !== DEMO_PLATFORM && (
        <FactSection title="Notes">
          <NotesSection boxId={box.id} />
        </FactSection>
      )}
      <FactSection title="Secrets sent to it">
        <SentSecrets boxId={box.id} linkKind={link.kind} />
      </FactSection>
    </div>
  );
}

function PlatformFacts({ entry: { box, link } }: { readonly entry: BoxEntry }) {
  const feed = useProfiles();
  const look = useMounts(box.id, link.kind === 'up', box.platform);
  if (feed.kind === 'loading') return <LoadingState title="Reading what is known of platforms…" />;
  if (feed.kind === 'failed') return <FailedState problem={feed.problem} />;
  const loaded = profileIn(feed, box.platform);
  const profile = loaded?.profile ?? null;
  return (
    <>
      {box.platform !== DEMO_PLATFORM && (
        <PlatformGuess box={box} profiles={feed.state} mounts={look.found} />
      )}
      <PlatformSection box={box} profiles={feed.state} loaded={loaded} />
      <StorageSection profile={profile} look={look} />
      {profile !== null && (
        <>
          <VerbsSection profile={profile} />
          <TimersSection profile={profile} />
          <WorthKnowingSection profile={profile} />
        </>
      )}
    </>
  );
}

function Address({ entry: { box } }: { readonly entry: BoxEntry }) {
  const command = sshCommandOf(box);
  return (
    <FactSection title="Address" action={<CopyButton text={command} label="Copy ssh command" />}>
      <dl>
        <dt>ssh</dt>
        <dd className="mono selectable">{command}</dd>
        <dt>Added</dt>
        <dd>{formatDate(box.addedAtMs)}</dd>
      </dl>
    </FactSection>
  );
}
