/** What posts on the box. */
export type PushTool = 'curl' | 'wget';

/** What came of one post from a box. */
export interface PostOutcome {
  readonly tool: PushTool;
  /** The HTTP status; null: no answer came. */
  readonly status: number | null;
  /** Of the tool: why there is no answer. */
  readonly exitCode: number;
}

/** Reads "<status> <exit code>". Null: it is nothing like that. */
export function readPost(tool: PushTool, status: string, exitCode: string): PostOutcome | null {
  if (!/^\d{3}$/.test(status) || !/^\d{1,3}$/.test(exitCode)) return null;
  return { tool, status: status === '000' ? null : Number(status), exitCode: Number(exitCode) };
}

export function isDelivered({ status }: PostOutcome): boolean {
  return status !== null && status >= 200 && status < 300;
}

const NAME = 'the box could not find out where that host is: it has no name service, or no way out';
const CONNECT = 'the box could not connect to it: it may have no way out to the internet';
const LATE = 'no answer came in time';
const TLS = 'the encrypted connection failed';
const CERTIFICATE = 'its certificate is not trusted on the box';

/** Exit codes as the manuals of both tools have them; 137: ended by our own time limit. */
const REASONS: Readonly<Record<PushTool, Readonly<Record<number, string>>>> = {
  curl: { 5: NAME, 6: NAME, 7: CONNECT, 28: LATE, 35: TLS, 60: CERTIFICATE, 77: CERTIFICATE },
  wget: {
    4: `${CONNECT}, or no name service`,
    5: `${TLS}, or its certificate is not trusted on the box`,
    124: LATE,
    137: LATE,
  },
};

/** In words, as the end of a sentence. */
export function postWords(outcome: PostOutcome): string {
  const { tool, status, exitCode } = outcome;
  if (status === null) {
    return (
      REASONS[tool][exitCode] ?? `${tool} ended with ${String(exitCode)} and without an answer`
    );
  }
  const answered = `HTTP ${String(status)}`;
  if (isDelivered(outcome)) return `accepted with ${answered}`;
  if (status >= 300 && status < 400) {
    return `answered with ${answered}: it leads elsewhere, and that is not followed`;
  }
  switch (status) {
    case 401:
    case 403:
      return `refused with ${answered}: the access token is missing or not the right one`;
    case 404:
    case 410:
      return `answered with ${answered}: nothing takes messages at this address`;
    case 407:
      return `answered with ${answered}: a proxy on the way wants a password`;
    case 429:
      return `refused with ${answered}: too many messages`;
    default:
      return `answered with ${answered}`;
  }
}
