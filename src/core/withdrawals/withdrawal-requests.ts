/** The store for withdrawals requested by traders: the withdrawals, and the accounts' addresses. */
import { AskedWithdrawals } from '../ledger/asked-withdrawals.ts'
import { WithdrawalAddresses } from '../ledger/withdrawal-addresses.ts'
import type { Withdrawals } from '../ledger/withdrawals.ts'

export class WithdrawalRequests {
  readonly asked: AskedWithdrawals
  readonly addresses = new WithdrawalAddresses()

  constructor(withdrawals: Withdrawals) {
    this.asked = new AskedWithdrawals(withdrawals)
  }

  /** Whether there is neither a withdrawal nor an address. */
  get isEmpty(): boolean {
    return this.asked.count === 0 && this.addresses.count === 0
  }
}
