/**
 * The back office: what operators keep beside the registry, the ledger and the books: fee tiers, tokens, bans, withdrawals and what
 * waits for a second person.
 */
import { KeyedRecords } from '../../../units/keyed-records.ts'
import { ADDRESS_BANS_MAX, ADMIN_TOKENS_MAX, APPROVALS_MAX, FEE_TIERS_MAX } from '../../../units/limits.ts'
import { Withdrawals } from '../../ledger/withdrawals.ts'
import type { StatePart } from '../../registry/record-store.ts'
import type { AddressBan, AdminToken, FeeTier } from '../../registry/records.ts'
import * as codec from '../codec/back-office-codec.ts'
import type { Approval, BackOfficeRecords } from '../view.ts'

export class BackOffice {
  readonly feeTiers = new KeyedRecords<FeeTier>(({ name }) => name, FEE_TIERS_MAX)
  /** Revoked ones included. */
  readonly tokens = new KeyedRecords<AdminToken>(({ name }) => name, ADMIN_TOKENS_MAX)
  readonly bans = new KeyedRecords<AddressBan>(({ address }) => address, ADDRESS_BANS_MAX)
  readonly withdrawals = new Withdrawals()
  readonly approvals = new KeyedRecords<Approval>(({ reference }) => reference, APPROVALS_MAX)

  /** Nothing of it has ever been used, or nothing is left of it. */
  get isEmpty(): boolean {
    const { feeTiers, tokens, bans, withdrawals, approvals } = this
    return feeTiers.size + tokens.size + bans.size + withdrawals.size + approvals.size === 0
  }

  /** What read models hold of it. */
  records(): BackOfficeRecords {
    return {
      feeTiers: [...this.feeTiers.values()],
      tokens: [...this.tokens.values()],
      bans: [...this.bans.values()],
      withdrawals: this.withdrawals.pending(),
      approvals: [...this.approvals.values()],
    }
  }

  /** What snapshots keep of it, in the order in which it is read. */
  readonly parts: readonly StatePart<'feeTiers' | 'tokens' | 'bans' | 'withdrawals' | 'approvals'>[] = [
    {
      name: 'feeTiers',
      isEmpty: () => this.feeTiers.size === 0,
      write: (w) => this.feeTiers.write(w, codec.writeFeeTier),
      read: (r) => this.feeTiers.read(r, codec.readFeeTier),
    },
    {
      name: 'tokens',
      isEmpty: () => this.tokens.size === 0,
      write: (w) => this.tokens.write(w, codec.writeAdminToken),
      read: (r) => this.tokens.read(r, codec.readAdminToken),
    },
    {
      name: 'bans',
      isEmpty: () => this.bans.size === 0,
      write: (w) => this.bans.write(w, codec.writeAddressBan),
      read: (r) => this.bans.read(r, codec.readAddressBan),
    },
    {
      name: 'withdrawals',
      isEmpty: () => this.withdrawals.size === 0,
      write: (w) => this.withdrawals.write(w),
      read: (r) => this.withdrawals.read(r),
    },
    {
      name: 'approvals',
      isEmpty: () => this.approvals.size === 0,
      write: (w) => this.approvals.write(w, codec.writeApproval),
      read: (r) => this.approvals.read(r, codec.readApproval),
    },
  ]
}
