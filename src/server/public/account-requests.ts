/** Requests that are forwarded to the customers' process, and their cost. */
import { ACCOUNT_ROOT } from '../../contract/customers/row.ts'

/** Weight of a request under `/account`: each may sign, hash or write. */
export const ACCOUNT_WEIGHT = 10

export type AccountRequest = {
  readonly request: Request
  /** Without the query. */
  readonly path: string
  /** Undefined if it has none. */
  readonly body: Uint8Array | undefined
  /** The client's address. */
  readonly address: string
}

/** The customers' process. It always answers. */
export type AccountService = {
  answer(asked: AccountRequest): Promise<Response>
}

export function isOfAccounts(path: string): boolean {
  return path.startsWith(ACCOUNT_ROOT)
}
