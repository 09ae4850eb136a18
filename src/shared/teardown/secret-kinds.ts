/** What a file is by its name, and why it matters that it goes. */
export interface SecretKind {
  readonly id: string;
  readonly title: string;
  /** What whoever finds it can do. */
  readonly why: string;
  /** Where programs keep it in a home folder; `*` stands for anything within one name. */
  readonly places: readonly string[];
  /** What such files are called elsewhere. These may be something else. */
  readonly names: readonly string[];
}

/** In the order in which they are shown. A name counts for the first that has it. */
export const SECRET_KINDS = [
  {
    id: 'ssh-key',
    title: 'SSH private key',
    why: 'Whoever has it can log in wherever its public half is trusted, and push to your repositories.',
    places: ['.ssh/id_*', '.ssh/*.pem', '.ssh/*_key', '.ssh/*_rsa', '.ssh/*_ed25519'],
    names: ['id_rsa', 'id_ed25519', 'id_ecdsa', 'id_dsa', '*.pem', '*.ppk'],
  },
  {
    id: 'netrc',
    title: 'Log-ins of command-line tools (netrc)',
    why: 'Holds passwords and keys by host: wandb and git keep theirs here.',
    places: ['.netrc'],
    names: ['.netrc'],
  },
  {
    id: 'git',
    title: 'Git credentials',
    why: 'Lets anybody read and push to what your account may.',
    places: [
      ...['.git-credentials', '.config/git/credentials', '.config/gh/hosts.yml'],
      ...['.config/glab-cli/config.yml', '.config/hub'],
    ],
    names: ['.git-credentials'],
  },
  {
    id: 'hugging-face',
    title: 'Hugging Face token',
    why: 'Opens your private models and data sets, and may upload in your name.',
    places: [
      ...['.cache/huggingface/token', '.cache/huggingface/stored_tokens', '.huggingface/token'],
    ],
    names: [],
  },
  {
    id: 'wandb',
    title: 'Weights & Biases settings',
    why: 'May hold the key to your account and all its runs.',
    places: ['.config/wandb/settings'],
    names: [],
  },
  {
    id: 'kaggle',
    title: 'Kaggle key',
    why: 'Lets anybody act as you on Kaggle.',
    places: ['.kaggle/kaggle.json', '.kaggle/access_token', '.config/kaggle/kaggle.json'],
    names: ['kaggle.json'],
  },
  {
    id: 'cloud',
    title: 'Cloud account',
    why: 'Opens your storage, and can rent machines at your cost.',
    places: [
      ...['.aws/credentials', '.aws/sso/cache/*.json', '.aws/cli/cache/*.json', '.boto', '.s3cfg'],
      ...['.config/gcloud/application_default_credentials.json', '.config/gcloud/credentials.db'],
      ...['.config/gcloud/access_tokens.db', '.azure/msal_token_cache.*', '.oci/oci_api_key.pem'],
      ...['.config/vastai/vast_api_key', '.vast_api_key', '.runpod/config.toml'],
    ],
    names: ['service[-_]account*.json', 'client_secret*.json', 'credentials.json'],
  },
  {
    id: 'rclone',
    title: 'rclone remotes',
    why: 'Opens every storage that rclone was set up for; what looks encrypted in it is only veiled.',
    places: ['.config/rclone/rclone.conf', '.rclone.conf'],
    names: ['rclone.conf'],
  },
  {
    id: 'registry',
    title: 'Registry log-in',
    why: 'Lets anybody pull your private images and packages, and publish in your name.',
    places: [
      ...['.docker/config.json', '.config/containers/auth.json', '.pypirc', '.npmrc'],
      '.cargo/credentials.toml',
    ],
    names: ['.pypirc'],
  },
  {
    id: 'cluster',
    title: 'Cluster or database log-in',
    why: 'Opens what the cluster or the database holds.',
    places: ['.kube/config', '.pgpass', '.my.cnf'],
    names: ['kubeconfig', '.pgpass'],
  },
  {
    id: 'jupyter',
    title: 'Jupyter password or token',
    why: 'Whoever has it can run anything in your notebook servers while they are up.',
    places: [
      ...['.jupyter/jupyter_*_config.json', '.jupyter/jupyter_*_config.py'],
      ...['.local/share/jupyter/runtime/*server-*.json'],
      '.local/share/jupyter/runtime/jupyter_cookie_secret',
    ],
    names: [],
  },
  {
    id: 'history',
    title: 'History of a shell',
    why: 'Holds each command as it was typed, with every key in it. A shell that is open now writes it again when it ends.',
    places: [
      ...['.bash_history', '.zsh_history', '.ash_history', '.sh_history', '.histfile'],
      ...['.local/share/fish/fish_history', '.python_history', '.node_repl_history'],
      ...['.ipython/profile_*/history.sqlite', '.psql_history', '.mysql_history'],
    ],
    names: ['.bash_history', '.zsh_history', '.python_history'],
  },
  {
    id: 'env-file',
    title: 'Environment file',
    why: 'Is where projects keep their keys.',
    places: ['.env', '.envrc', '.config/environment.d/*.conf'],
    names: ['.env', '.env.*', '*.env', '.envrc'],
  },
  {
    id: 'token-file',
    title: 'Token or key, by its name',
    why: 'Files of this name mostly hold a key. Leasehold has not read it.',
    places: ['*_token', '*_api_key', '.*_token', '.*_api_key', '.*_key'],
    names: [
      ...['*.token', '*_token.txt', 'token.txt', '*api_key*.txt', 'api_key', '*_api_key'],
      ...['secrets.toml', 'secrets.yaml', 'secrets.yml', 'secrets.json', '.secrets'],
    ],
  },
] as const satisfies readonly SecretKind[];

export type SecretKindId = (typeof SECRET_KINDS)[number]['id'];

const EVERY_KIND: readonly (SecretKind & { readonly id: SecretKindId })[] = SECRET_KINDS;

/** What Leasehold has sent there itself. */
const SENT: Pick<SecretKind, 'title' | 'why'> = {
  title: 'Sent by Leasehold',
  why: 'You sent it to this box yourself.',
};

export const secretWords = (id: SecretKindId | 'sent'): Pick<SecretKind, 'title' | 'why'> =>
  EVERY_KIND.find((kind) => kind.id === id) ?? SENT;

export const isSecretKind = (id: string): id is SecretKindId =>
  EVERY_KIND.some((kind) => kind.id === id);

/** Halves of keys that everybody may have, and what is only there to be copied. */
const HARMLESS = /\.pub$|(?:^|[-_.])(?:example|sample|template|dist|defaults?)$/i;
/** Everybody may have it, unless its key is called by the same name: `ca-key.pem`. */
const CERTIFICATE = /^(?!.*key).*(?:cert|chain|bundle|\bca)[^/]*\.pem$/is;

export const isHarmless = (name: string): boolean => HARMLESS.test(name) || CERTIFICATE.test(name);

/** What a file of this name is; null: nothing that is looked for. */
export function kindByName(name: string): SecretKindId | null {
  return EVERY_KIND.find(({ names }) => names.some((glob) => isLike(glob, name)))?.id ?? null;
}

/** As a shell would match it, of the few patterns above. */
function isLike(glob: string, name: string): boolean {
  const pattern = glob.replace(/[.$^+(){}|\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${pattern}$`, 's').test(name);
}

/** What secrets-find.sh is asked for on its stdin, besides the folders. */
export const secretLines = (): readonly string[] => [
  ...EVERY_KIND.flatMap(({ id, places }) => places.map((place) => `place ${id} ${place}`)),
  ...[...new Set(EVERY_KIND.flatMap(({ names }) => names))].map((name) => `name ${name}`),
];
