import type { Box } from '../../shared/boxes/box.ts';
import type { Route } from '../../shared/boxes/route.ts';
import { DIRECT, USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { ok } from '../../shared/result.ts';
import type { Log } from '../log/log.ts';
import { sessionHostKeys } from '../known-hosts/session-host-keys.ts';
import { Link, type LinkOptions } from './link.ts';
import { watchStates } from './link-states.fixture.ts';
import type { TestSshd } from './sshd.fixture.ts';

const silent = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Log;

export interface TrustingLinkOptions extends Partial<Pick<LinkOptions, 'gatherCredentials'>> {
  /** The box. */
  readonly sshd: TestSshd;
  /** Where it is dialled: a test proxy's port. */
  readonly port?: number;
  readonly route?: Route;
  /** What is on the way, besides the box. */
  readonly gates?: readonly TestSshd[];
  readonly onChange?: LinkOptions['onChange'];
}

/** A link to a server of the test that answers yes to every host key on the way. */
export function trustingLink({
  sshd,
  port = sshd.port,
  route = DIRECT,
  gates = [],
  onChange = () => undefined,
  ...more
}: TrustingLinkOptions) {
  const states = watchStates();
  const box: Box = {
    ...USUAL_WAY,
    id: 'b1',
    name: 'train-a',
    platform: 'generic-ssh',
    address: { host: '127.0.0.1', port, user: sshd.user },
    route,
    tags: [],
    addedAtMs: 0,
  };
  const keys = [sshd, ...gates].map(
    ({ privateKey }) => ({ kind: 'key', privateKey }) as const,
  ) as unknown as readonly [{ kind: 'key'; privateKey: string }];
  const link: Link = new Link({
    box,
    hostKeys: sessionHostKeys(),
    proxyPassword: () => ok(null),
    log: silent,
    gatherCredentials: () => Promise.resolve(ok(keys)),
    ...more,
    onChange: (state) => {
      states.onChange(state);
      onChange(state);
      if (state.kind === 'host-key-unknown') {
        queueMicrotask(() => link.trustHostKey(state.offered.fingerprint));
      }
    },
  });
  return {
    link,
    box,
    states,
    connect: async (): Promise<void> => {
      const up = states.next('up');
      link.connect();
      await up;
    },
  };
}
