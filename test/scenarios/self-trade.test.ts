import { describe, test } from 'bun:test'
import { BTC_USDT, tell } from './story.ts'

/** Ann would match Ben, then herself, then Ben again. */
const BEFORE = `
  traders  ann 1000 USDT, 1 BTC
           ben 10 BTC
  book     ask 101.00 | 3 ben
           ask 100.00 | 1 ben, 1 ann
           ----------
`

describe('an order that meets an order of the same account', () => {
  test('trades with it in mode NONE', () => {
    tell(
      BTC_USDT,
      `${BEFORE}
  order    ann buys 3 at 101.00, NONE
  fills    1 at 100.00 from ben
           1 at 100.00 from ann
           1 at 101.00 from ben
  answer   FILLED
  book     ask 101.00 | 2 ben
           ----------
  purses   ann 3 BTC, 799 USDT
`,
    )
  })

  test('cancels its own remainder in mode EXPIRE_TAKER', () => {
    tell(
      BTC_USDT,
      `${BEFORE}
  order    ann buys 3 at 101.00, EXPIRE_TAKER
  fills    1 at 100.00 from ben
  answer   CANCELED
  book     ask 101.00 | 3 ben
           ask 100.00 | 1 ann
           ----------
  purses   ann 1 + 1 held BTC, 900 USDT
`,
    )
  })

  test('cancels the resting one and continues in mode EXPIRE_MAKER', () => {
    tell(
      BTC_USDT,
      `${BEFORE}
  order    ann buys 3 at 101.00, EXPIRE_MAKER
  fills    1 at 100.00 from ben
           2 at 101.00 from ben
  answer   FILLED
  book     ask 101.00 | 1 ben
           ----------
  purses   ann 4 BTC, 698 USDT
`,
    )
  })

  test('ends both in mode EXPIRE_BOTH', () => {
    tell(
      BTC_USDT,
      `${BEFORE}
  order    ann buys 3 at 101.00, EXPIRE_BOTH
  fills    1 at 100.00 from ben
  answer   CANCELED
  book     ask 101.00 | 3 ben
           ----------
  purses   ann 2 BTC, 900 USDT
`,
    )
  })

  test('is lowered together with it and continues in mode DECREMENT', () => {
    tell(
      BTC_USDT,
      `${BEFORE}
  order    ann buys 3 at 101.00, DECREMENT
  fills    1 at 100.00 from ben
           1 at 101.00 from ben
  answer   CANCELED
  book     ask 101.00 | 2 ben
           ----------
  purses   ann 3 BTC, 799 USDT
`,
    )
  })
})
