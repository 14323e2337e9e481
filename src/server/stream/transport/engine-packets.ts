/**
 * Filter for packets of the Socket.IO transport, before its decoder parses them (Engine.IO protocol 4 around
 * Socket.IO protocol 5: `4`, a type, attachments, a namespace, the number of an acknowledgement, JSON). The
 * decoder parses everything it gets, and rounds numbers that double precision cannot hold.
 */
import { wholeNumber } from '../../../contract/expectations.ts'
import { faultOfShape, type MessageFault, shapeOfFrame, UNREADABLE } from '../../../contract/stream/stream.ts'

/** Engine.IO's packet type of everything that is Socket.IO's. */
const MESSAGE = '4'

/**
 * Type, attachments, namespace, number of the acknowledgement; then JSON or the end. The decoder would
 * interpret other texts in its own way.
 */
const HEAD = /^4[0-6](?:\d{1,2}-)?(?:(\/[^,"[\]{}]*)(?:,|$))?(\d*)(?=[[{"]|$)/

const NUMBER_FAULT: MessageFault = {
  kind: 'fault',
  reason: 'INVALID_PARAMETER',
  name: 'acknowledgement',
  expected: wholeNumber(0, Number.MAX_SAFE_INTEGER),
}

/** The reason why the decoder must not get a packet, and the namespace of the packet. */
export type PacketFault = {
  readonly fault: MessageFault
  /** `/` if the packet names none. */
  readonly namespace: string
}

/** Whether a packet is for the decoder. */
export function isMessage(packet: string): boolean {
  return packet.startsWith(MESSAGE)
}

/** The prefix of the event packets of a namespace: type 2, then namespace and comma. */
export function prefixOf(namespace: string): string {
  return namespace === '/' ? '2' : `2${namespace},`
}

/** The fault of a packet; undefined if the decoder may get it. */
export function faultOfPacket(packet: string): PacketFault | undefined {
  const head = HEAD.exec(packet)
  if (head === null) return { fault: UNREADABLE, namespace: '/' }
  const [{ length }, namespace = '/', number] = head
  const fault = Number.isSafeInteger(Number(number))
    ? faultOfShape(shapeOfFrame(packet, length))
    : NUMBER_FAULT
  return fault && { fault, namespace }
}
