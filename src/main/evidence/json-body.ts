/** What the body of an entry says; null: nothing that Leasehold writes. */
export function jsonBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
