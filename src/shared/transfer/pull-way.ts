/** What the bytes of a pull come over, and why. */
export interface PullWay {
  readonly over: 'openssh' | 'own';
  readonly because:
    | 'fast'
    /** Too little comes for a second log-in to be worth it. */
    | 'little'
    /** It answers late: one stream has too little on its way at a time, and several go at once. */
    | 'far'
    /** OpenSSH writes to the disk by itself, and keeps to no rate. */
    | 'limited'
    | 'not-possible'
    /** It was used, and did not go on. */
    | 'ended';
  /** Small files come compressed. */
  readonly packs?: true;
}

const OVER: Readonly<Record<PullWay['over'], string>> = {
  openssh: 'over OpenSSH',
  own: 'over Leasehold’s own connection',
};

const WHY: Readonly<Record<PullWay['because'], string>> = {
  fast: 'This computer’s ssh program decrypts faster, and writes to the disk by itself. It logs in with the same key and accepts only the host key that the connection has verified.',
  little:
    'There is too little to transfer to be worth a second log-in by this computer’s ssh program.',
  far: 'This computer’s ssh program decrypts faster. The box answers late, so several parts of a large file come at a time. It logs in with the same key and accepts only the host key that the connection has verified.',
  limited:
    'The rate is limited: this computer’s ssh program would write to the disk as fast as bytes come.',
  'not-possible':
    'This computer’s ssh program is missing, cannot log in to this box as the connection did, or the box prints something around its commands.',
  ended: 'This computer’s ssh program was used, but ended. What had arrived is kept.',
};

const PACKS = 'Small files come compressed: the connection is slow, and so they arrive faster.';

export const wayWords = ({ over, packs }: PullWay): string =>
  packs === true ? `${OVER[over]}, compressed` : OVER[over];

/** For whoever points at it. */
export const whyThisWay = ({ because, packs }: PullWay): string =>
  packs === true ? `${WHY[because]} ${PACKS}` : WHY[because];
