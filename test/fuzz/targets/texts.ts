/**
 * Single values: decimals, whole numbers, UUIDs, languages, addresses of requests, attack patterns, stream
 * frames.
 */

import { LANGUAGES, pickLanguage } from '../../../src/contract/language.ts'
import {
  type ClientMessage,
  type MessageFault,
  parseClientFrame,
  shapeOfFrame,
} from '../../../src/contract/stream/stream.ts'
import type { Subscription } from '../../../src/contract/stream/stream-channels.ts'
import { isHeaderAttack, isPathAttack } from '../../../src/server/access/limits/waf.ts'
import { parseWholeNumber } from '../../../src/server/common/read.ts'
import { readHeaders } from '../../../src/server/http/request-headers.ts'
import { targetOf } from '../../../src/server/listener/target.ts'
import { DECIMAL_TEXT_MAX, fixedDecimal, parseDecimal, plainDecimal } from '../../../src/units/decimal.ts'
import { isUuidText, parseOrderUuid, parseTradeUuid, uuidOf } from '../../../src/units/ids.ts'
import { DECIMALS_MAX, type Decimals, UNITS_MAX } from '../../../src/units/quantities.ts'
import type { RandomSource } from '../../model/random-source.ts'
import { decimalUnits } from '../oracles/decimal.ts'
import { expectThat, type Target } from '../target.ts'

/**
 * `parseDecimal` and both inverse functions. The first character is the number of places, from `a` for none
 * to `s` for 18.
 */
export const decimal: Target<string> = {
  name: 'decimal',
  executions: 120_000,
  samples: [
    'c1.50',
    'i0.00000001',
    'a12',
    's1',
    'c1.500',
    'c1.501',
    'c.5',
    'c5.',
    'c1e5',
    'c-1',
    'c1,5',
    'c٣',
    `c${'9'.repeat(127)}`,
  ],
  generate: (random) =>
    `${letter(random)}${random.bits(80)}${random.once(3) ? '' : `.${random.bits(60)}${'0'.repeat(random.below(9))}`}`,
  tokens: ['.', '0', '00000000', '9007199254740993', '+', 'e1', '٣', '１'],
  check: checkDecimal,
  outcomes: ['read', 'MALFORMED', 'TOO_MANY_DECIMALS', 'TOO_LONG'],
}

function letter(random: RandomSource): string {
  return String.fromCharCode(97 + random.below(DECIMALS_MAX + 1))
}

function checkDecimal(input: string): string {
  const places = Math.max(0, Math.min(DECIMALS_MAX, input.charCodeAt(0) - 97 || 0)) as Decimals
  const text = input.slice(1)
  const units = parseDecimal(text, places)
  const expected = text.length > DECIMAL_TEXT_MAX ? 'TOO_LONG' : decimalUnits(text, places)
  expectThat(units === expected, () => `${units}, expected ${expected}`)
  if (typeof units !== 'bigint') return units
  for (const back of [
    fixedDecimal(units, places),
    plainDecimal(units, places),
    `-${plainDecimal(units, places)}`.slice(1),
  ]) {
    const isRead = back.length > DECIMAL_TEXT_MAX || parseDecimal(back, places) === units
    expectThat(isRead, () => `${units} is written ${back}`)
  }
  expectThat(
    fixedDecimal(-units, places) === (units === 0n ? '' : '-') + fixedDecimal(units, places),
    () => 'sign',
  )
  const plain = plainDecimal(units, places)
  expectThat(!/^0\d|\.$|\..*0$|e/i.test(plain), () => `${plain} is not plain`)
  return 'read'
}

/** `parseOrderUuid`, `parseTradeUuid`, `isUuidText`. */
export const uuid: Target<string> = {
  name: 'uuid',
  executions: 80_000,
  samples: [
    '01a0c450-6c7b-7100-8000-000000000001',
    '01A0C450-7063-7200-8000-000000000002',
    '',
    '00000000-0000-0000-0000-000000000000',
  ],
  generate: (random) => {
    const number = Number(random.bits(53)) as Parameters<typeof uuidOf>[1]
    const text = uuidOf(random.pick(['order', 'trade']), number, Number(random.bits(48)) as never)
    return random.once(2) ? text : text.toUpperCase()
  },
  tokens: ['-7100-80', '-7200-80', '1f', '0', 'ffffffffffff', '-'],
  check: checkUuid,
  outcomes: ['order', 'trade', 'other', 'none'],
}

function checkUuid(text: string): string {
  const [order, trade] = [parseOrderUuid(text), parseTradeUuid(text)]
  const parts = order ?? trade
  const isText =
    text.length === 36 &&
    [...text].every(
      (character, at) =>
        [8, 13, 18, 23].includes(at) === (character === '-') &&
        (character === '-' || '0123456789abcdefABCDEF'.includes(character)),
    )
  expectThat(isUuidText(text) === isText, () => `isUuidText says ${!isText}`)
  if (parts === undefined) return isText ? 'other' : 'none'
  expectThat(order === undefined || trade === undefined, () => 'is both an order and a trade')
  const kind = order === undefined ? 'trade' : 'order'
  expectThat(parts.number <= UNITS_MAX, () => `number ${parts.number}`)
  expectThat(
    uuidOf(kind, parts.number, parts.time) === text.toLowerCase(),
    () => 'is not written back the same',
  )
  return kind
}

/** `parseWholeNumber` with the bounds of `timestamp`, `size` and `recvWindow`. */
export const wholeNumber: Target<string> = {
  name: 'whole-number',
  executions: 60_000,
  samples: [
    '0',
    '1',
    '1000',
    '60000',
    '9007199254740991',
    '9007199254740992',
    '-1',
    '1.0',
    '1e3',
    ' 1',
    '٣',
    '00001',
  ],
  generate: (random) => `${random.bits(56)}`,
  tokens: ['0', '9', '+', '１', '\n'],
  check: (text) => {
    const isDigits =
      text.length > 0 &&
      text.length <= 16 &&
      [...text].every((digit) => digit.length === 1 && digit >= '0' && digit <= '9')
    const outcomes = [UNITS_MAX, 60_000, 1_000].map((max) => {
      const isIn = isDigits && BigInt(text) <= BigInt(max)
      const value = parseWholeNumber(text, 0, max)
      expectThat(
        isIn ? value !== undefined && BigInt(value) === BigInt(text) : value === undefined,
        () => `${value}`,
      )
      return isIn
    })
    return outcomes[0] ? 'number' : 'none'
  },
  outcomes: ['number', 'none'],
}

/** `pickLanguage`. */
export const language: Target<string> = {
  name: 'language',
  executions: 60_000,
  samples: [
    'tr',
    'en-US,en;q=0.9',
    'tr-TR,tr;q=0.9,en;q=0.8',
    'de',
    '*',
    'tr;q=0',
    'en;q=0.5, tr;q=0.501',
    ';;;,,,',
    'tr; Q=1',
  ],
  tokens: ['tr', 'en', ';q=', '0.5', '1.000', ',', 'tr-'],
  generate: languages,
  check: checkLanguage,
  outcomes: ['en', 'tr'],
}

function languages(random: RandomSource): string {
  const one = () => {
    const tag = random.pick(['tr', 'en', 'tr-TR', 'en-GB', 'de', '*', 'trx', 'TR', 'EN-us'])
    return (
      tag +
      random.pick(['', ';q=1', ';q=0', ';q=0.5', ';q=0.5', ';q=0.501', '; q=0.9', ';q=0.000', ';q=1.000'])
    )
  }
  return Array.from({ length: random.between(1, 5) }, one).join(random.pick([',', ', ']))
}

const LANGUAGE_LIST =
  /^(?:[a-z-]+|\*)(?:; ?q=(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?))?(?:, ?(?:[a-z-]+|\*)(?:; ?q=(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?))?)*$/i

/**
 * RFC 9110, 12.5.4, for well-formed lists: the highest weight wins, the earlier of equals; weight 0 means
 * unwanted.
 */
function expectedLanguage(header: string): string {
  const wanted = header.split(',').map((range) => {
    const [tag = '', quality] = range.trim().toLowerCase().split(/; ?q=/)
    return {
      language: LANGUAGES.find((language) => tag.split('-')[0] === language),
      weight: Number(quality ?? 1),
    }
  })
  const ours = wanted.filter(({ language, weight }) => language !== undefined && weight > 0)
  return ours.sort((a, b) => b.weight - a.weight)[0]?.language ?? 'en'
}

function checkLanguage(header: string): string {
  const picked = pickLanguage(header)
  expectThat(LANGUAGES.includes(picked), () => `picked ${picked}`)
  if (picked === 'tr')
    expectThat(/(?:^|,)\s*tr(?:-[^,]*)?\s*(?:;|,|$)/i.test(header), () => 'picked tr, which nobody asked for')
  if (header.length <= 200 && LANGUAGE_LIST.test(header)) {
    expectThat(picked === expectedLanguage(header), () => `${header}: picked ${picked}`)
  }
  return picked
}

/** `targetOf` against `URL`; the rest of the input is the path. */
export const requestTarget: Target<string> = {
  name: 'request-target',
  executions: 60_000,
  samples: ['/', '/api/v3/depth?symbol=BTC/USDT', '/a?b?c', '//x//y?', '/?', '/..;/%2e%2e/?a=/b//c'],
  tokens: ['?', '//', '/..', '/api/v3/order', '://', '@', '#'],
  check: (text) => {
    const target = targetOf(text.startsWith('/') ? text : `/${text}`)
    const whole = target.path + (text.includes('?') ? '?' : '') + target.query
    expectThat(
      whole === (text.startsWith('/') ? text : `/${text}`),
      () => `${target.path} and ${target.query}`,
    )
    let url: URL
    try {
      url = new URL(`http://127.0.0.1:8080/${text.replaceAll('#', '')}`)
    } catch {
      return 'no url'
    }
    const absolute = targetOf(url.href)
    expectThat(absolute.path === url.pathname, () => `path ${absolute.path}, expected ${url.pathname}`)
    expectThat(
      absolute.query === url.search.slice(1),
      () => `query ${absolute.query}, expected ${url.search}`,
    )
    return absolute.query === '' ? 'path' : 'query'
  },
  outcomes: ['path', 'query'],
}

/** `readHeaders` and the patterns of attacks: linear in the length of the text, for every text. */
export const headers: Target<string> = {
  name: 'headers',
  executions: 60_000,
  samples: [
    'x-apikey: abc',
    'Content-Type: text/plain\nAccept-Language: tr',
    'x-a: ../../etc',
    'x-a: $'.concat('{jndi:ldap://x}'),
    "x-a: ' or 1=1",
    `x-a: ${'union '.repeat(300)}`,
  ],
  tokens: [
    'union select',
    '() { :; };',
    '${',
    '..%2f',
    '%2e%2e/',
    '\u0001',
    '\t',
    "' or '1'='1",
    '<script',
    'x-signature: ',
  ],
  check: (text) => {
    isPathAttack(text)
    isHeaderAttack(text)
    const given = new Headers()
    for (const line of text.split('\n')) {
      const colon = line.indexOf(':')
      try {
        given.append(line.slice(0, colon), line.slice(colon + 1))
      } catch {
        // No header with that name or value can arrive.
      }
    }
    const seen = readHeaders(given)
    let bytes = 0
    for (const [name, value] of given) bytes += name.length + value.length
    expectThat(seen.bytes === bytes, () => `${seen.bytes} bytes, expected ${bytes}`)
    expectThat(
      seen.apiKey === given.get('x-apikey') && seen.signature === given.get('x-signature'),
      () => 'another key',
    )
    expectThat(seen.contentType === given.get('content-type'), () => 'another content type')
    const isAttack = [...given.values()].some((value) => isHeaderAttack(value))
    expectThat(seen.isAttack === isAttack, () => `attack: ${seen.isAttack}`)
    return isAttack ? 'attack' : 'harmless'
  },
  outcomes: ['attack', 'harmless'],
}

/** `parseClientFrame` against `JSON.parse`. */
export const streamFrame: Target<string> = {
  name: 'stream-frame',
  executions: 80_000,
  samples: [
    '[[[[[[[["too deep by one",[]]]]]]]]]',
    '["join","BTC/USDT"]',
    '["change_room","BTC/USDT","ETH/USDT"]',
    '["subscribe",{"channel":"book","symbol":"BTC/USDT"}]',
    '["subscribe",{"channel":"orders","since":12,"journal":"5a0f2c1e8d7b46939c1d4e5f60718293"}]',
    '["unsubscribe",{"channel":"balances"}]',
    '["unsubscribe",{"symbol":"","channel":"book"}]',
    '["subscribe",{"channel":"book","symbol":"BTC/USDT","levels":5}]',
    '["unsubscribe",{"channel":"book","symbol":"BTC/USDT","levels":"50","intervalMs":100}]',
    '["subscribe",{"channel":"book","symbol":"BTC/USDT","intervalMs":null}]',
    '["subscribe",{"channel":"trades","symbol":"BTC/USDT"}]',
    '["subscribe",{"channel":"bookTicker","symbol":"BTC/USDT"}]',
    '["subscribe",{"channel":"ticker","symbol":"BTC/USDT","intervalMs":"250"}]',
    '["subscribe",{"channel":"kline_1M","symbol":"BTC/USDT"}]',
    '["unsubscribe",{"channel":"kline_1D","symbol":"BTC/USDT","intervalMs":100}]',
    '["subscribe",{"channel":"book","symbol":1}]',
    '["subscribe",{"symbol":"BTC/USDT"}]',
    '["subscribe",{"channel":"book","symbol":"BTC/USDT","depth":5}]',
    '["subscribe",[]]',
    '["unsubscribe",{},{}]',
    '[]',
    '{}',
    '["join"]',
    '["join",1]',
    '"join"',
    '["join","x",[]]',
    'null',
    '[["join"]]',
    '[["join","BTC/USDT"],["login",{}],7]',
    '["login",{"apiKey":"k","timestamp":1,"signature":"s"}]',
    '["order.place","1",{"symbol":"BTC/USDT","quantity":0.1}]',
    '["order.cancel",7,{"id":"x"}]',
    '["order.cancel",1.5,{"id":"x"}]',
    '["order.cancel","",[]]',
  ],
  tokens: [
    '"login"',
    '"order.place"',
    '[["order.cancel",1,{}],',
    '"join"',
    '"change_room"',
    '"subscribe"',
    '"unsubscribe"',
    '"channel":"book"',
    '"symbol":"BTC/USDT"',
    '"levels":10',
    '"intervalMs":"1000"',
    ',',
    '[',
    ']',
    '{',
    '}',
    '"',
    '\\u0000',
    '{"a":',
    '1e999',
    '__proto__',
  ],
  check: checkStreamFrame,
  outcomes: [
    'join',
    'change_room',
    'subscribe',
    'unsubscribe',
    'follow',
    'unfollow',
    'login',
    'request',
    'several',
    'UNREADABLE_MESSAGE',
    'UNKNOWN_MESSAGE',
    'MESSAGE_TOO_LARGE',
    'MISSING_PARAMETER',
    'INVALID_PARAMETER',
  ],
}

function checkStreamFrame(text: string): string {
  const messages = parseClientFrame(text)
  const found = messages.map((message) => (message.kind === 'fault' ? message.reason : message.kind))
  if (shapeOfFrame(text).excess !== undefined) {
    expectThat(`${found}` === 'MESSAGE_TOO_LARGE', () => `${found} of a frame with too much`)
    return 'MESSAGE_TOO_LARGE'
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    expectThat(`${found}` === 'UNREADABLE_MESSAGE', () => 'broken JSON was read')
    return 'UNREADABLE_MESSAGE'
  }
  const values: readonly unknown[] = Array.isArray(value) && Array.isArray(value[0]) ? value : [value]
  const expected = values.map(meaningOf)
  expectThat(`${found}` === `${expected}`, () => `${found}, expected ${expected}`)
  for (const [at, message] of messages.entries()) checkMessage(message, values[at])
  return values.length === 1 ? (found[0] ?? '') : 'several'
}

function checkMessage(message: ClientMessage | MessageFault, value: unknown): void {
  if (message.kind === 'fault') return
  const [, first, second] = value as unknown[]
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
  if (message.kind === 'join') expectThat(message.symbol === first, () => message.symbol)
  else if (message.kind === 'change_room')
    expectThat(message.from === first && message.to === second, () => `${message.from} to ${message.to}`)
  else if (message.kind === 'login') expectThat(isSame(message.fields, first), () => 'other fields')
  else if (message.kind === 'request')
    expectThat(String(message.id) === JSON.stringify(first) && isSame(message.fields, second), () =>
      String(message.id),
    )
  else if ('subscription' in message)
    checkSubscription(message.subscription, first as Record<string, unknown>)
  else
    expectThat(
      isSame(message.fields, first) && isSame(message.channel, (first as { channel?: unknown }).channel),
      () => 'other fields',
    )
}

function checkSubscription({ symbol, topic }: Subscription, given: Record<string, unknown>): void {
  expectThat(symbol === given.symbol, () => symbol)
  for (const [name, option] of Object.entries(topic)) {
    const isAsked = option === undefined ? !(name in given) : String(given[name]) === String(option)
    expectThat(isAsked, () => `${name} ${option}`)
  }
}

/** docs/reference/stream.md#messages-from-the-client, docs/reference/stream-extensions.md#messages-from-the-client */
function meaningOf(value: unknown): string {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return 'UNREADABLE_MESSAGE'
  const [name, ...rest] = value as [string, ...unknown[]]
  if (name === 'join' || name === 'change_room') {
    const isRight =
      rest.length === (name === 'join' ? 1 : 2) && rest.every((argument) => typeof argument === 'string')
    return isRight ? name : 'UNKNOWN_MESSAGE'
  }
  if (name === 'login') return rest.length === 1 && isPlainObject(rest[0]) ? 'login' : 'UNKNOWN_MESSAGE'
  if (name.startsWith('order.')) {
    const [id, fields, ...more] = rest
    if (more.length > 0 || !isPlainObject(fields)) return 'UNKNOWN_MESSAGE'
    const isText = typeof id === 'string' && id.length >= 1 && id.length <= 64
    return isText || Number.isSafeInteger(id) ? 'request' : 'INVALID_PARAMETER'
  }
  const [asked] = rest
  if (!['subscribe', 'unsubscribe'].includes(name) || rest.length !== 1 || !isPlainObject(asked))
    return 'UNKNOWN_MESSAGE'
  const given = new Map<string, unknown>(Object.entries(asked))
  if (!given.has('channel')) return 'MISSING_PARAMETER'
  if (
    ['orders', 'fills', 'balances'].includes(String(given.get('channel'))) &&
    typeof given.get('channel') === 'string'
  )
    return name === 'subscribe' ? 'follow' : 'unfollow'
  const options = OPTIONS_BY_CHANNEL.get(given.get('channel'))
  if (options === undefined) return 'INVALID_PARAMETER'
  if (!given.has('symbol')) return 'MISSING_PARAMETER'
  given.delete('channel')
  const areRight = [...given].every(([option, chosen]) =>
    option === 'symbol' ? typeof chosen === 'string' : options.get(option)?.includes(String(chosen)),
  )
  return areRight ? name : 'INVALID_PARAMETER'
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const OPTIONS_BY_CHANNEL = new Map<unknown, ReadonlyMap<string, readonly string[]>>([
  [
    'book',
    new Map([
      ['levels', ['5', '10', '20', '50']],
      ['intervalMs', ['100', '250', '500', '1000']],
    ]),
  ],
  ['trades', new Map()],
  ['bookTicker', new Map()],
  ['status', new Map()],
  ...[
    'ticker',
    'kline_1s',
    'kline_1m',
    'kline_3m',
    'kline_5m',
    'kline_15m',
    'kline_30m',
    'kline_1h',
    'kline_2h',
    'kline_4h',
    'kline_6h',
    'kline_8h',
    'kline_12h',
    'kline_1d',
    'kline_3d',
    'kline_1w',
    'kline_1M',
  ].map((channel) => [channel, new Map([['intervalMs', ['100', '250', '500', '1000']]])] as const),
])
