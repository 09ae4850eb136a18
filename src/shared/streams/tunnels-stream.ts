import type { TunnelRow } from '../tunnels/tunnel.ts';
import type { StreamKind } from './stream.ts';

/** A box's tunnels, in the order in which they were added. */
export interface TunnelsState {
  readonly rows: readonly TunnelRow[];
}

export type TunnelsDelta =
  | { readonly kind: 'put'; readonly row: TunnelRow }
  | {
      readonly kind: 'change';
      readonly tunnelId: string;
      readonly part: Partial<Omit<TunnelRow, 'tunnel'>>;
    }
  | { readonly kind: 'remove'; readonly tunnelId: string };

export const NO_TUNNELS: TunnelsState = { rows: [] };

export const tunnelsStream: StreamKind<TunnelsState, TunnelsDelta> = {
  apply(state, delta) {
    if (delta.kind === 'remove') {
      return { rows: state.rows.filter(({ tunnel }) => tunnel.id !== delta.tunnelId) };
    }
    const id = delta.kind === 'put' ? delta.row.tunnel.id : delta.tunnelId;
    const old = state.rows.find(({ tunnel }) => tunnel.id === id);
    const row = delta.kind === 'put' ? delta.row : old && { ...old, ...delta.part };
    // A change of a tunnel that was removed meanwhile says nothing any more.
    if (row === undefined) return state;
    if (old === undefined) return { rows: [...state.rows, row] };
    return { rows: state.rows.map((each) => (each === old ? row : each)) };
  },
};
