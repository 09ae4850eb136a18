/** A Jupyter server of a box as the window may know it: everything but its token. */
export interface JupyterListing {
  readonly port: number;
  readonly folder: string | null;
}

/** How it was opened. A token is copied only for the system browser, which asks for it. */
export interface OpenedJupyter {
  readonly isTokenCopied: boolean;
}
