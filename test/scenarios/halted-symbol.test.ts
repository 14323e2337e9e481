import { test } from 'bun:test'
import { BTC_USDT, tell } from './story.ts'

test('a halted symbol accepts no order and allows cancels; resumed, it continues with the book it had', () => {
  tell(
    BTC_USDT,
    `
  traders  ann 1000 USDT
           ben 10 BTC
  book     ask 101.00 | 1 ben
           ask 100.00 | 2 ben
           ----------
           bid  99.00 | 3 ann

  halt
  order    ann buys 1 at 100.00
  fills    none
  answer   SYMBOL_HALTED
  order    ben sells 1 at market
  answer   SYMBOL_HALTED
  cancel   ben's ask at 100.00
  book     ask 101.00 | 1 ben
           ----------
           bid  99.00 | 3 ann
  purses   ann 0 BTC, 703 + 297 held USDT
           ben 9 + 1 held BTC, 0 USDT

  resume
  order    ben sells 1 at 99.00
  fills    1 at 99.00 to ann
  answer   FILLED
  book     ask 101.00 | 1 ben
           ----------
           bid  99.00 | 2 ann
  purses   ann 1 BTC, 703 + 198 held USDT
           ben 8 + 1 held BTC, 99 USDT
`,
  )
})
