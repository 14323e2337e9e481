/** Requests that all fail: the order to their process (`request-flood-process.ts`), and its report. */

export type FloodOrder = {
  readonly port: number
  /**
   * `SIGN_IN`: each for a different email address, from a different network. `NOTHING`: to a path without an
   * endpoint.
   */
  readonly kind: 'SIGN_IN' | 'NOTHING'
  readonly perSecond: number
  readonly milliseconds: number
}

export type Flooded = {
  readonly perSecond: number
  /** Answers by status and reason. */
  readonly answers: Readonly<Record<string, number>>
}
