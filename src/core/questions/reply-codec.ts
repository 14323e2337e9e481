/**
 * Replies as bytes, sent from the engine's thread to the thread that submitted the command. A reply does not
 * contain the command that it answers; the surrounding message does.
 */
import { kindCodec } from '../../units/shapes/kind-codec.ts'
import { object } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import { ACCEPTANCE, LIST_ACCEPTANCE, REPLY_ROWS } from './reply.ts'

/**
 * `write` throws an `InvariantError` for a value without a form. `read` throws a `BytesFault` that names the
 * position if there is no valid reply.
 */
export const { write: writeReply, read: readReply } = kindCodec(REPLY_ROWS, 'reply')

/** The part of an acceptance that is remembered under a client order id: a snapshot contains these bytes. */
export const { write: writeAcceptance, read: readAcceptance } = byteCodec(object(ACCEPTANCE))
export const { write: writeListAcceptance, read: readListAcceptance } = byteCodec(object(LIST_ACCEPTANCE))
