/**
 * A bookkeeper adds up the output of `bourse report`, and compares it with separate books: in exact fractions
 * of whole assets, kept while the exchange's commands are generated, from the rules of money alone
 * (docs/reference/matching.md#money-and-rounding).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { writeJournal } from '../src/app/maintenance/reports/journal.fixture.ts'
import { audit, newRoot } from '../src/app/maintenance/verification/directory.fixture.ts'
import { Fraction } from './model/fraction.ts'
import { MadeUpExchange } from './support/made-up-exchange.ts'

const SEED = Number(process.env.BOOKKEEPER_SEED ?? 7)
const root = newRoot()
const DATA = path.join(root, 'data')
const books = new MadeUpExchange(SEED)

beforeAll(async () => {
  await writeJournal(DATA, books.batches)
})
afterAll(() => rmSync(root, { recursive: true }))

/** The rows of a report, by column. */
async function report(...line: string[]): Promise<Record<string, string>[]> {
  const { code, out, err } = await audit('report', ...line, '--data', DATA)
  expect([code, err]).toEqual([0, ''])
  const [head = '', columns = '', ...rest] = out.trimEnd().split('\r\n')
  expect([head.slice(0, 12), rest.at(-1)?.slice(0, 9)]).toEqual(['# {"report":', '# {"end":'])
  const names = fieldsOf(columns)
  return rest
    .slice(0, -1)
    .map((row) => Object.fromEntries(fieldsOf(row).map((field, i) => [names[i] as string, field])))
}

/** The fields of a row of CSV (RFC 4180). */
function fieldsOf(row: string): string[] {
  return [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )
}

/** A decimal of a report as an exact number. */
function exact(text = ''): Fraction {
  const [whole = '', fraction = ''] = text.split('.')
  return Fraction.decimal(BigInt(whole + fraction), fraction.length)
}

/** Sums of a column grouped by `keyOf`, without those that are 0. */
function totals(
  rows: readonly Record<string, string>[],
  column: string,
  keyOf: (row: Record<string, string>) => string,
): Record<string, string> {
  const sums = new Map<string, Fraction>()
  for (const row of rows) {
    const key = keyOf(row)
    sums.set(key, (sums.get(key) ?? Fraction.ZERO).plus(exact(row[column])))
  }
  return texts(sums)
}

function texts(sums: ReadonlyMap<string, Fraction>): Record<string, string> {
  const kept = [...sums].filter(([, sum]) => !sum.equals(Fraction.ZERO))
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, sum]) => [key, `${sum}`]))
}

describe(`a bookkeeper's totals equal independent books in exact fractions (seed ${SEED})`, () => {
  test('changes by day, account, asset and cause', async () => {
    const rows = (await report('statements')).filter(({ amount }) => amount !== '')
    const keyOf = ({ day, account, asset, cause }: Record<string, string>) =>
      [day, account, asset, cause].join(' ')
    const wanted = texts(books.changes)
    expect(totals(rows, 'amount', keyOf)).toEqual(wanted)
    expect(Object.keys(wanted).length).toBeGreaterThan(200)
  })

  test('openings and closings of every day', async () => {
    const rows = await report('statements')
    const wanted = books.closings
    let closings = 0
    for (const { day = '', account = '', asset = '', cause, balance } of rows) {
      if (cause !== 'OPENING' && cause !== 'CLOSING') continue
      const at = cause === 'CLOSING' ? day : books.dayBefore(day)
      const owned = wanted.get(at)?.get(`${account} ${asset}`) ?? Fraction.ZERO
      expect([day, account, asset, cause, `${exact(balance)}`]).toEqual([
        day,
        account,
        asset,
        cause,
        `${owned}`,
      ])
      closings += cause === 'CLOSING' ? 1 : 0
    }
    expect(closings).toBeGreaterThan(80)
  })

  test('commission by day, symbol, account and asset, from the fees and from the trades', async () => {
    const wanted = texts(books.fees)
    const fees = await report('fees')
    const keyOf = ({ day, symbol, account, asset }: Record<string, string>) =>
      [day, symbol, account, asset].join(' ')
    expect(totals(fees, 'commission', keyOf)).toEqual(wanted)
    const fills = (await report('trades')).map((row) => ({ ...row, asset: row.commissionAsset ?? '' }))
    expect(totals(fills, 'commission', keyOf)).toEqual(wanted)
    expect(fees.reduce((sum, { fills: count }) => sum + Number(count), 0)).toBe(fills.length)
    const house = [...books.changes].filter(([key]) => / fees \w+ COMMISSION$/.test(key))
    const earned = house.reduce((sum, [, each]) => sum.plus(each), Fraction.ZERO)
    expect(Object.values(wanted).length).toBeGreaterThan(20)
    expect(`${[...books.fees.values()].reduce((sum, each) => sum.plus(each), Fraction.ZERO)}`).toBe(
      `${earned}`,
    )
  })

  test('what was paid and received, by account and side', async () => {
    const rows = await report('trades')
    expect(totals(rows, 'total', ({ account, side }) => `${account} ${side}`)).toEqual(texts(books.turnover))
  })

  test('balances at the end of every day', async () => {
    for (const [day, owned] of books.closings) {
      const rows = await report('balances', '--to', day)
      expect([day, totals(rows, 'total', ({ account, asset }) => `${account} ${asset}`)]).toEqual([
        day,
        texts(owned),
      ])
    }
  })
})
