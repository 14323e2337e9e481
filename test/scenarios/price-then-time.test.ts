import { test } from 'bun:test'
import { BTC_USDT, tell } from './story.ts'

test('an order that sweeps three levels takes the best price first and, at one price, the oldest order first', () => {
  tell(
    BTC_USDT,
    `
  traders  ben 10 BTC
           cleo 10 BTC
           dora 1000 USDT
  book     ask 103.00 | 2 ben
           ask 102.00 | 1 cleo, 1 ben
           ask 101.00 | 1 ben, 2 cleo
           ask 100.00 | 1 cleo
           ----------
           bid  99.00 | 1 dora

  order    dora buys 5.5 at 102.00
  fills    1 at 100.00 from cleo
           1 at 101.00 from ben
           2 at 101.00 from cleo
           1 at 102.00 from cleo
           0.5 at 102.00 from ben
  answer   FILLED
  book     ask 103.00 | 2 ben
           ask 102.00 | 0.5 ben
           ----------
           bid  99.00 | 1 dora
  purses   dora 5.5 BTC, 345 + 99 held USDT
           ben 6 + 2.5 held BTC, 152 USDT
           cleo 6 BTC, 404 USDT

  order    cleo sells 1 at 102.00
  fills    none
  book     ask 103.00 | 2 ben
           ask 102.00 | 0.5 ben, 1 cleo
           ----------
           bid  99.00 | 1 dora

  order    dora buys for 76.50
  fills    0.5 at 102.00 from ben
           0.25 at 102.00 from cleo
  answer   FILLED
`,
  )
})
