import type { Box } from '../../shared/boxes/box.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { Link, type LinkOptions } from '../ssh/link.ts';
import type { BoxTelemetry } from '../telemetry/box-telemetry.ts';
import type { LinkFollower } from '../tunnels/tunnels.ts';

export interface BoxSessionOptions extends Pick<
  LinkOptions,
  'hostKeys' | 'gatherCredentials' | 'proxyPassword' | 'log'
> {
  readonly box: Box;
  readonly telemetry: Pick<BoxTelemetry, 'useConnection' | 'close'>;
  readonly tunnels: LinkFollower;
  readonly onChange: (part: Partial<Omit<FleetEntry, 'box'>>) => void;
}

/** One box while it is in the list: its link, and the watches that live as long as the link is up. */
export interface BoxSession {
  readonly link: Link;
  close(): void;
}

export function openBoxSession(options: BoxSessionOptions): BoxSession {
  const { box, telemetry, tunnels, log, hostKeys, gatherCredentials, proxyPassword, onChange } =
    options;
  const link: Link = new Link({
    box,
    hostKeys,
    gatherCredentials,
    proxyPassword,
    log,
    onChange: (state) => {
      const { connection } = link;
      tunnels.useConnection(connection);
      onChange({ link: state, crowding: null });
      connection?.watchCrowding((crowding) => onChange({ crowding }));
      telemetry.useConnection(connection, state.kind);
    },
  });

  return {
    link,
    close: () => {
      telemetry.close();
      tunnels.close();
      link.disconnect();
    },
  };
}
