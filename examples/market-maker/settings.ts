/** The command line of the market maker. */
import { parseArgs } from 'node:util'
import { Decimal } from 'bourse-client'
import type { QuoteSettings } from './quotes.ts'

export type Settings = QuoteSettings & {
  readonly symbol: string
  /** A quote that differs by less than this fraction of the price stays. */
  readonly tolerance: Decimal
  /**
   * Target holdings of the base asset: the position is the difference from this target. Undefined for the
   * holdings at the start.
   */
  readonly target: Decimal | undefined
  /** The reference price while the market has none. */
  readonly price: Decimal | undefined
  /** Prefix of the maker's order ids: two makers of one account need two names. */
  readonly name: string
  readonly recvWindowMs: number
  readonly countdownMs: number
  readonly graceMs: number
}

const USAGE = `A market maker. BOURSE_URL, BOURSE_KEY and BOURSE_SECRET give the address and the key.

usage: market-maker.ts [--symbol BTC/USDT] [--quantity 0.01] [--half-spread 0.001] [--skew 0.01] [--limit 0.1] [--tolerance 0.0001]
                       [--target N] [--price N] [--name maker] [--recv-window 2000] [--countdown 30000] [--grace 10000]`

const text = (value: string) => ({ type: 'string', default: value }) as const
const OPTIONS = {
  symbol: text('BTC/USDT'),
  quantity: text('0.01'),
  'half-spread': text('0.001'),
  skew: text('0.01'),
  limit: text('0.1'),
  tolerance: text('0.0001'),
  target: { type: 'string' },
  price: { type: 'string' },
  name: text('maker'),
  'recv-window': text('2000'),
  countdown: text('30000'),
  grace: text('10000'),
  help: { type: 'boolean' },
} as const

/** The settings; or a text with the error, or the help. */
export function readSettings(args: string[]): Settings | string {
  try {
    const { values } = parseArgs({ args, options: OPTIONS })
    if (values.help) return USAGE
    const optional = (value: string | undefined) => (value === undefined ? undefined : Decimal.from(value))
    return {
      symbol: values.symbol,
      quantity: above('quantity', values.quantity),
      halfSpread: above('half-spread', values['half-spread']),
      skew: Decimal.from(values.skew),
      limit: above('limit', values.limit),
      tolerance: Decimal.from(values.tolerance),
      target: optional(values.target),
      price: optional(values.price),
      name: /^[\w.]{1,12}$/.test(values.name) ? values.name : wrong('name', '1 to 12 letters and digits'),
      recvWindowMs: whole('recv-window', values['recv-window'], 1, 60_000),
      countdownMs: whole('countdown', values.countdown, 3_000, 86_400_000),
      graceMs: whole('grace', values.grace, 0, 60_000),
    }
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n${USAGE}`
  }
}

function above(name: string, value: string): Decimal {
  const decimal = Decimal.from(value)
  return decimal.compare('0') > 0 ? decimal : wrong(name, 'a number above 0')
}

function whole(name: string, value: string, least: number, most: number): number {
  const number = Number(value)
  const isRight = Number.isInteger(number) && number >= least && number <= most
  return isRight ? number : wrong(name, `a whole number from ${least} to ${most}`)
}

function wrong(name: string, expected: string): never {
  throw new Error(`--${name}: expected ${expected}`)
}
