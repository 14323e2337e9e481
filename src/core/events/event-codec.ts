/**
 * Events as bytes, sent from the engine's thread to read models, and to gateways over the link. They are
 * never journaled: the format may change with the link's version.
 */
import { kindCodec } from '../../units/shapes/kind-codec.ts'
import { EVENT_ROWS } from './event.ts'

/**
 * `write` appends an event; a value without a form is an `InvariantError`. `read` reads one; any other bytes
 * are a `BytesFault` that names the position.
 */
export const { write: writeEvent, read: readEvent } = kindCodec(EVENT_ROWS, 'event')
