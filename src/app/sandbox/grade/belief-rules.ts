/** What a bot says of itself, against what is true; and how it ended. */
import { fixedDecimal, parseDecimal } from '../../../units/decimal.ts'
import { invariant } from '../../../units/invariant.ts'
import { decimals } from '../../../units/quantities.ts'
import type { BotRecord, Fill, Finding } from './record.ts'
import { found } from './request-rules.ts'

/** What is said may have been true so long ago: a line takes its time. */
const LATE_MS = 5_000
/** So many wrong books are no accident. */
const WRONG_BOOKS = 3
const PLACES = decimals(18)

/** The last word of a bot on its fills and its position. */
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
        return `the bot says that it has had ${said} fills, and has had ${most}. Read GET /api/v3/myTrades from the last one on after each connection that ended, or follow the private feed with "since"`
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
      const truth = fixedDecimal(possible.at(-1) ?? 0n, PLACES).replace(/\.?0+$/, '')
      findings.push(
        ...found('POSITION_WRONG', 1, () => {
          return `the bot says that its ${asset} have changed by ${said}, and they have by ${truth}. Count what was executed, less commission, and nothing that was only ordered`
        }),
      )
      break
    }
  }
  return findings
}

/** Books that were not the exchange's, and lines that nobody can read. */
export function driftedBooks({ reports, unreadable }: BotRecord): Finding[] {
  const wrong = reports.filter(({ isBookTrue }) => isBookTrue === false)
  const [example] = wrong
  return [
    ...found('BOOK_DRIFTED', wrong.length >= WRONG_BOOKS ? wrong.length : 0, () => {
      const { symbol, bid, ask } = example?.report.book ?? { symbol: '', bid: '', ask: '' }
      return `the best prices that the bot believes in were not those of the book in the 5 seconds before (${symbol}: ${bid} and ${ask}). Apply every change, see gaps by prevSeq, and take a fresh book after each`
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
      return `the bot ended before it was told to, with exit code ${exitCode}`
    }),
    ...found('DID_NOT_STOP', end === 'KILLED' ? 1 : 0, () => {
      return 'the bot did not end within 10 seconds of SIGTERM, and was killed'
    }),
    ...found('ORDERS_LEFT', openOrders, () => {
      return `${openOrders} orders were open after the bot had ended. Cancel them before, and set a countdown or cancelOnDisconnect for an end that nobody plans`
    }),
  ]
}

/** How many fills there may have been when a line was written. */
function range(fills: readonly Fill[], wallMs: number): { readonly least: number; readonly most: number } {
  const until = (ms: number) => fills.filter(({ time }) => time <= ms).length
  return { least: until(wallMs - LATE_MS), most: until(wallMs) }
}

/** What fills have changed of an asset; 10^-18 of it. */
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
  invariant(typeof units === 'bigint', () => `${text} is no decimal: ${units}`)
  return text.startsWith('-') ? -units : units
}
