/** What is kept of withdrawals that traders ask for: those themselves, and the addresses that they may go to. */
import { AskedWithdrawals } from '../../ledger/asked-withdrawals.ts'
import { WithdrawalAddresses } from '../../ledger/withdrawal-addresses.ts'
import type { Withdrawals } from '../../ledger/withdrawals.ts'

export class WithdrawalDesk {
  readonly asked: AskedWithdrawals
  readonly addresses = new WithdrawalAddresses()

  constructor(withdrawals: Withdrawals) {
    this.asked = new AskedWithdrawals(withdrawals)
  }

  /** Nothing of it has ever been used, or nothing is left of it. */
  get isEmpty(): boolean {
    return this.asked.count === 0 && this.addresses.count === 0
  }
}
