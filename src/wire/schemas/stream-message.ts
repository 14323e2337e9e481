/** What is said of a message of the stream, in one row of a table. */
import type { z } from 'zod'

export type MessageRow = {
  /** What the document calls it. */
  readonly id: string
  readonly from: 'client' | 'server'
  /** Its first element; of candles `kline_<interval>`. */
  readonly name: string
  readonly summary: string
  /** Where it is described, under docs/reference. */
  readonly page: string
  /** The whole array. */
  readonly schema: z.ZodType
  /** Of a request: the id of the message that answers it. */
  readonly answer?: string
}
