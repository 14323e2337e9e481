/**
 * What a packet of the Socket.IO transport may hold, decided before its decoder parses it (Engine.IO protocol 4 around Socket.IO protocol 5: `4`, a
 * type, attachments, a namespace, the number of an acknowledgement, JSON). The decoder parses whatever it is given, and reads a number that double
 * precision cannot hold as another one.
 */
import { wholeNumber } from '../../../wire/expectations.ts'
import { faultOfShape, type MessageFault, shapeOfFrame, UNREADABLE } from '../../../wire/stream.ts'

/** Engine.IO's packet type of everything that is Socket.IO's. */
const MESSAGE = '4'

/** Type, attachments, namespace, number of the acknowledgement; then JSON or the end. Other texts the decoder would read in ways of its own. */
const HEAD = /^4[0-6](?:\d{1,2}-)?(?:(\/[^,"[\]{}]*)(?:,|$))?(\d*)(?=[[{"]|$)/

const NUMBER_FAULT: MessageFault = {
  kind: 'fault',
  reason: 'INVALID_PARAMETER',
  name: 'acknowledgement',
  expected: wholeNumber(0, Number.MAX_SAFE_INTEGER),
}

/** Why the decoder may not have a packet, and whose it was. */
export type PacketFault = {
  readonly fault: MessageFault
  /** `/` where it names none. */
  readonly namespace: string
}

/** Whether a packet is for the decoder. */
export function isMessage(packet: string): boolean {
  return packet.startsWith(MESSAGE)
}

/** What the event packets of a namespace begin with: type 2, then namespace and comma. */
export function prefixOf(namespace: string): string {
  return namespace === '/' ? '2' : `2${namespace},`
}

/** Of a packet for the decoder; undefined: it may have it. */
export function faultOfPacket(packet: string): PacketFault | undefined {
  const head = HEAD.exec(packet)
  if (head === null) return { fault: UNREADABLE, namespace: '/' }
  const [{ length }, namespace = '/', number] = head
  const fault = Number.isSafeInteger(Number(number))
    ? faultOfShape(shapeOfFrame(packet, length))
    : NUMBER_FAULT
  return fault && { fault, namespace }
}
