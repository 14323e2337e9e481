import { describe, expect, test } from 'bun:test'
import { signal } from '@preact/signals'
import { keptStorage } from '../../../shared/browser-storage.fixture.ts'
import type { Trader } from '../trader.ts'
import { tradingState } from '../trading-state.fixture.ts'
import { HotkeyRunner } from './hotkey-runner.ts'
import { Hotkeys, hotkeyEntry } from './hotkeys.ts'
import type { Outgoing } from './outgoing.ts'
import { USUAL_LIMITS } from './questions.ts'
import { type PointedPrice, QuickOrders } from './quick-orders.ts'

const key = (pressed: string, more: Partial<KeyboardEvent> = {}) =>
  ({ key: pressed, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more }) as KeyboardEvent

function setUp() {
  const { trading, dispatch } = tradingState()
  const offered: Outgoing[] = []
  dispatch.offer = async (outgoing) => void offered.push(outgoing)
  const quick = new QuickOrders({ trading, dispatch, limits: signal(USUAL_LIMITS) })
  const hotkeys = new Hotkeys(hotkeyEntry(keptStorage().tab()))
  let pointed: PointedPrice | undefined
  const done: unknown[] = []
  const runner = new HotkeyRunner({
    trading,
    hotkeys,
    quick,
    take: (percent) => done.push(percent),
    pointed: () => pointed,
    onMarket: (step) => done.push(step),
    focus: (field) => done.push(field),
  })
  const point = (choice: PointedPrice) => {
    pointed = choice
  }
  return { trading, dispatch, quick, hotkeys, runner, offered, done, point }
}

const facts = (outgoing: Outgoing | undefined) => Object.fromEntries(outgoing?.parts[0]?.facts ?? [])

describe('a key', () => {
  test('does nothing while hotkeys are off, in a field, in a dialog, or while it is held down', () => {
    const { hotkeys, runner, done } = setUp()
    expect(runner.press(key('p'), 'PAGE')).toBe(false)
    hotkeys.switch(true)
    expect(runner.press(key('p'), 'FIELD')).toBe(false)
    expect(runner.press(key('p'), 'DIALOG')).toBe(false)
    expect(runner.press(key('p', { repeat: true }), 'PAGE')).toBe(false)
    expect(runner.press(key('p', { ctrlKey: true }), 'PAGE')).toBe(false)
    expect(done).toEqual([])
    for (const pressed of ['p', '3', 'n']) expect(runner.press(key(pressed), 'PAGE')).toBe(true)
    expect(done).toEqual(['price', 75, 1])
  })

  test('places the quantity of the form at the best price of the other side, or where the pointer is', async () => {
    const { trading, hotkeys, runner, offered, point } = setUp()
    hotkeys.switch(true)
    runner.press(key('b'), 'PAGE')
    expect(offered).toEqual([])
    trading.draft.value = { ...trading.draft.value, quantity: '0.5' }
    runner.press(key('b'), 'PAGE')
    runner.press(key('s'), 'PAGE')
    runner.press(key('l'), 'PAGE')
    point({ price: '98', side: 'SELL' })
    runner.press(key('l'), 'PAGE')
    expect(offered.map((each) => [each.isAgreed, facts(each).Price, facts(each).Quantity])).toEqual([
      [false, '100 USDT', '0.5 BTC'],
      [false, '99 USDT', '0.5 BTC'],
      [false, '98 USDT', '0.5 BTC'],
    ])
  })

  test('asks for confirmation of a cancel of all, and drops the question once the API key is removed or replaced', async () => {
    const { trading, hotkeys, runner } = setUp()
    hotkeys.switch(true)
    const alice = trading.trader.value
    for (const next of [undefined, { ...alice } as Trader]) {
      trading.trader.value = alice
      runner.press(key('x', { shiftKey: true }), 'PAGE')
      await Promise.resolve()
      expect(runner.asksCancelAll.value).toBe(true)
      trading.trader.value = next
      expect(runner.asksCancelAll.value).toBe(false)
    }
  })

  test('that is Escape ends one-click trading in a field too, and does nothing else', () => {
    const { trading, runner } = setUp()
    trading.consent.agreeToOneClick()
    expect(runner.press(key('Escape'), 'DIALOG')).toBe(false)
    expect(trading.consent.isOneClick.value).toBe(true)
    expect(runner.press(key('Escape'), 'FIELD')).toBe(true)
    expect(trading.consent.isOneClick.value).toBe(false)
    expect(runner.press(key('Escape'), 'FIELD')).toBe(false)
  })
})

describe('one click', () => {
  test('places its own quantity without confirmation, and nothing where the book has moved', async () => {
    const { trading, quick, offered } = setUp()
    trading.draft.value = { ...trading.draft.value, quantity: '7' }
    await quick.click({ price: '100', side: 'BUY' })
    expect(offered).toEqual([])
    quick.quantity.value = '0.5'
    await quick.click({ price: '100', side: 'BUY', hasMoved: true })
    expect(offered).toEqual([])
    await quick.click({ price: '100', side: 'BUY' })
    await quick.click({ price: '110', side: 'BUY' })
    expect(offered.map((each) => [each.isAgreed, facts(each).Quantity])).toEqual([
      [true, '0.5 BTC'],
      [true, '0.5 BTC'],
    ])
    const kinds = offered.map(({ questions }) => questions().map(({ kind }) => kind))
    expect(kinds).toEqual([[], ['PRICE_FAR']])
    trading.best.value = { bid: '99', ask: '110' }
    expect(offered[1]?.questions()).toEqual([])
    trading.show({ name: 'ETH/BTC', baseCode: 'ETH', quoteCode: 'BTC', baseFraction: 6, quoteFraction: 5 })
    expect(quick.quantity.value).toBe('')
  })
})
