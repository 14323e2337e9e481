/**
 * Form bodies, query strings, percent-decoding, content types, and the parameters of a new order.
 */
import { isUtf8 } from 'node:buffer'
import { MIMEType } from 'node:util'
import { PARAMETERS_MAX, Parameters } from '../../../src/server/common/parameters.ts'
import { Refusal } from '../../../src/server/common/refusal.ts'
import { addForm, formText } from '../../../src/server/http/form.ts'
import { untaken } from '../../../src/server/trading/fields.ts'
import { checkNewOrderName, readNewOrder } from '../../../src/server/trading/order-parameters.ts'
import { DECIMAL_TEXT_MAX } from '../../../src/units/decimal.ts'
import type { AccountId } from '../../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../../src/units/limits.ts'
import { isStopType } from '../../../src/units/order-enums.ts'
import { UNITS_MAX } from '../../../src/units/quantities.ts'
import type { RandomSource } from '../../model/random-source.ts'
import { syntheticSymbol } from '../../support/synthetic-market.ts'
import { decimalUnits } from '../oracles/decimal.ts'
import { decodedFormText } from '../oracles/form.ts'
import { expectThat, type Target } from '../target.ts'

const ORDER = 'symbol=BTC%2FUSDT&side=BUY&type=LIMIT&quantity=0.01&price=60000&timestamp=1767225600000'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** `addForm` against `URLSearchParams` and against a decoder of our own. */
export const form: Target<string> = {
  name: 'form',
  executions: 40_000,
  samples: [
    ORDER,
    '',
    '&',
    'a',
    'a=',
    '=b',
    'a=1&a=2',
    'a=b=c',
    `${'x=1&'.repeat(70)}`,
    'k%C4%9F=%F0%9F%98%80+%2B',
  ],
  tokens: [
    '=',
    '&',
    '%',
    '%2F',
    '%00',
    'symbol=',
    '&side=SELL',
    Array.from({ length: 66 }, (_, i) => `&p${i}=`).join(''),
  ],
  check: checkForm,
  outcomes: ['read', 'repeated', 'MALFORMED', 'TOO_MANY'],
}

function checkForm(text: string): string {
  const parameters = new Parameters()
  const fault = addForm(parameters, text)
  const pairs = text
    .split('&')
    .filter((piece) => piece !== '')
    .map(pairOf)
  if (fault === 'MALFORMED') {
    expectThat(
      pairs.some((pair) => pair.includes(undefined)),
      () => 'a sound form was called MALFORMED',
    )
    return fault
  }
  const names = new Set(pairs.map(([name]) => name))
  if (fault === 'TOO_MANY') {
    expectThat(names.size > PARAMETERS_MAX, () => `${names.size} names were called TOO_MANY`)
    return fault
  }
  expectThat(
    names.size <= PARAMETERS_MAX && !pairs.some((pair) => pair.includes(undefined)),
    () => 'a broken form was read',
  )
  const counts = new Map<string, number>()
  for (const [name, value] of new URLSearchParams(`?${text}`)) {
    const times = (counts.get(name) ?? 0) + 1
    counts.set(name, times)
    if (times === 1)
      expectThat(parameters.get(name) === value, () => `${name}: ${parameters.get(name)}, expected ${value}`)
  }
  const repeated = [...counts].filter(([name, times]) => times > 1 && name !== '').map(([name]) => name)
  expectThat(
    [...parameters.names()].join() === [...counts.keys()].join() &&
      repeated.every((name) => parameters.isRepeated(name)),
    () => 'names or repetitions differ from those of URLSearchParams',
  )
  const first = parameters.firstRepeated()
  expectThat(
    (first === undefined) === (repeated.length === 0),
    () => `first repeated name ${first}, expected ${repeated}`,
  )
  return repeated.length > 0 ? 'repeated' : 'read'
}

function pairOf(piece: string): [string | undefined, string | undefined] {
  const equals = piece.indexOf('=')
  const [name, value] = equals < 0 ? [piece, ''] : [piece.slice(0, equals), piece.slice(equals + 1)]
  return [decodedFormText(name), decodedFormText(value)]
}

/** `formText`: the first byte is the length of the content type, which follows, then the body. */
export const body: Target<Uint8Array> = {
  name: 'body',
  executions: 60_000,
  samples: [
    FORM_TYPE,
    `${FORM_TYPE}; charset=UTF-8`,
    'application/json',
    'multipart/form-data; boundary=x',
    '',
  ].map((type) => packed(type, `${ORDER}&ğ=😀`)),
  tokens: [
    Buffer.from(FORM_TYPE),
    Buffer.from('; charset=utf-8'),
    Buffer.from('😀'),
    Uint8Array.of(0xed, 0xa0, 0x80),
  ],
  check: checkBody,
  outcomes: ['text', 'UNSUPPORTED_CONTENT_TYPE', 'UNREADABLE_BODY'],
}

function packed(type: string, text: string): Uint8Array {
  return new Uint8Array(Buffer.concat([Uint8Array.of(type.length), Buffer.from(type), Buffer.from(text)]))
}

function checkBody(bytes: Uint8Array): string {
  const length = bytes[0] ?? 0
  const type = Buffer.from(bytes.subarray(1, 1 + length)).toString('latin1')
  const content = bytes.subarray(1 + length)
  const text = formText(content, type)
  if (text instanceof Refusal) {
    const isForm = essenceOf(type) === FORM_TYPE
    const isRight = text.reason === 'UNREADABLE_BODY' ? !isUtf8(content) : !isForm
    expectThat(isRight, () => `refused with ${text.reason}`)
    return text.reason
  }
  expectThat(Buffer.from(text).equals(content), () => 'the text is not the body')
  const essence = essenceOf(type)
  expectThat(essence === undefined || essence === FORM_TYPE, () => `accepted the content type ${type}`)
  return 'text'
}

function essenceOf(type: string): string | undefined {
  try {
    return new MIMEType(type).essence
  } catch {
    return undefined
  }
}

/** 8 decimals of quantity, 2 of price, 8 of each ledger, like BTC/USDT of the sandbox. */
const SYMBOL = syntheticSymbol(0, 'BTC/USDT')
const OWNER = { accountId: 1 as AccountId, sessionNumber: undefined }

/** `checkNewOrderName` and `readNewOrder`. */
export const newOrder: Target<string> = {
  name: 'new-order',
  executions: 80_000,
  samples: [
    ORDER,
    'side=SELL&type=MARKET&quantity=1&total=0.01',
    'side=BUY&type=MARKET&total=12.5',
    `${ORDER}&total=600`,
  ],
  generate: orderForm,
  tokens: [
    '&price=',
    '&total=',
    '&quantity=',
    '9007199254740991',
    '90071992547409.91',
    '&stopPrice=1',
    '&icebergQty=1',
    '&Price=1',
    '0.000000001',
  ],
  check: checkNewOrder,
  outcomes: [
    'LIMIT',
    'LIMIT_MAKER',
    'MARKET',
    'MISSING_PARAMETER',
    'INVALID_PARAMETER',
    'TOO_MANY_DECIMALS',
    'VALUE_TOO_LARGE',
    'PRICE_NOT_ALLOWED',
    'PARAMETER_NOT_TAKEN',
    'UNSUPPORTED_PARAMETER',
    'UNSUPPORTED_VALUE',
    'MISSPELLED_PARAMETER',
    'DUPLICATE_PARAMETER',
  ],
}

/** Every combination of fields, with figures around their limits. */
function orderForm(random: RandomSource): string {
  const figures = [
    '1',
    '0',
    '0.01',
    '0.00000001',
    '0.000000001',
    '90071992.54740991',
    '90071992547409.91',
    '1e5',
    '-1',
    '007',
    '1.10',
    '340282366920938463463374607431',
  ]
  const choices: readonly [string, readonly string[]][] = [
    ['side', ['BUY', 'SELL', 'buy', '']],
    ['type', ['LIMIT', 'MARKET', 'LIMIT', 'MARKET', 'LIMIT_MAKER', 'STOP_LOSS', 'limit']],
    ['price', figures],
    ['quantity', figures],
    ['total', figures],
    ['timeInForce', ['GTC', 'IOC', 'FOK', 'GTD', 'ioc']],
    ['selfTradePreventionMode', ['NONE', 'DECREMENT', 'TRANSFER', 'EXPIRE_BOTH']],
    [random.pick(['strategyId', 'Price', 'other', 'STOPPRICE']), ['1']],
    ['icebergQty', figures],
  ]
  const wanted = [14, 14, 10, 12, 6, 3, 3, 1, 2]
  const given = choices.filter((_, index) => random.below(15) < (wanted[index] as number))
  return given.map(([name, values]) => `${name}=${random.pick(values)}`).join('&')
}

function checkNewOrder(text: string): string {
  const parameters = new Parameters()
  if (addForm(parameters, text) !== undefined) return 'no form'
  const order =
    untaken(parameters, { checkName: checkNewOrderName }) ?? readNewOrder(parameters, SYMBOL, OWNER)
  if (order instanceof Refusal) return order.reason
  const { type, side, price, quantity, total, timeInForce, icebergQuantity } = order
  const isUnits = (value: number | undefined) =>
    value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= UNITS_MAX)
  expectThat(
    isUnits(price) && isUnits(quantity) && isUnits(icebergQuantity),
    () => `price ${price} or quantity ${quantity} is out of range`,
  )
  expectThat(
    total === undefined || (total >= 0n && total <= AMOUNT_MAX),
    () => `total ${total} is out of range`,
  )
  const hasTime = timeInForce !== undefined
  const isMarket = type === 'MARKET' || type === 'STOP_LOSS' || type === 'TAKE_PROFIT'
  expectThat(
    hasTime === (!isMarket && type !== 'LIMIT_MAKER'),
    () => `a ${type} order with the time in force ${timeInForce}`,
  )
  expectThat(
    isStopType(type) === (order.stopPrice !== undefined),
    () => `a ${type} order waits for ${order.stopPrice}`,
  )
  if (!isMarket)
    expectThat(price !== undefined && quantity !== undefined, () => `a ${type} order lacks a figure`)
  else {
    const needed = side === 'BUY' ? total : quantity
    expectThat(price === undefined && needed !== undefined, () => `a ${type} order is not one`)
  }
  for (const [name, units, places] of [
    ['price', price, SYMBOL.quoteFraction],
    ['quantity', quantity, SYMBOL.baseFraction],
  ] as const) {
    const said = parameters.get(name)
    if (units === undefined || said === undefined) continue
    expectThat(
      said.length <= DECIMAL_TEXT_MAX && decimalUnits(said, places) === BigInt(units),
      () => `${name} ${said} became ${units}`,
    )
  }
  return type
}
