/**
 * docs/coming-from-binance.md is checked against the served interface: what the page lists as the same
 * exists, what it lists as missing does not.
 */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { REASON_NAMES } from '../src/contract/reasons/catalogue.ts'
import { checkNewOrderName } from '../src/server/trading/order-parameters.ts'
import { ORDER_TYPES, SELF_TRADE_MODES, TIMES_IN_FORCE } from '../src/units/order-enums.ts'
import { reference, section, servedEndpoints } from './support/reference.ts'

const PAGE = readFileSync(path.join(import.meta.dir, '..', 'docs', 'coming-from-binance.md'), 'utf8')
const SERVED = [...servedEndpoints(true), ...servedEndpoints(false)].map(([endpoint]) => endpoint as string)

/** Names of Binance and names of this exchange, without backticks. */
function tableUnder(heading: string): [theirs: string, ours: string][] {
  const lines = section(PAGE, heading)
    .split('\n')
    .filter((line) => line.startsWith('| '))
  return lines.map((line) => {
    const [theirs = '', ours = ''] = line.slice(2, -2).replaceAll('`', '').split(' | ')
    return [theirs, ours]
  })
}

/**
 * `GET /api/v3/x` for each path in a cell; a bare `x` has the method of the previous path, GET if there is
 * none.
 */
function endpointsOf(cell: string): string[] {
  let method = 'GET'
  return cell.split(/[,;] /).map((part) => {
    const [, named, route = ''] = /(?:(GET|POST|PUT|DELETE) )?(?:\/api\/v3\/)?([\w/]+)$/.exec(part) ?? []
    method = named ?? method
    return `${method} /api/v3/${route}`
  })
}

describe('coming-from-binance.md', () => {
  const endpoints = tableUnder('Endpoints')

  test('lists as the same only those endpoints that are served at the same path', () => {
    const same = endpoints.filter(([, ours]) => /^\[?same path|^the same/.test(ours))
    expect(same.length).toBeGreaterThan(8)
    for (const [theirs] of same) {
      for (const endpoint of endpointsOf(theirs)) expect(SERVED).toContain(endpoint)
    }
  })

  test('lists as missing no endpoint that is served', () => {
    const missing = endpoints.filter(([, ours]) => ours.startsWith('not available'))
    expect(missing.length).toBeGreaterThan(1)
    for (const [theirs] of missing) {
      for (const endpoint of endpointsOf(theirs)) expect(SERVED).not.toContain(endpoint)
    }
  })

  test('lists as refused every parameter of an order that it calls missing, which is true', () => {
    const names = tableUnder('Orders')
      .filter(([, ours]) => ours.includes('refused by name'))
      .flatMap(([theirs]) => theirs.split(/[,;] /))
      .filter((name) => /^[a-z]\w*$/.test(name))
    expect(names).toContain('strategyId')
    for (const name of names) {
      expect([name, checkNewOrderName(name)?.reason]).toEqual([name, 'UNSUPPORTED_PARAMETER'])
    }
  })

  test('names every type, time in force and self-trade mode that an order may have', () => {
    const text = section(PAGE, 'Orders')
    for (const word of [...ORDER_TYPES, ...TIMES_IN_FORCE, ...SELF_TRADE_MODES]) expect(text).toContain(word)
  })

  test('names under Error codes only reasons that the interface answers with', () => {
    const named = tableUnder('Error codes').flatMap(([, ours]) => ours.match(/[A-Z]+_[A-Z_]+/g) ?? [])
    expect(named).toContain('TIMESTAMP_EXPIRED')
    for (const reason of named) expect(REASON_NAMES).toContain(reason as (typeof REASON_NAMES)[number])
  })

  test('names under Filters as the same those that the rules of symbols have, and as missing none of them', () => {
    const rules = section(reference('extensions'), 'Rules of symbols')
    const filters = tableUnder('Filters').filter(([theirs]) => /^[A-Z]+_[A-Z_]+|^NOTIONAL/.test(theirs))
    for (const [theirs, ours] of filters) {
      const names = theirs.match(/[A-Z]+(?:_[A-Z]+)+|NOTIONAL|\b(?:min|max|tick|step)[A-Z]\w+/g) ?? []
      for (const name of names) {
        expect([name, rules.includes(`\`${name}\``)]).toEqual([name, ours.startsWith('the same')])
      }
    }
    expect(filters.length).toBeGreaterThan(8)
  })

  test('names under Fields of answers only fields that orders and fills have', () => {
    const page = reference('orders')
    const ours = tableUnder('Fields of answers')
      .filter(([, here]) => !here.startsWith('not available') && !here.startsWith('['))
      .map(([theirs, here]) => (here.startsWith('the same names') ? theirs : here))
    const fields = ours.flatMap((cell) => cell.match(/^[a-z]\w+$|\b[a-z]+[A-Z]\w+\b/gm) ?? [])
    expect(fields).toContain('executedTotal')
    for (const field of fields)
      expect([field, new RegExp(`[\`.]${field}\``).test(page)]).toEqual([field, true])
  })
})
