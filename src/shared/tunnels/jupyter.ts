/** A Jupyter server of a box as the window may know it: everything but its token. */
export interface JupyterListing {
  readonly port: number;
  readonly folder: string | null;
}
