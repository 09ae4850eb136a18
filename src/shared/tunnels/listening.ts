/** A port of the box on which something listens. */
export interface ListeningPort {
  readonly port: number;
  /** Null: the box does not show whose it is. Hostile. */
  readonly program: string | null;
  /** Where a program on the box itself reaches it: it need not listen at 127.0.0.1. */
  readonly host: string;
}

export interface ListeningPorts {
  /** By their numbers; null: the box does not tell. */
  readonly ports: readonly ListeningPort[] | null;
  /** The box has more than were told. */
  readonly isCut: boolean;
  /** Lines that could not be read. */
  readonly unreadable: number;
}
