/** What the conversations of one connection have together. */
/** What all conversations of a connection share. */
export class EntryBudget {
  /** Requests without an answer ... */
  requests = 0
  /** ... and most of them. */
  readonly requestsMax: number

  constructor(requestsMax: number) {
    this.requestsMax = requestsMax
  }
}
