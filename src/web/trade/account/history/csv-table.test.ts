import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { printable } from '../../../../units/printable.ts'
import { type Column, csvHead, csvRows, FILL_COLUMNS } from './csv-table.ts'

/** Parses RFC 4180 fields, as a spreadsheet does. */
function parsed(text: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let field = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        field += text[at]
        if (text[at] === '"') at++
      }
      at++
    } else for (; at < text.length && text[at] !== ',' && text[at] !== '\r'; at++) field += text[at]
    row.push(field)
    if (text[at] === ',') {
      at++
      continue
    }
    expect(text.slice(at, at + 2)).toBe('\r\n')
    at += 2
    rows.push(row)
    row = []
  }
  return rows
}

const NUMBER = /^-?\d+(?:\.\d+)?$/

type Pair = { readonly name: string; readonly amount: string }

const COLUMNS: readonly Column<Pair>[] = [
  ['name', ({ name }) => name],
  ['amount', ({ amount }) => amount],
]

const decimal = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.option(fc.nat(99_999_999)))
  .map(([isNegative, whole, rest]) => `${isNegative ? '-' : ''}${whole}${rest === null ? '' : `.${rest}`}`)

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '\uff1d', '\uff0d', '"', ',', '\r', '\n', '\t', "'", '1', 'ı'),
  }),
)

describe('a table to save', () => {
  test('is read back with the displayed values, numbers to the digit, and without formulas', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name: text, amount: decimal }), { maxLength: 20 }), (rows) => {
        const [head, ...found] = parsed(csvHead(COLUMNS) + csvRows(COLUMNS, rows))
        expect(head).toEqual(['name', 'amount'])
        expect(found.map(([, amount]) => amount)).toEqual(rows.map(({ amount }) => amount))
        for (const [index, [name = '']] of found.entries()) {
          // Invisible characters are escaped, and an apostrophe precedes a text that would be a formula:
          // nothing else differs.
          const wanted = printable(rows[index]?.name ?? '')
          expect(name.replaceAll("'", '')).toBe(wanted.replaceAll("'", ''))
          if (!/(?:^|[;|])[ "]*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(wanted) || NUMBER.test(wanted))
            expect(name).toBe(wanted)
          if (!NUMBER.test(name)) expect(name).not.toMatch(/^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/)
        }
      }),
    )
  })

  test('has the exact decimals of a fill, its time twice, and empty cells for what does not apply', () => {
    const fill = {
      id: 't1',
      orderId: 'o1',
      symbol: 'BTC/USDT',
      side: 'BUY',
      price: '60000.50',
      quantity: '0.00000001',
      total: '0.000600005',
      commission: '0',
      commissionAsset: 'BTC',
      isMaker: false,
      time: 1_790_000_001_123,
    } as const
    expect(csvRows(FILL_COLUMNS, [fill])).toBe(
      't1,1790000001123,2026-09-21T14:13:21.123+00:00,o1,BTC/USDT,BUY,60000.50,0.00000001,0.000600005,0,BTC,false\r\n',
    )
    expect(csvRows([['none', () => undefined]], [fill])).toBe('\r\n')
  })
})
