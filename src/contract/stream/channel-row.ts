/**
 * A channel of the stream as a row. The server's parser of subscriptions and the published files are derived
 * from it.
 */
import type { Permission } from '../../units/order-enums.ts'
import type { Shape } from '../../units/shapes/shape.ts'

export type ChannelRow = {
  /** The permission that a key needs; NONE means that no login is needed. */
  readonly security: 'NONE' | Permission
  /** Members of a subscription besides `channel`, all optional except `symbol`. */
  readonly takes: readonly string[]
  /** Weight of the whole state, counted for the address; 0 means that a subscription has no weight. */
  readonly weight: number
  readonly summary: string
  /** Its place in the reference, under docs/reference. */
  readonly page: string
  /** A message, with the whole state or a change. */
  readonly message: Shape
}
