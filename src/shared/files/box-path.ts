/** One step of the way to a folder, with the way up to it. */
export interface PathStep {
  readonly name: string;
  readonly path: string;
}

/** Paths on a box are POSIX's, whatever this computer is. */
export function joinPath(folder: string, name: string): string {
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}

/** Null: there is nothing above it. */
export function parentOf(path: string): string | null {
  const bare = path.replace(/(?<=[^/])\/+$/, '');
  if (bare === '' || /^\/+$/.test(bare)) return null;
  const at = bare.lastIndexOf('/');
  return at <= 0 ? '/' : bare.slice(0, at);
}

export function nameOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.at(-1) ?? '/';
}

/** From the root on. */
export function stepsOf(path: string): readonly PathStep[] {
  const steps: PathStep[] = [{ name: '/', path: '/' }];
  let way = '';
  for (const name of path.split('/')) {
    if (name === '') continue;
    way += `/${name}`;
    steps.push({ name, path: way });
  }
  return steps;
}

/** What a person typed, as a whole path; `~` is the home folder, and what is not whole goes on from `folder`. */
export function typedPath(typed: string, folder: string, home: string): string {
  const wanted = typed.trim();
  if (wanted === '' || wanted === '~') return home;
  const whole = wanted.startsWith('~/')
    ? joinPath(home, wanted.slice(2))
    : wanted.startsWith('/')
      ? wanted
      : joinPath(folder, wanted);
  return resolved(whole);
}

/** Whether `inner` is `outer` or lies in it. Both are whole, and no link is on the way of either. */
export function isWithin(inner: string, outer: string): boolean {
  const folder = outer.endsWith('/') ? outer : `${outer}/`;
  return inner === outer || inner.startsWith(folder);
}

/** Without `.`, `..` and empty steps, as written: what a link makes of `..`, only the box knows. */
function resolved(path: string): string {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue;
    if (step === '..') steps.pop();
    else steps.push(step);
  }
  return `/${steps.join('/')}`;
}
