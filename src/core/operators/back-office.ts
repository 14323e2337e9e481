/**
 * The back office: operators' data besides the registry, the ledger and the books: fee tiers, tokens and
 * roles, bans, withdrawals and pending approvals.
 */
import { KeyedRecords } from '../../units/keyed-records.ts'
import {
  ADDRESS_BANS_MAX,
  ADMIN_TOKENS_MAX,
  APPROVALS_MAX,
  ASSETS_MAX,
  FEE_TIERS_MAX,
  PENDING_WITHDRAWALS_MAX,
  ROLES_MAX,
} from '../../units/limits.ts'
import { Withdrawals } from '../ledger/withdrawals.ts'
import type { Approval, BackOfficeRecords, WithdrawalHandling } from '../questions/view.ts'
import * as codec from '../records/back-office-codec.ts'
import type { StatePart } from '../registry/record-store.ts'
import type { AddressBan, AdminToken, ApprovalsNeeded, FeeTier, OwnRole } from '../registry/records.ts'
import { isPlainToken } from '../registry/roles.ts'
import { RoleLimits } from './role-limit-records.ts'

export class BackOffice {
  readonly feeTiers = new KeyedRecords<FeeTier>(({ name }) => name, FEE_TIERS_MAX)
  /** Including revoked ones. */
  readonly tokens = new KeyedRecords<AdminToken>(({ name }) => name, ADMIN_TOKENS_MAX)
  readonly bans = new KeyedRecords<AddressBan>(({ address }) => address, ADDRESS_BANS_MAX)
  readonly withdrawals = new Withdrawals()
  readonly approvals = new KeyedRecords<Approval>(({ reference }) => reference, APPROVALS_MAX)
  /** Claimants and rejected steps of pending withdrawals: a record is removed when its withdrawal ends. */
  readonly handlings = new KeyedRecords<WithdrawalHandling>(
    ({ reference }) => reference,
    PENDING_WITHDRAWALS_MAX,
  )
  /** The custom roles. */
  readonly roles = new KeyedRecords<OwnRole>(({ name }) => name, ROLES_MAX)
  readonly roleLimits = new RoleLimits()
  /** By asset, and under '' for all other assets; without a record the number is one. */
  readonly approvalsNeeded = new KeyedRecords<ApprovalsNeeded>(({ asset }) => asset, ASSETS_MAX + 1)

  /** Whether there are no such data. */
  get isEmpty(): boolean {
    const { feeTiers, tokens, bans, withdrawals, approvals } = this
    const kept = feeTiers.size + tokens.size + bans.size + withdrawals.size + approvals.size
    return kept === 0 && !this.hasRights
  }

  /** Whether roles, limits, terms of tokens or several approvals are used. */
  get hasRights(): boolean {
    const { roles, roleLimits, approvalsNeeded } = this
    if (roles.size + roleLimits.size + approvalsNeeded.size > 0) return true
    if ([...this.tokens.values()].some((token) => !isPlainToken(token))) return true
    return [...this.approvals.values()].some(({ approvedBy }) => approvedBy !== undefined)
  }

  /** The operators' data in read models. */
  records(): BackOfficeRecords {
    return {
      feeTiers: [...this.feeTiers.values()],
      tokens: [...this.tokens.values()],
      bans: [...this.bans.values()],
      withdrawals: this.withdrawals.pending(),
      approvals: [...this.approvals.values()],
      ...this.#rightsRecords(),
      ...(this.handlings.size > 0 ? { handlings: [...this.handlings.values()] } : {}),
    }
  }

  #rightsRecords(): Pick<BackOfficeRecords, 'rights'> {
    const roles = [...this.roles.values()]
    const limits = this.roleLimits.all()
    const approvalsNeeded = [...this.approvalsNeeded.values()]
    const isUsed = roles.length + limits.length + approvalsNeeded.length > 0
    return isUsed ? { rights: { roles, limits, approvalsNeeded } } : {}
  }

  /** The parts in snapshots, in the order in which they are read. */
  readonly parts: readonly StatePart<'feeTiers' | 'tokens' | 'bans' | 'withdrawals' | 'approvals'>[] = [
    {
      name: 'feeTiers',
      isEmpty: () => this.feeTiers.size === 0,
      write: (w) => this.feeTiers.write(w, codec.FEE_TIERS.write),
      read: (r) => this.feeTiers.read(r, codec.FEE_TIERS.read),
    },
    {
      name: 'tokens',
      isEmpty: () => this.tokens.size === 0,
      write: (w) => this.tokens.write(w, codec.ADMIN_TOKENS.write),
      read: (r) => this.tokens.read(r, codec.ADMIN_TOKENS.read),
    },
    {
      name: 'bans',
      isEmpty: () => this.bans.size === 0,
      write: (w) => this.bans.write(w, codec.BANS.write),
      read: (r) => this.bans.read(r, codec.BANS.read),
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
