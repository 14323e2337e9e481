/** One request to the public server, with the data available before authorization. */
import type { TimeMs } from '../../units/quantities.ts'
import type { AddressUse } from '../access/limits/address-limits.ts'
import type { Target } from '../listener/target.ts'
import type { RequestHeaders } from './request-headers.ts'

export type RequestContext = {
  readonly request: Request
  readonly headers: Readonly<RequestHeaders>
  readonly target: Target
  /** The other end of the connection: the client's, or a proxy's. */
  readonly peer: { readonly address: string; readonly port: number } | null
  readonly address: string
  readonly limitKey: string
  readonly use: AddressUse
  readonly now: TimeMs
  readonly requestId: string
}
