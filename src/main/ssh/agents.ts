import { existsSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import ssh2, { type BaseAgent, type ParsedKey } from 'ssh2';
import { agentSigner, type Signer } from './signer.ts';

/** Where Windows' own OpenSSH agent listens. */
export const OPENSSH_PIPE = String.raw`\\.\pipe\openssh-ssh-agent`;
/** ssh2's name for PuTTY's agent. */
const PAGEANT = 'pageant';

/** An agent answers at once, unless it waits for a person at its own window; the keys are listed without one. */
const LIST_TIMEOUT_MS = 5000;
const MAX_LABEL = 60;

export interface AgentKeys {
  readonly signers: readonly Signer[];
  /** Why there are none, for the person; null when it answered. */
  readonly failure: string | null;
}

/** The agent to ask: the one that is named, on Windows else the OpenSSH pipe where it is there, else Pageant. */
export function selectAgent(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  hasPipe: (path: string) => boolean = existsSync,
): string | null {
  const named = env['SSH_AUTH_SOCK'];
  if (named !== undefined && named !== '') return named;
  if (platform !== 'win32') return null;
  return hasPipe(OPENSSH_PIPE) ? OPENSSH_PIPE : PAGEANT;
}

/** The keys that an agent holds. One that is gone, silent or empty is no failure of the log-in: it is said and passed. */
export function listAgentKeys(socket: string): Promise<AgentKeys> {
  return new Promise((resolve) => {
    const agent: BaseAgent<ParsedKey> = ssh2.createAgent(socket) as BaseAgent<ParsedKey>;
    const hangUp = holdConversation(agent);
    const timer = setTimeout(() => {
      resolve({ signers: [], failure: 'the SSH agent did not answer in time' });
      hangUp();
    }, LIST_TIMEOUT_MS);
    agent.getIdentities((cause, keys) => {
      clearTimeout(timer);
      if (!Array.isArray(keys)) {
        const failure = `the SSH agent could not be asked (${causeText(cause)})`;
        resolve({ signers: [], failure });
        return;
      }
      const signers = (keys as readonly ParsedKey[]).map((key) =>
        agentSigner(agent, key, agentLabel(key)),
      );
      resolve({ signers, failure: null });
    });
  });
}

/** ssh2 waits without end for an agent that takes the question and says nothing. Returns how to end that. */
function holdConversation(agent: BaseAgent<ParsedKey>): () => void {
  const getStream = agent.getStream?.bind(agent);
  let held: Duplex | null = null;
  let isOver = false;
  agent.getStream = (take) =>
    getStream?.((cause, stream) => {
      held = stream ?? null;
      if (isOver) held?.destroy();
      take(cause, stream);
    });
  return () => {
    isOver = true;
    held?.destroy();
  };
}

function agentLabel({ comment }: ParsedKey): string {
  const name = comment.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').slice(0, MAX_LABEL);
  return name === '' ? 'a key in the agent' : `${name} in the agent`;
}

function causeText(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'no answer';
}
