/** Messages between gateways and the engine about their common counts, in the link's frames for them. */
import * as fc from 'fast-check'
import {
  encodeCount,
  type FromGateway,
  readFromGateway,
  readToGateway,
  type ToGateway,
} from '../../../src/app/gateways/count-messages.ts'

/** The kind states the sender and the message. */
export type CountMessage = { readonly kind: string; readonly message: FromGateway | ToGateway }

type Of<Message extends { readonly kind: string }> = {
  readonly [Kind in Message['kind']]: fc.Arbitrary<Extract<Message, { readonly kind: Kind }>>
}

const count = fc.nat(2 ** 40)
const time = fc.nat(2 ** 41)
const figure = fc.oneof(count, fc.constantFrom(0.5, -1))
const text = fc.constantFrom('192.0.2.7', '2001:db8::1', 'a key')
const few = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 2 })
const counted = {
  minute: time,
  addresses: few(fc.tuple(text, count, count, count)),
  bans: few(fc.tuple(text, time, count)),
}
const openings = few(fc.tuple(text, count))
const orders = few(fc.tuple(count, time, few(count)))
const kind = <Word extends string>(word: Word) => fc.constant(word)
const histogram = fc.record({ counts: few(figure), sum: figure })
const byCause = fc.dictionary(fc.constant('SLOW'), figure)
const meters = fc.record(
  {
    ...{ requests: figure, underWay: figure, refusals: few(fc.tuple(text, figure)) },
    secondsByEndpoint: few(fc.tuple(fc.constant('GET /depth'), histogram)),
    stream: fc.record({
      ...{ connections: figure, rooms: figure, fallenBehind: figure, closedBehind: figure },
      ...{ cutsByCause: byCause, pendingBytes: figure },
    }),
    ...{ cpuSeconds: figure, residentBytes: figure, loopLag: histogram },
    descriptors: fc.record({
      ...{ used: count, max: count, connections: count, isClosed: fc.boolean(), closed: count },
      cutByCause: fc.dictionary(fc.constant('IDLE'), count),
    }),
  },
  {
    requiredKeys: [
      ...(['requests', 'underWay', 'refusals', 'secondsByEndpoint', 'stream'] as const),
      ...(['cpuSeconds', 'residentBytes', 'loopLag'] as const),
    ],
  },
)

const FROM_GATEWAY: Of<FromGateway> = {
  serving: fc.record({ kind: kind('serving') }),
  report: fc.record(
    { kind: kind('report'), ...counted, openings, keys: few(fc.tuple(text, time)), orders },
    { requiredKeys: ['kind', 'minute', 'addresses', 'bans', 'keys'] },
  ),
  nonce: fc.record({
    kind: kind('nonce'),
    request: count,
    use: fc.record({
      ...{ apiKey: text, accountId: count, nonce: text },
      ...{ timestamp: figure, acceptableUntil: figure, now: time },
    }),
  }),
  giveBack: fc.record({ kind: kind('giveBack'), accountId: count, at: time }),
  meters: fc.record({ kind: kind('meters'), meters }),
  sessionKeysTaken: fc.record({ kind: kind('sessionKeysTaken'), number: count }),
}

function counts<Word extends string>(word: Word) {
  return fc.record(
    { kind: kind(word), ...counted, openings },
    { requiredKeys: ['kind', 'minute', 'addresses', 'bans'] },
  )
}

const TO_GATEWAY: Of<ToGateway> = {
  totals: counts('totals'),
  counts: counts('counts'),
  lifted: fc.record({ kind: kind('lifted'), address: text }),
  nonce: fc.record({
    kind: kind('nonce'),
    request: count,
    verdict: fc.oneof(
      fc.record({ kind: fc.constantFrom('FRESH' as const, 'REPEATED' as const, 'FULL' as const) }),
      fc.record({ kind: kind('EXPIRED'), serverTime: figure }),
      fc.record({ kind: kind('UNKNOWABLE'), after: figure }),
    ),
  }),
  orders: fc.record({ kind: kind('orders'), sums: orders }),
  sessionKeys: fc.record(
    {
      ...{ kind: kind('sessionKeys'), number: count },
      place: fc.constantFrom('FIRST' as const, 'MORE' as const, 'LAST' as const),
      keys: few(fc.tuple(text, count, fc.constant('0f'.repeat(32)), figure)),
      ended: few(text),
      lists: few(fc.tuple(text, few(text))),
    },
    { requiredKeys: ['kind', 'number', 'keys', 'ended'] },
  ),
}

/** The byte before each message, which is its sender. */
const [FROM, TO] = [0, 1]

export const COUNT_MESSAGES: Readonly<Record<string, fc.Arbitrary<CountMessage>>> = {
  ...named(FROM, FROM_GATEWAY),
  ...named(TO, TO_GATEWAY),
}

function named(sender: number, messages: Readonly<Record<string, fc.Arbitrary<FromGateway | ToGateway>>>) {
  return Object.fromEntries(
    Object.entries(messages).map(([kind, each]) => {
      const name = nameOf(sender, { kind })
      return [name, each.map((message) => ({ kind: name, message }))]
    }),
  )
}

function nameOf(sender: number, { kind }: { readonly kind: string }): string {
  return `${sender === FROM ? 'from' : 'to'} gateway: ${kind}`
}

/** The message, with its members in the order of its form. */
export function writeCountMessage({ kind, message }: CountMessage): Uint8Array {
  const isFrom = kind.startsWith('from')
  const formed = (isFrom ? readFromGateway : readToGateway)(encodeCount(message))
  return Uint8Array.of(isFrom ? FROM : TO, ...encodeCount(formed))
}

export function readCountMessage(bytes: Uint8Array): CountMessage {
  const sender = bytes[0] === FROM ? FROM : TO
  const message = sender === FROM ? readFromGateway(bytes.slice(1)) : readToGateway(bytes.slice(1))
  return { kind: nameOf(sender, message), message }
}
