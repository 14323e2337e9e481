/**
 * Messages with shared counts between gateways and the main process, as JSON in dedicated frames of a link.
 * Both ends run the same program: a message of another form is a fault of the link.
 */

import { z } from 'zod'
import type { AddressCounts } from '../../server/access/limits/address-limits.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
import { BytesFault } from '../../units/bytes.ts'

const NUMBER = z.number()
const COUNT = z.int().nonnegative()
const TIME = z.int()

/** An address and its additional use: weight, answers with 429, malformed requests. */
const ADDRESS_COUNTS = z.tuple([z.string(), COUNT, COUNT, COUNT])
/** An address, the end of its ban, and the length of the ban. */
const BAN = z.tuple([z.string(), TIME, COUNT])
/** An address, and the number of further stream connections that it has opened. */
const ADDRESS_OPENINGS = z.tuple([z.string(), COUNT])
const COUNTED = {
  minute: z.int(),
  addresses: z.array(ADDRESS_COUNTS),
  bans: z.array(BAN),
  /**
   * Counts of addresses that are also in `addresses`; a process of an earlier version does not send this
   * field, and ignores it.
   */
  openings: z.array(ADDRESS_OPENINGS).optional(),
}

const NONCE_USE = z.object({
  apiKey: z.string(),
  accountId: COUNT,
  nonce: z.string(),
  /** An engine of an earlier version ignores it: then a signature is accepted only once, like a nonce. */
  opens: z.string().optional(),
  timestamp: NUMBER,
  acceptableUntil: NUMBER,
  now: TIME,
})

const HISTOGRAM = z.object({ counts: z.array(NUMBER), sum: NUMBER })

/** An account, a time, and the number of its orders in each window of that time. */
const ORDER_SUMS = z.tuple([COUNT, TIME, z.array(COUNT)])

/** Counters of a gateway since its process began. */
const METERS = z.object({
  requests: NUMBER,
  underWay: NUMBER,
  refusals: z.array(z.tuple([z.string(), NUMBER])),
  secondsByEndpoint: z.array(z.tuple([z.string(), HISTOGRAM])),
  stream: z.object({
    connections: NUMBER,
    rooms: NUMBER,
    fallenBehind: NUMBER,
    closedBehind: NUMBER,
    cutsByCause: z.record(z.string(), NUMBER),
    pendingBytes: NUMBER,
  }),
  cpuSeconds: NUMBER,
  residentBytes: NUMBER,
  loopLag: HISTOGRAM,
  /** A gateway of an earlier version does not send this field. */
  descriptors: z
    .object({
      ...{ used: COUNT, max: COUNT, connections: COUNT, isClosed: z.boolean(), closed: COUNT },
      cutByCause: z.record(z.string(), COUNT),
    })
    .optional(),
})

/** A session's key: its name, its account, the public key in hexadecimal digits, its remaining lifetime. */
const SESSION_KEY = z.tuple([
  z.string(),
  COUNT,
  z.string().regex(/^(?:[0-9a-f]{64}|04[0-9a-f]{128})$/),
  NUMBER,
])

const FROM_GATEWAY = z.discriminatedUnion('kind', [
  /** Its read models are complete, and it serves clients. */
  z.object({ kind: z.literal('serving') }),
  z.object({
    kind: z.literal('report'),
    ...COUNTED,
    keys: z.array(z.tuple([z.string(), TIME])),
    /**
     * Order counts reported by the previous leader; a gateway of an earlier version does not send them, and
     * an engine of an earlier version ignores them.
     */
    orders: z.array(ORDER_SUMS).optional(),
  }),
  z.object({ kind: z.literal('nonce'), request: COUNT, use: NONCE_USE }),
  /** An order that was counted at that time was not placed. */
  z.object({ kind: z.literal('giveBack'), accountId: COUNT, at: TIME }),
  z.object({ kind: z.literal('meters'), meters: METERS }),
  /** The message of this number about session keys has been applied. */
  z.object({ kind: z.literal('sessionKeysTaken'), number: COUNT }),
])

const TO_GATEWAY = z.discriminatedUnion('kind', [
  /** Sent first on each link: the counts of all gateways in this minute. */
  z.object({ kind: z.literal('totals'), ...COUNTED }),
  /** Counts of the other gateways since then. */
  z.object({ kind: z.literal('counts'), ...COUNTED }),
  z.object({ kind: z.literal('lifted'), address: z.string() }),
  z.object({
    kind: z.literal('nonce'),
    request: COUNT,
    verdict: z.discriminatedUnion('kind', [
      z.object({ kind: z.enum(['FRESH', 'REPEATED', 'FULL']) }),
      z.object({ kind: z.literal('EXPIRED'), serverTime: NUMBER }),
      z.object({ kind: z.literal('UNKNOWABLE'), after: NUMBER }),
    ]),
  }),
  /** Number of orders of accounts in each window. */
  z.object({ kind: z.literal('orders'), sums: z.array(ORDER_SUMS) }),
  /** Keys of customers' sessions that began or ended, or a page of all of them. */
  z.object({
    kind: z.literal('sessionKeys'),
    number: COUNT,
    place: z.enum(['FIRST', 'MORE', 'LAST']).optional(),
    keys: z.array(SESSION_KEY),
    ended: z.array(z.string()),
    /** Customers' keys with their addresses; the list of a key in `ended` is dropped. */
    lists: z.array(z.tuple([z.string(), z.array(z.string())])).optional(),
  }),
])

export type SessionKeyForm = z.infer<typeof SESSION_KEY>
export type GatewayMeters = z.infer<typeof METERS>
export type HistogramState = z.infer<typeof HISTOGRAM>
export type Counted = {
  readonly minute: number
  readonly addresses: z.infer<typeof ADDRESS_COUNTS>[]
  readonly bans: z.infer<typeof BAN>[]
  readonly openings?: z.infer<typeof ADDRESS_OPENINGS>[] | undefined
}
export type OrderSums = z.infer<typeof ORDER_SUMS>
export type FromGateway = z.infer<typeof FROM_GATEWAY>
export type ToGateway = z.infer<typeof TO_GATEWAY>

/** Encodes the use by addresses in the form of a message. */
export function formOf(
  uses: Iterable<readonly [address: string, counts: AddressCounts]>,
): Pick<Counted, 'addresses' | 'openings'> {
  const addresses: Counted['addresses'] = []
  const openings: [string, number][] = []
  for (const [address, counts] of uses) {
    addresses.push([address, counts.weight, counts.refusals, counts.malformed])
    if (counts.openings > 0) openings.push([address, counts.openings])
  }
  return openings.length === 0 ? { addresses } : { addresses, openings }
}

/** Decodes the usage of addresses. */
export function usesIn({
  addresses,
  openings = [],
}: Pick<Counted, 'addresses' | 'openings'>): (readonly [address: string, counts: AddressCounts])[] {
  const openingsByAddress = new Map(openings)
  return addresses.map(([address, weight, refusals, malformed]) => [
    address,
    { weight, refusals, malformed, openings: openingsByAddress.get(address) ?? 0 },
  ])
}

const ENCODER = new TextEncoder()
const DECODER = new TextDecoder()

export function encodeCount(message: FromGateway | ToGateway): Uint8Array {
  return ENCODER.encode(JSON.stringify(message))
}

/** Throws `BytesFault`. */
export function readFromGateway(bytes: Uint8Array): FromGateway {
  return read(FROM_GATEWAY, bytes)
}

/** Throws `BytesFault`. */
export function readToGateway(bytes: Uint8Array): ToGateway {
  return read(TO_GATEWAY, bytes)
}

function read<Message>(form: z.ZodType<Message>, bytes: Uint8Array): Message {
  let value: unknown
  try {
    value = parseJson(DECODER.decode(bytes), DOCUMENT_JSON)
  } catch (cause) {
    throw new BytesFault(`expected a message of counts as JSON: ${String(cause)}`)
  }
  const found = form.safeParse(value)
  if (found.success) return found.data
  throw new BytesFault(`expected a message of counts: ${found.error.message}`)
}
