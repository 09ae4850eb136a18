/** What a provider says of a machine when it is asked. Only together with a silent address does it say that a machine is gone. */
export interface ProviderSaid {
  /** Who says so, by the name that people know it by. */
  readonly provider: string;
  readonly kind:
    | 'running'
    | 'stopping'
    /** It is off, and whatever the platform keeps of a machine that is off is kept. */
    | 'stopped'
    | 'gone'
    /** It has never heard of such a machine, or has forgotten it. */
    | 'unheard'
    /** Nothing came back, or nothing that could be read. */
    | 'silent';
  /** In its own words. Hostile. */
  readonly says: string;
  readonly atMs: number;
}

/** What a provider answered to an order. None of it says that anything has ended: that is found out by looking. */
export interface OrderAnswer {
  readonly provider: string;
  readonly kind:
    | 'accepted'
    | 'refused'
    /** Whether it arrived is not known. It is never sent again. */
    | 'lost';
  /** In its own words. Hostile. */
  readonly says: string;
  readonly atMs: number;
}

/** What came of setting an end going. `by-hand`: nobody is linked who could be told, so the person does it themselves. */
export type ActAnswer = { readonly kind: 'by-hand' } | OrderAnswer;

/** What a provider said on the way to the end of a machine. */
export type ProviderLine = ProviderSaid | OrderAnswer;
