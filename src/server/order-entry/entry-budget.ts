/** State shared by the conversations of one connection. */
/** State shared by all conversations of a connection. */
export class EntryBudget {
  /** The number of requests without an answer ... */
  requests = 0
  /** ... and its maximum. */
  readonly requestsMax: number

  constructor(requestsMax: number) {
    this.requestsMax = requestsMax
  }
}
