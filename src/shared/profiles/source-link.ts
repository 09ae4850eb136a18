/**
 * SECURITY: the hosts of the sources that ship, for `shell.openExternal`'s allow-list. What a person's own profile names is
 * shown as text. A test holds the list to the profiles.
 */
export const SOURCE_HOSTS: readonly string[] = [
  'contact.runpod.io',
  'discuss.kubernetes.io',
  'docs.digitalocean.com',
  'docs.icer.msu.edu',
  'docs.lambda.ai',
  'docs.lanrui.co',
  'docs.runpod.io',
  'docs.skypilot.co',
  'docs.vast.ai',
  'featurize.cn',
  'github.com',
  'gpushare.com',
  'hf-mirror.com',
  'kaggle.com',
  'kubernetes.io',
  'kubenatives.com',
  'bobcares.com',
  'jorijn.com',
  'oneuptime.com',
  'lambda.ai',
  'lanrui.co',
  'matpool.com',
  'medium.com',
  'osc.edu',
  'pytorch.org',
  'research.google.com',
  'runpod.io',
  'slurm.schedmd.com',
  'vast-ai.crisp.help',
  'vast.ai',
];

/** Where a source can be read, as "docs.runpod.io/pods/pricing" tells it; null: it names no page of a known host. */
export function sourceLink(source: string): string | null {
  const [, host = '', path = '', issue] =
    /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)(\/[^\s#?]*)?(?:#(\d+))?(?=\s|$)/.exec(source) ?? [];
  if (!SOURCE_HOSTS.includes(host)) return null;
  return `https://${host}${path === '' ? '/' : path}${issue === undefined ? '' : `/issues/${issue}`}`;
}

/** What to read again for a fact: its own source, or where only the list as a whole is known, that. */
export function sourcesOf(source: string, all: readonly string[]): readonly string[] {
  return source === 'sources' ? all : [source];
}
