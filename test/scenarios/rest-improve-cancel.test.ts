import { test } from 'bun:test'
import { BTC_USDT, tell } from './story.ts'

const COMMISSION = { ...BTC_USDT, commission: 100_000 }

test('an order that is partly filled at a better price rests, fills again and is canceled, and every balance is exact', () => {
  tell(
    COMMISSION,
    `
  traders  ann 1000 USDT
           ben 10 BTC
  book     ask 100.00 | 2 ben
           ----------

  order    ann buys 5 at 101.00
  fills    2 at 100.00 from ben
  answer   PARTIALLY_FILLED
  book     ----------
           bid 101.00 | 3 ann
  purses   ann 1.998 BTC, 497 + 303 held USDT
           ben 8 BTC, 199.8 USDT
           fees 0.002 BTC, 0.2 USDT

  order    ben sells 1 at 100.00
  fills    1 at 101.00 to ann
  answer   FILLED
  book     ----------
           bid 101.00 | 2 ann
  purses   ann 2.997 BTC, 497 + 202 held USDT
           ben 7 BTC, 300.699 USDT
           fees 0.003 BTC, 0.301 USDT

  cancel   ann's bid at 101.00
  book     ----------
  purses   ann 2.997 BTC, 699 USDT
           ben 7 BTC, 300.699 USDT
           fees 0.003 BTC, 0.301 USDT
           rounding 0 BTC, 0 USDT
`,
  )
})
