import type { Profile } from '../profiles/profile.ts';
import type { EndAim } from './gate.ts';

/** A verb of a platform that ends a box or stops its meter, with what it really does there, as its profile has it. */
export type EndVerb = Profile['actions'][number];

const ENDS: ReadonlySet<EndVerb['kind']> = new Set<EndVerb['kind']>(['stop', 'destroy', 'end-job']);

/** In the order of the profile. What deletes storage alone ends no box. */
export function endVerbs({ actions }: Pick<Profile, 'actions'>): readonly EndVerb[] {
  return actions.filter(({ kind }) => ENDS.has(kind));
}

/** As a heading: the verb of a console begins large, the command of a shell is what it is. */
export const verbTitle = ({ verb, kind }: Pick<EndVerb, 'verb' | 'kind'>): string =>
  kind === 'end-job' ? verb : verb.charAt(0).toUpperCase() + verb.slice(1);

/** What ends the bills that an end leaves, each by itself. */
export function restVerbs({ actions }: Pick<Profile, 'actions'>): readonly EndVerb[] {
  return actions.filter(({ kind }) => kind === 'delete-storage');
}

/** What looks like an end on this platform, and ends no bill: a person who takes it for one goes on paying. */
export function noEnds({ actions }: Pick<Profile, 'actions'>): readonly EndVerb[] {
  return actions.filter(({ kind }) => kind === 'no-end');
}

/** What a verb has to bring about before anybody says that it is done. */
export const aimOf = ({ kind }: Pick<EndVerb, 'kind'>): EndAim =>
  kind === 'stop' ? 'stopped' : 'gone';
