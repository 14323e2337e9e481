/** A file of a page, as it is served. */

export type PageFile = {
  /** Path under which it is served: `/`, `/assets/page-1a2b3c.js`. */
  readonly path: string
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Files below it have a hash of their content in their names. */
export const ASSETS = '/assets/'
