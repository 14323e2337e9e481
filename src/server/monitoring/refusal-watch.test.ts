import { expect, test } from 'bun:test'
import { ORDER_STOP_WORDS, type OrderStop } from '../../contract/api/order-stops.ts'
import { REASON_NAMES, REASONS, type Reason } from '../../contract/reasons/catalogue.ts'
import type { Phase } from './health.ts'
import { RefusalWatch, SERVICE_REASONS } from './refusal-watch.ts'

function watched() {
  const refusals = new Map<Reason, number>()
  const market = { placed: 0 }
  const watch = new RefusalWatch(refusals, () => market.placed)
  const at = (ms: number): boolean => {
    watch.look(ms)
    return watch.isRefused
  }
  return { refusals, market, at }
}

test('orders that are refused for a minute and more are noticed, and only an accepted order ends the finding', () => {
  for (const reason of SERVICE_REASONS) {
    const { refusals, market, at } = watched()
    expect(at(0)).toBe(false)
    refusals.set(reason, 50)
    expect([at(1_000), at(59_000)]).toEqual([false, false])
    expect([at(62_000), at(86_400_000)]).toEqual([true, true])
    market.placed = 1
    expect([at(86_401_000), at(2 * 86_400_000)]).toEqual([false, false])
  }
})

test('a few refusals, refusals among accepted orders, and those of one caller or symbol are not an outage', () => {
  const few = watched()
  few.at(0)
  few.refusals.set('OVERLOADED', 9)
  expect([few.at(1_000), few.at(600_000)]).toEqual([false, false])
  const among = watched()
  for (let i = 0; i < 1_000; i++) {
    among.refusals.set('OVERLOADED', 20 * i)
    among.market.placed = i
    expect(among.at(30_000 * i)).toBe(false)
  }
  const others = watched()
  others.at(0)
  for (const reason of REASON_NAMES) if (!SERVICE_REASONS.includes(reason)) others.refusals.set(reason, 1_000)
  expect([others.at(1_000), others.at(600_000)]).toEqual([false, false])
})

test('a refusal of everyone with a state of its own is reported by it: a stop of orders, or a phase of the node', () => {
  const words: readonly string[] = [...ORDER_STOP_WORDS, 'STARTING', 'STOPPING'] satisfies readonly (
    | OrderStop
    | Phase
  )[]
  const named = REASON_NAMES.filter((reason) => REASONS[reason].refuses === 'EVERYBODY_BY_A_WORD')
  expect([named.length > 3, named.filter((reason) => !words.includes(reason))]).toEqual([true, []])
})
