import type { Told } from '../../shared/teardown/provider-account.ts';

export interface ProviderAsking {
  /** SECURITY: takes secrets out of what a call failed with. */
  readonly redact: (text: string) => string;
  /** How long it may take. A call that hangs is one whose answer is lost. */
  readonly forMs: number;
  readonly signal?: AbortSignal;
}

/** Asks somebody foreign, who may break off, never answer, or hear no signal. */
export async function askProvider<T>(
  { redact, forMs, signal }: ProviderAsking,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<Told<T>> {
  // Not `AbortSignal.any`: the oldest Electron that this runs on knows none.
  const late = new AbortController();
  const end = (): void => late.abort();
  const timer = setTimeout(end, forMs);
  signal?.addEventListener('abort', end);
  if (signal?.aborted === true) end();
  try {
    return { kind: 'told', value: await Promise.race([ask(late.signal), aborted(late.signal)]) };
  } catch (cause) {
    const says = late.signal.aborted ? NOTHING : foreignWords(describeCause(cause), redact);
    return { kind: 'silent', says };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** What is foreign goes into the evidence and the window: bounded, and without secrets. */
export const foreignWords = (foreign: string, redact: ProviderAsking['redact']): string =>
  redact(foreign).slice(0, MOST_CHARS);

const NOTHING = 'nothing came back.';
const MOST_CHARS = 400;

const describeCause = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);

/** Never resolves: rejects when the signal is over. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(new Error(NOTHING));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
