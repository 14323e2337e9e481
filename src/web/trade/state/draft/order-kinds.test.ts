import { expect, test } from 'bun:test'
import { ORDER_TYPES } from '../../../../units/order-enums.ts'
import { hasStopPrice } from './draft.ts'
import { LEGS } from './list-draft.ts'
import { KIND_TABS, kindsOf, TABS, tabOf } from './order-kinds.ts'

test('each type of order and each list has one place in the form, in the tab that it opens', () => {
  const places = TABS.flatMap((tab) => kindsOf(tab).map((kind) => [kind, tab] as const))
  const kinds = places.map(([kind]) => kind)
  expect(kinds.toSorted()).toEqual([...ORDER_TYPES, ...Object.keys(LEGS)].toSorted() as typeof kinds)
  expect(places.map(([kind]) => [kind, tabOf(kind)] as const)).toEqual(places)
})

test('orders that wait for a price, or follow it, have a tab of their own, whose first is a stop with a limit', () => {
  expect(kindsOf('STOP').toSorted()).toEqual(ORDER_TYPES.filter(hasStopPrice).toSorted())
  expect(TABS.map((tab) => KIND_TABS[tab][0])).toEqual(['LIMIT', 'MARKET', 'STOP_LOSS_LIMIT', 'LIMIT_MAKER'])
})
