import { expect, test } from 'bun:test'
import { TabTitle } from './tab-title.ts'

function setUp() {
  let listener = () => {}
  const page = {
    title: '',
    hidden: false,
    addEventListener: (_type: string, added: () => void) => {
      listener = added
    },
  }
  const due: (() => void)[] = []
  const title = new TabTitle(page, (_delayMs, callback) => due.push(callback))
  const turn = (hidden: boolean) => {
    page.hidden = hidden
    listener()
  }
  const pass = () => {
    for (const callback of due.splice(0)) callback()
  }
  return { page, title, turn, pass }
}

test('the title says what was filled while the page is hidden, and shows only the market once the page is visible', () => {
  const { page, title, turn, pass } = setUp()
  title.showMarket('100 BTC/USDT')
  pass()
  title.showFill(() => 'seen already')
  expect(page.title).toBe('100 BTC/USDT')
  turn(true)
  title.showFill(() => 'Filled')
  expect(page.title).toBe('● Filled · 100 BTC/USDT')
  title.showMarket('101 BTC/USDT')
  title.showFill(() => 'Filled again')
  expect(page.title).toBe('● Filled · 100 BTC/USDT')
  pass()
  expect(page.title).toBe('● Filled again · 101 BTC/USDT')
  pass()
  turn(false)
  expect(page.title).toBe('101 BTC/USDT')
})
