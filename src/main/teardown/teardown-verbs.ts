import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { endVerbs } from '../../shared/teardown/end-verb.ts';
import type { GatePass } from '../../shared/teardown/gate.ts';
import type { ProfileBook } from '../profiles/profile-book.ts';

/** The calls of a platform that end a box or stop its meter. SECURITY: each asks for a pass, which only the open gate gives out. */
export interface TeardownVerbs {
  /** What can be done to this box, by its names on its platform. */
  readonly names: (boxId: string) => readonly string[];
  /** Sets it going, once; what has become of it is found out by looking. */
  readonly act: (boxId: string, pass: GatePass) => Promise<Result<null, Problem>>;
}

/** Where no provider is linked the person does it, in the console of their platform: what is set going here is that they may. */
export class VerbsByHand implements TeardownVerbs {
  readonly #platformOf: (boxId: string) => string | null;
  readonly #profileOf: ProfileBook['profileOf'];

  constructor(platformOf: (boxId: string) => string | null, profileOf: ProfileBook['profileOf']) {
    this.#platformOf = platformOf;
    this.#profileOf = profileOf;
  }

  names(boxId: string): readonly string[] {
    const platform = this.#platformOf(boxId);
    const profile = platform === null ? null : this.#profileOf(platform);
    return profile === null ? [] : endVerbs(profile).map(({ verb }) => verb);
  }

  act(boxId: string, pass: GatePass): Promise<Result<null, Problem>> {
    const isKnown = this.names(boxId).includes(pass.act.verb);
    return Promise.resolve(
      isKnown && pass.take()
        ? ok(null)
        : err(
            problem('teardown-refused', 'That was done already, or is no verb of this platform.'),
          ),
    );
  }
}
