import { domainAt } from './guess-platform.ts';
import type { Profile } from './profile.ts';

type WayIn = Profile['ssh']['flavours'][number];

/** A platform has a way in over which large copies crawl or fail, and one that takes them. */
export interface SlowWay {
  /** Its name, as the platform's profile has it; and what that says of copying over it. */
  readonly name: string;
  readonly copies: string;
  readonly better: Pick<WayIn, 'name' | 'endpoint' | 'note'>;
  /** False: nobody knows whether this box is reached over it. */
  readonly isCertain: boolean;
}

/** Whether a box at this host is, or may be, reached over a platform's slow way in (VAST8, RP13). Null: there is none, or it is another. */
export function slowWayOf({ ssh }: Pick<Profile, 'ssh'>, host: string): SlowWay | null {
  const better = ssh.flavours.find(({ canCopy }) => canCopy === true);
  const slow = ssh.flavours.filter(({ canCopy }) => canCopy === false || isText(canCopy));
  if (better === undefined || slow.length === 0) return null;
  const certain = slow.find((each) => domainAt(each, host) !== null);
  // One whose addresses the profile does not tell may be this one.
  const found = certain ?? slow.find(({ endpoint }) => endpoint === null);
  if (found === undefined) return null;
  const { name, endpoint, note } = better;
  return {
    name: found.name,
    copies: isText(found.canCopy) ? found.canCopy : 'not possible',
    better: { name, endpoint, note },
    isCertain: certain !== undefined,
  };
}

const isText = (said: WayIn['canCopy']): said is string => typeof said === 'string';
