/** Slips in data that clients show and in requests that they send: averages, ccxt's class. */
import type { Slip } from '../slips.ts'

export const CLIENTS: readonly Slip[] = [
  {
    wrong: 'an average is rounded to a tick before it is one of the ledger',
    file: 'src/core/ledger/money.ts',
    before:
      'return halfUp(multiply(executed, powerOfTen(quotePrecision - quoteFraction)), quantity) as Amount',
    after:
      'return multiply(averageTicks(executed, quantity), powerOfTen(quotePrecision - quoteFraction)) as Amount',
  },
  {
    wrong: "ccxt's cost of a market buy is computed in floating point",
    file: 'clients/ccxt/src/order-requests.js',
    before: 'product(this.numberToString(amount), this.numberToString(price))',
    after: 'this.numberToString(Number(amount) * Number(price))',
  },
  {
    wrong: 'a replacement that was lost is told to have canceled what was canceled before it',
    file: 'src/client/http/replacements.ts',
    before: "endReason === 'USER' && updatedAt >= (error.firstAttempt ?? 0)",
    after: "endReason === 'USER'",
  },
]
