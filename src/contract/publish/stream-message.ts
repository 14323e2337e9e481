/** The description of a stream message, in one row of a table. */
import type { z } from 'zod'

export type MessageRow = {
  /** Its name in the document. */
  readonly id: string
  readonly from: 'client' | 'server'
  /** Its first element; for candles `kline_<interval>`. */
  readonly name: string
  readonly summary: string
  /** The page that describes it, under docs/reference. */
  readonly page: string
  /** The whole array. */
  readonly schema: z.ZodType
  /** For a request: the id of the message that answers it. */
  readonly answer?: string
}
