import { hostname, userInfo } from 'node:os';

/** Who is logged in to this computer, and which it is, for whoever reads a receipt later. */
export function whoApproves(): string {
  try {
    return `${userInfo().username} on ${hostname()}`;
  } catch {
    // An account without an entry in the system's list of users has no name.
    return `somebody on ${hostname()}`;
  }
}
