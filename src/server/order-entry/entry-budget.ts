/** State shared by the conversations of one connection. */
/** State shared by all conversations of a connection. */
export class EntryBudget {
  /** Requests without an answer ... */
  requests = 0
  /** ... and most of them. */
  readonly requestsMax: number

  constructor(requestsMax: number) {
    this.requestsMax = requestsMax
  }
}
