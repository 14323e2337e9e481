import { describe, test } from 'bun:test'
import { tell, USDT_TRY } from './story.ts'

describe('a MARKET BUY by total in a market where price x quantity has more decimals than the ledger', () => {
  test('pays rounded up, sellers receive rounded down, and the house keeps the odd unit', () => {
    // 0.05 x 33.33 is 1.6665 and 0.09 x 33.34 is 3.0006: 4.6671 in total, of which 4.67 are paid and 1.66 +
    // 3.00 received. The remaining 0.3329 does not pay for another 0.01, which would cost 0.3334.
    tell(
      USDT_TRY,
      `
  traders  ben 10 USDT
           cleo 10 USDT
           dora 20 TRY
  book     ask 33.34 | 1 cleo
           ask 33.33 | 0.05 ben
           ----------

  order    dora buys for 5.00
  fills    0.05 at 33.33 from ben
           0.09 at 33.34 from cleo
  answer   FILLED
  book     ask 33.34 | 0.91 cleo
           ----------
  purses   dora 0.14 USDT, 15.33 TRY
           ben 9.95 USDT, 1.66 TRY
           cleo 9 + 0.91 held USDT, 3 TRY
           rounding 0 USDT, 0.01 TRY
`,
    )
  })

  test('that lowers an own order first pays no more than what is left of the total, rounded down', () => {
    // 0.10 x 0.15 lowers the total of 0.11 by 0.015; the remaining 0.095 pays for 0.36 at 0.25, as 0.38 would
    // cost 0.10.
    tell(
      USDT_TRY,
      `
  traders  ann 10 TRY, 10 USDT
           ben 10 USDT
  book     ask 0.25 | 5 ben
           ask 0.15 | 0.1 ann
           ----------

  order    ann buys for 0.11, DECREMENT
  fills    0.36 at 0.25 from ben
  answer   CANCELED
  book     ask 0.25 | 4.64 ben
           ----------
  purses   ann 10.36 USDT, 9.91 TRY
           ben 5 + 4.64 held USDT, 0.09 TRY
           rounding 0 USDT, 0 TRY
`,
    )
  })
})
