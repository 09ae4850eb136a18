/** A Jupyter server of a box as the window may know it: everything but its token. */
export interface JupyterListing {
  readonly port: number;
  readonly folder: string | null;
}

/** How a service was opened. A Jupyter's token is copied only for the system browser, which asks for it. */
export interface OpenedService {
  readonly isTokenCopied: boolean;
}
