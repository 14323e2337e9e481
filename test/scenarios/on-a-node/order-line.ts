/**
 * An order in a trader's words, as the parameters of the interface:
 *
 *     ann sells 5 at 102                        a LIMIT order
 *     ann sells 5 at 102, maker                 LIMIT_MAKER
 *     ann sells 5 at market                     MARKET by quantity; `ann buys at market for 300` by total, or both
 *     ann sells 5 at market, stop 95            STOP_LOSS; with a price STOP_LOSS_LIMIT; `take 105` is TAKE_PROFIT
 *     ann sells 5 at 102, showing 2             an iceberg order
 *     ann sells 5 at 102, for 2000 ms           good till date
 *
 * FOK, IOC and the self-trade modes are words of their own; `name=value` is a parameter as it is written.
 */
import { SELF_TRADE_MODES } from '../../../src/units/order-enums.ts'
import type { Fields } from '../../acceptance/support/client.ts'

const LINE =
  /^(?<who>\w+) (?<verb>buys|sells)(?: (?<quantity>-?[\d.]+))?(?: at (?<price>market|-?[\d.]+))?(?: for (?<total>[\d.]+))?(?<more>(?:, .+)?)$/

export type OrderLine = { readonly who: string; readonly fields: Fields }

/** Undefined if the line is not an order. `nowMs` is the base of relative end times. */
export function parseOrder(line: string, nowMs: number): OrderLine | undefined {
  const found = LINE.exec(line)?.groups
  if (found === undefined) return undefined
  const { who = '', verb, quantity, price, total, more = '' } = found
  const words = more.split(', ').filter((word) => word !== '')
  const limit = price === undefined || price === 'market' ? undefined : price
  const fields: Record<string, string | number> = {
    symbol: 'BTC/USDT',
    side: verb === 'buys' ? 'BUY' : 'SELL',
    type: limit === undefined ? 'MARKET' : 'LIMIT',
    ...(quantity === undefined ? {} : { quantity }),
    ...(limit === undefined ? {} : { price: limit }),
    ...(total === undefined ? {} : { total }),
  }
  for (const word of words) Object.assign(fields, meantBy(word, limit !== undefined, nowMs))
  return { who, fields }
}

function meantBy(word: string, hasLimit: boolean, nowMs: number): Fields {
  const [name = '', value = ''] = word.split(/[ =]/)
  if (word.includes('=')) return { [name]: value }
  if (name === 'stop') return { type: hasLimit ? 'STOP_LOSS_LIMIT' : 'STOP_LOSS', stopPrice: value }
  if (name === 'take') return { type: hasLimit ? 'TAKE_PROFIT_LIMIT' : 'TAKE_PROFIT', stopPrice: value }
  if (name === 'showing') return { icebergQty: value }
  if (name === 'for') return { timeInForce: 'GTD', expireTime: nowMs + Number(value) }
  if (word === 'maker') return { type: 'LIMIT_MAKER' }
  if (word === 'FOK' || word === 'IOC') return { timeInForce: word }
  if (SELF_TRADE_MODES.some((mode) => mode === word)) return { selfTradePreventionMode: word }
  throw new Error(`no word of an order: ${word}`)
}
