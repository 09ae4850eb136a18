/** Something that a person can put right: shown as it is, without a stack. Anything else that is thrown is a bug of ours. */
export class Refusal extends Error {}

/** What this machine or this user cannot have, as opposed to what went wrong: tests that need it are skipped. */
export class Unavailable extends Refusal {}

/** What any thrown value says about itself, causes included: "fetch failed: getaddrinfo ENOTFOUND …". */
export function describeError(/** @type {unknown} */ thrown) {
  const parts = [];
  for (let error = thrown; error instanceof Error; error = error.cause) parts.push(error.message);
  return parts.length > 0 ? parts.join(': ') : String(thrown);
}
