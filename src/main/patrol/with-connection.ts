import type { LinkState } from '../../shared/boxes/box.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { Link, type LinkOptions } from '../ssh/link.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

/** One try of a link, for an action, without anybody to ask: what would need a person is a problem. */
export async function withConnection<T>(
  options: Omit<LinkOptions, 'onChange'>,
  timeoutMs: number,
  action: (connection: SshConnection) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  let settle: (found: Result<SshConnection, Problem>) => void = () => undefined;
  const settled = new Promise<Result<SshConnection, Problem>>((resolve) => {
    settle = resolve;
  });
  const link: Link = new Link({
    ...options,
    onChange: (state) => {
      const because = whyNot(state);
      if (link.connection !== null) settle(ok(link.connection));
      else if (because !== null) settle(err(because));
    },
  });
  const timer = setTimeout(() => {
    settle(err(problem('connect-timeout', `${options.box.name} did not answer in time.`)));
  }, timeoutMs);
  try {
    link.connect();
    const connected = await settled;
    return connected.ok ? await action(connected.value) : connected;
  } finally {
    clearTimeout(timer);
    link.disconnect();
  }
}

function whyNot(state: LinkState): Problem | null {
  switch (state.kind) {
    case 'idle':
    case 'connecting':
    case 'up':
      return null;
    case 'waiting':
    case 'down':
      return state.problem;
    case 'host-key-unknown':
      return problem('host-key-unknown', 'The host key of this box is not known yet.');
    default:
      return problem(
        'host-key-changed',
        'The host key of this box is not the one that is trusted.',
      );
  }
}
