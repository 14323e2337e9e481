/** Compares a bot's own reports with the exchange's record, and checks how the bot ended. */
import { fixedDecimal, parseDecimal } from '../../../units/decimal.ts'
import { invariant } from '../../../units/invariant.ts'
import { decimals } from '../../../units/quantities.ts'
import type { BotRecord, Fill, Finding } from './record.ts'
import { found } from './request-rules.ts'

/** A report may be this old: printing a line takes time. */
const LATE_MS = 5_000
/** This number of wrong books is not an accident. */
const WRONG_BOOKS = 3
const PLACES = decimals(18)

/** Compares a bot's last report with its fills and its position. */
export function wrongBeliefs({ reports, fills }: BotRecord): Finding[] {
  const lastFills = reports.findLast(({ report }) => report.fills !== undefined)
  const lastPosition = reports.findLast(({ report }) => report.position !== undefined)
  const findings: Finding[] = []
  if (lastFills !== undefined) {
    const { least, most } = range(fills, lastFills.wallMs)
    const said = lastFills.report.fills ?? 0
    const isWrong = said < least || said > most
    findings.push(
      ...found('FILLS_WRONG', isWrong ? Math.abs(most - said) : 0, () => {
        return `the bot reports ${said} fills, the exchange has ${most}. After each lost connection, read GET /api/v3/myTrades from the last known fill, or resume the private feed with "since"`
      }),
    )
  }
  if (lastPosition !== undefined) {
    const { least, most } = range(fills, lastPosition.wallMs)
    for (const [asset, said] of Object.entries(lastPosition.report.position ?? {})) {
      const possible = Array.from({ length: most - least + 1 }, (_, more) =>
        change(fills.slice(0, least + more), asset),
      )
      if (possible.includes(exactly(said))) continue
      const actual = fixedDecimal(possible.at(-1) ?? 0n, PLACES).replace(/\.?0+$/, '')
      findings.push(
        ...found('POSITION_WRONG', 1, () => {
          return `the bot reports that its ${asset} balance changed by ${said}, the exchange reports ${actual}. Count executed quantities less commission, not ordered quantities`
        }),
      )
      break
    }
  }
  return findings
}

/** Reported books that the exchange did not have, and lines that cannot be read. */
export function driftedBooks({ reports, unreadable }: BotRecord): Finding[] {
  const wrong = reports.filter(({ isBookTrue }) => isBookTrue === false)
  const [example] = wrong
  return [
    ...found('BOOK_DRIFTED', wrong.length >= WRONG_BOOKS ? wrong.length : 0, () => {
      const { symbol, bid, ask } = example?.report.book ?? { symbol: '', bid: '', ask: '' }
      return `the best prices that the bot reports were not in the book at any time in the last 5 seconds (${symbol}: ${bid} and ${ask}). Apply every change, detect gaps by prevSeq, and request a fresh book after each gap`
    }),
    ...found(
      'REPORT_UNREADABLE',
      unreadable.length,
      () => `a line that begins with GRADE cannot be read: ${unreadable[0]}`,
    ),
  ]
}

export function endings({ end, exitCode, openOrders }: BotRecord): Finding[] {
  return [
    ...found('ENDED_EARLY', end === 'BY_ITSELF' ? 1 : 0, () => {
      return `the bot exited before the end of the test, with exit code ${exitCode}`
    }),
    ...found('DID_NOT_STOP', end === 'KILLED' ? 1 : 0, () => {
      return 'the bot did not exit within 10 seconds of SIGTERM, and was killed'
    }),
    ...found('ORDERS_LEFT', openOrders, () => {
      return `${openOrders} orders were open after the bot exited. Cancel them before exiting, and set a countdown or cancelOnDisconnect for unplanned exits`
    }),
  ]
}

/** Possible numbers of fills at the time when a line was written. */
function range(fills: readonly Fill[], wallMs: number): { readonly least: number; readonly most: number } {
  const until = (ms: number) => fills.filter(({ time }) => time <= ms).length
  return { least: until(wallMs - LATE_MS), most: until(wallMs) }
}

/** The change of an asset caused by fills, in units of 10^-18. */
function change(fills: readonly Fill[], asset: string): bigint {
  let sum = 0n
  for (const { symbol, side, quantity, total, commission, commissionAsset } of fills) {
    const [base, quote] = symbol.split('/')
    const sign = side === 'BUY' ? 1n : -1n
    if (asset === base) sum += sign * exactly(quantity)
    if (asset === quote) sum -= sign * exactly(total)
    if (asset === commissionAsset) sum -= exactly(commission)
  }
  return sum
}

function exactly(text: string): bigint {
  const units = parseDecimal(text.replace(/^-/, ''), PLACES)
  invariant(typeof units === 'bigint', () => `${text} is not a decimal: ${units}`)
  return text.startsWith('-') ? -units : units
}
