import type { Box } from '../../shared/boxes/box.ts';
import { isKeyQuestion } from '../../shared/boxes/host-key.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { Link, type LinkOptions } from '../ssh/link.ts';
import type { BoxTelemetry } from '../telemetry/box-telemetry.ts';
import type { LinkFollower } from '../tunnels/tunnels.ts';
import type { FlavourWatch } from './flavour-watch.ts';

export interface BoxSessionOptions extends Pick<
  LinkOptions,
  'hostKeys' | 'gatherCredentials' | 'proxyPassword' | 'log' | 'onReceived'
> {
  readonly box: Box;
  readonly telemetry: Pick<BoxTelemetry, 'useConnection' | 'close'>;
  readonly tunnels: LinkFollower;
  readonly flavour: FlavourWatch;
  readonly onChange: (part: Partial<Omit<FleetEntry, 'box'>>) => void;
}

/** One box while it is in the list: its link, and the watches that live as long as the link is up. */
export interface BoxSession {
  readonly link: Link;
  readonly flavour: FlavourWatch;
  /** The box is reached another way from now on. */
  moveTo(box: Box): void;
  close(): void;
}

export function openBoxSession(options: BoxSessionOptions): BoxSession {
  const { box, telemetry, tunnels, flavour, onChange } = options;
  const { log, hostKeys, gatherCredentials, proxyPassword, onReceived } = options;
  const link: Link = new Link({
    box,
    hostKeys,
    gatherCredentials,
    proxyPassword,
    log,
    ...(onReceived !== undefined && { onReceived }),
    onChange: (state) => {
      const { connection } = link;
      tunnels.useConnection(connection);
      onChange({ link: state, crowding: null });
      connection?.watchCrowding((crowding) => onChange({ crowding }));
      // A key that must be judged may be that of another machine.
      if (isKeyQuestion(state)) flavour.forget();
      flavour.useConnection(connection);
      telemetry.useConnection(connection, state.kind);
    },
  });

  return {
    link,
    flavour,
    moveTo: (moved) => {
      flavour.moveTo(moved.address.host);
      link.moveTo(moved);
    },
    close: () => {
      flavour.close();
      telemetry.close();
      tunnels.close();
      link.disconnect();
    },
  };
}
