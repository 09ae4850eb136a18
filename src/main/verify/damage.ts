/** Why a file is not what its name says, in a clause. */
export class Damaged extends Error {}

/** Why a file that may be whole is not loaded, in a clause. */
export class NotLoadable extends Error {}

export const notUnpacked = (): Damaged =>
  new Damaged('what is compressed in it cannot be unpacked');
