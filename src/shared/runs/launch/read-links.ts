import { isWithin } from '../../files/box-path.ts';
import type { LinkLead } from './launched-run.ts';

/** With more steps no path is looked through: only the box knows where it leads. */
const MOST_STEPS = 100;

/** What link-targets.sh printed of a folder that the list of it names `folder`. What is not told there, nobody knows. */
export function readLinks(
  stdout: string,
  mark: string,
  folder: string,
): ReadonlyMap<string, LinkLead> {
  const leads = new Map<string, LinkLead>();
  const head = `${mark} links\n`;
  const begun = stdout.indexOf(head);
  if (begun === -1) return leads;
  const parts = stdout.slice(begun + head.length).split('\0');
  // What stands behind the last NUL is the end, or a part of a name.
  parts.pop();
  const [real = '', ...told] = parts;
  for (let at = 0; at + 1 < told.length; at += 2) {
    const [link = '', target = ''] = [told[at], told[at + 1]];
    const path = leadsTo(real, link, target);
    const isInside = path !== null && (isWithin(path, real) || isWithin(path, folder));
    leads.set(link, { target, path, isInside });
  }
  return leads;
}

/** No link is on the way to a link that was found, so its first steps up are told by the names; what a step up behind another name means, they do not tell. */
function leadsTo(real: string, link: string, target: string): string | null {
  const wanted = stepsOf(target);
  if (wanted.length === 0) return null;
  const isWhole = target.startsWith('/');
  const from = isWhole ? [] : [...stepsOf(real), ...stepsOf(link).slice(0, -1)];
  const ups = isWhole ? 0 : wanted.findIndex((step) => step !== '..');
  const down = ups === -1 ? [] : wanted.slice(ups);
  if (down.includes('..') || from.length + wanted.length > MOST_STEPS) return null;
  const kept = from.slice(0, Math.max(0, from.length - (wanted.length - down.length)));
  return `/${[...kept, ...down].join('/')}`;
}

const stepsOf = (path: string): readonly string[] =>
  path.split('/').filter((step) => step !== '' && step !== '.');
