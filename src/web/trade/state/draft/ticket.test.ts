import { describe, expect, test } from 'bun:test'
import { effect } from '@preact/signals'
import type { Entry } from '../../../shared/browser-entry.ts'
import { keptStorage } from '../../../shared/browser-storage.fixture.ts'
import type { Placement } from '../sending/outcomes.ts'
import { type QuestionLimits, USUAL_LIMITS } from '../sending/questions.ts'
import { MARKET, tradingState } from '../trading-state.fixture.ts'
import { withField } from './draft.ts'
import { limitEntry } from './limit-store.ts'
import { emptyList } from './list-draft.ts'
import { ListTicket } from './list-ticket.ts'
import { Ticket } from './ticket.ts'

const ETH = { name: 'ETH/BTC', baseCode: 'ETH', quoteCode: 'BTC', baseFraction: 6, quoteFraction: 5 }

function setUp(limits: Entry<Partial<QuestionLimits>> = limitEntry(keptStorage().tab())) {
  const { trading, dispatch, trader } = tradingState()
  trading.consent.setAsksAlways(false)
  const { promise, resolve } = Promise.withResolvers<Placement>()
  Object.assign(trader, { place: () => promise, placeList: () => promise })
  const ticket = new Ticket({ trading, dispatch, limits })
  const listTicket = new ListTicket({ trading, dispatch, limits: ticket.limits, canTrail: ticket.canTrail })
  const type = (field: 'price' | 'quantity', text: string) => {
    trading.draft.value = withField(trading.draft.value, field, text, MARKET)
  }
  return { trading, dispatch, ticket, listTicket, type, answer: resolve }
}

const PLACED: Placement = { kind: 'PLACED', id: 'order-1' }
const REFUSED: Placement = { kind: 'REFUSED', error: new Error('no') }

describe('an order of the form in flight', () => {
  test('leaves no deadline to the next one, unless that has its own', async () => {
    for (const minutes of ['5', '7']) {
      const { trading, ticket, type, answer } = setUp()
      trading.draft.value = { ...trading.draft.value, timeInForce: 'GTD', minutes: '5' }
      type('price', '100')
      type('quantity', '1')
      const sending = ticket.submit()
      trading.draft.value = { ...trading.draft.value, minutes }
      answer(PLACED)
      await sending
      const { timeInForce } = trading.draft.value
      expect([minutes, timeInForce, trading.draft.value.minutes]).toEqual(
        minutes === '5' ? ['5', 'GTC', ''] : ['7', 'GTD', '7'],
      )
    }
  })

  test('clears the amount of the form once it is placed', async () => {
    const { trading, ticket, type, answer } = setUp()
    type('price', '100')
    type('quantity', '1')
    const sending = ticket.submit()
    type('price', '99')
    answer(PLACED)
    await sending
    expect(trading.draft.value).toMatchObject({ price: '99', quantity: '', total: '' })
  })

  test('ignores what is typed meanwhile, and its refusal does not apply to that', async () => {
    for (const placement of [PLACED, REFUSED]) {
      const { trading, ticket, type, answer } = setUp()
      type('price', '100')
      type('quantity', '1')
      const sending = ticket.submit()
      type('quantity', '2')
      answer(placement)
      await sending
      expect(trading.draft.value).toMatchObject({ price: '100', quantity: '2', total: '200' })
      expect(ticket.forecast.kind).toBe('none')
    }
  })

  test('that is refused is reported in the form that still has it', async () => {
    const { ticket, type, answer } = setUp()
    type('price', '100')
    type('quantity', '1')
    const sending = ticket.submit()
    answer(REFUSED)
    await sending
    expect(ticket.forecast.kind).toBe('refused')
  })

  test('in a list follows the price only where its market has such orders', () => {
    const { trading, ticket, listTicket } = setUp()
    const empty = emptyList('OCO', 'SELL')
    const legs = {
      ...empty.legs,
      profit: { ...empty.legs.profit, price: '120' },
      loss: { ...empty.legs.loss, stopPrice: '90', trailingDelta: '1.5' },
    }
    const list = { ...empty, quantity: '1', legs }
    trading.list.value = list
    const seen = () => [
      listTicket.fieldsOf(list, 'loss').includes('trailingDelta'),
      listTicket.trailingDeltaOf(list, 'loss'),
      listTicket.checked.value?.list?.parameters.belowTrailingDelta,
    ]
    expect(seen()).toEqual([false, undefined, undefined])
    ticket.canTrail.value = true
    expect(seen()).toEqual([true, 150, '150'])
  })

  test('in a list does not change the form of another market', async () => {
    const { trading, listTicket, answer } = setUp()
    const list = emptyList('OTO', 'BUY')
    const legs = {
      ...list.legs,
      entry: { ...list.legs.entry, price: '100' },
      next: { ...list.legs.next, type: 'MARKET' as const },
    }
    trading.list.value = { ...list, quantity: '1', legs }
    const sending = listTicket.submit()
    trading.show(ETH)
    const typed = trading.list.value
    answer(PLACED)
    await sending
    expect(trading.notices.shown.value).toHaveLength(1)
    expect(trading.list.value).toBe(typed)
  })
})

test('a market order needs confirmation until the exchange has reported the price, and where that is far off', async () => {
  const { trading, dispatch, ticket } = setUp()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  Object.assign(trading.trader.value ?? {}, { test: () => promise })
  trading.draft.value = { ...trading.draft.value, type: 'MARKET', total: '100' }
  await ticket.submit()
  expect(dispatch.questions.value).toEqual([{ kind: 'AVERAGE_UNKNOWN' }])
  resolve({ fills: [{ price: '110' }, { price: '130' }], averagePrice: '120' })
  const far = await new Promise((told) =>
    effect(() => {
      const [question] = dispatch.questions.value
      if (question?.kind === 'AVERAGE_FAR') told(question)
    }),
  )
  expect(far).toMatchObject({ average: '120', percent: '20', best: '100' })
})

test('a market order without a reported price needs confirmation', async () => {
  const { trading, dispatch, ticket } = setUp()
  const { promise: isRefused, resolve } = Promise.withResolvers<void>()
  Object.assign(trading.trader.value ?? {}, { test: () => Promise.reject(new Error('too many requests')) })
  trading.draft.value = { ...trading.draft.value, type: 'MARKET', total: '100' }
  effect(() => {
    if (ticket.forecast.kind === 'refused') resolve()
  })
  await isRefused
  await ticket.submit()
  expect(dispatch.questions.value).toEqual([{ kind: 'AVERAGE_UNKNOWN' }])
})

test('limits that are set in another tab apply in this one at once', () => {
  const browser = keptStorage()
  const [here, there] = [setUp(limitEntry(browser.tab())), setUp(limitEntry(browser.tab()))]
  there.ticket.setLimit('value', '50')
  expect(here.ticket.limits.value).toEqual({ ...USUAL_LIMITS, value: '50' })
})
