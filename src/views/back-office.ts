/**
 * The back office: data that operators maintain, as of the last batch: fee tiers, tokens, roles, bans,
 * pending withdrawals and pending approvals.
 */
import type { ExchangeEvent } from '../core/events/event.ts'
import type { Withdrawal } from '../core/ledger/withdrawals.ts'
import type { Approval, Bootstrap, WithdrawalHandling } from '../core/questions/view.ts'
import type {
  AddressBan,
  AdminToken,
  ApprovalsNeeded,
  FeeTier,
  OwnRole,
  RoleLimit,
} from '../core/registry/records.ts'
import { isUnlimited } from '../core/registry/roles.ts'
import type { AssetId } from '../units/ids.ts'

/** The view for readers, each record by its own name; the core limits their total number. */
export interface BackOfficeView {
  readonly feeTierByName: ReadonlyMap<string, FeeTier>
  /** Includes revoked tokens. */
  readonly tokenByName: ReadonlyMap<string, AdminToken>
  readonly banByAddress: ReadonlyMap<string, AddressBan>
  /** Pending withdrawals. */
  readonly withdrawalByReference: ReadonlyMap<string, Withdrawal>
  /** For pending withdrawals: their claimants, and the rejected steps. */
  readonly handlingByReference: ReadonlyMap<string, WithdrawalHandling>
  /** May include expired approvals. */
  readonly approvalByReference: ReadonlyMap<string, Approval>
  /** The operators' own roles. */
  readonly roleByName: ReadonlyMap<string, OwnRole>
  /** By `roleLimitKey`. */
  readonly roleLimitByKey: ReadonlyMap<string, RoleLimit>
  /** Only numbers other than one: by an asset's code, or under '' for all other assets. */
  readonly approvalsNeededByAsset: ReadonlyMap<string, ApprovalsNeeded>
  /** The rules version under which commands are applied. */
  readonly rulesVersion: number
}

/** Key of the limits of roles: the name of a role never contains a space. */
export function roleLimitKey(role: string, assetId: AssetId): string {
  return `${assetId} ${role}`
}

export type BackOfficeStart = Pick<Bootstrap, 'backOffice' | 'rulesVersion'>

/** A `BackOfficeView` that follows events. */
export class LiveBackOffice implements BackOfficeView {
  readonly feeTierByName = new Map<string, FeeTier>()
  readonly tokenByName = new Map<string, AdminToken>()
  readonly banByAddress = new Map<string, AddressBan>()
  readonly withdrawalByReference = new Map<string, Withdrawal>()
  readonly handlingByReference = new Map<string, WithdrawalHandling>()
  readonly approvalByReference = new Map<string, Approval>()
  readonly roleByName = new Map<string, OwnRole>()
  readonly roleLimitByKey = new Map<string, RoleLimit>()
  readonly approvalsNeededByAsset = new Map<string, ApprovalsNeeded>()
  #rulesVersion = 0

  constructor(start: BackOfficeStart) {
    this.restart(start)
  }

  /** Restarts from a later state, in the same maps. */
  restart({ backOffice, rulesVersion }: BackOfficeStart): void {
    this.#rulesVersion = rulesVersion
    this.feeTierByName.clear()
    this.tokenByName.clear()
    this.banByAddress.clear()
    this.withdrawalByReference.clear()
    this.handlingByReference.clear()
    this.approvalByReference.clear()
    this.roleByName.clear()
    this.roleLimitByKey.clear()
    this.approvalsNeededByAsset.clear()
    if (backOffice === undefined) return
    for (const feeTier of backOffice.feeTiers) this.feeTierByName.set(feeTier.name, feeTier)
    for (const token of backOffice.tokens) this.tokenByName.set(token.name, token)
    for (const ban of backOffice.bans) this.banByAddress.set(ban.address, ban)
    for (const withdrawal of backOffice.withdrawals) {
      this.withdrawalByReference.set(withdrawal.reference, withdrawal)
    }
    for (const one of backOffice.handlings ?? []) this.handlingByReference.set(one.reference, one)
    for (const approval of backOffice.approvals) this.approvalByReference.set(approval.reference, approval)
    const { roles = [], limits = [], approvalsNeeded = [] } = backOffice.rights ?? {}
    for (const role of roles) this.roleByName.set(role.name, role)
    for (const limit of limits) this.#setLimit(limit)
    for (const one of approvalsNeeded) this.approvalsNeededByAsset.set(one.asset, one)
  }

  get rulesVersion(): number {
    return this.#rulesVersion
  }

  /** Applies an event about the back office; other events change nothing. */
  apply(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'FeeTierChanged':
        this.feeTierByName.set(event.feeTier.name, event.feeTier)
        break
      case 'AdminTokenChanged':
        this.tokenByName.set(event.token.name, event.token)
        break
      case 'AddressBanned':
        this.banByAddress.set(event.ban.address, event.ban)
        break
      case 'BanLifted':
        this.banByAddress.delete(event.address)
        break
      case 'WithdrawalChanged':
        this.#changeWithdrawal(event.withdrawal)
        break
      case 'WithdrawalHandled':
        this.handlingByReference.set(event.handling.reference, event.handling)
        break
      case 'ApprovalChanged':
        if (event.state === 'PENDING') this.approvalByReference.set(event.approval.reference, event.approval)
        else this.approvalByReference.delete(event.approval.reference)
        break
      case 'ApprovalGiven':
        this.approvalByReference.set(event.approval.reference, event.approval)
        break
      case 'RulesVersionChanged':
        this.#rulesVersion = event.version
        break
      default:
        this.#applyRights(event)
    }
  }

  #changeWithdrawal(withdrawal: Withdrawal): void {
    const { reference, state } = withdrawal
    if (state === 'PENDING') {
      this.withdrawalByReference.set(reference, withdrawal)
      return
    }
    this.withdrawalByReference.delete(reference)
    this.handlingByReference.delete(reference)
  }

  #applyRights(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'RoleChanged':
        if (event.role.rights.length > 0) this.roleByName.set(event.role.name, event.role)
        else this.#removeRole(event.role.name)
        break
      case 'RoleLimitChanged':
        this.#setLimit(event.limit)
        break
      case 'ApprovalsNeededChanged': {
        const { asset, needed } = event.approvals
        if (needed === (asset === '' ? 1 : 0)) this.approvalsNeededByAsset.delete(asset)
        else this.approvalsNeededByAsset.set(asset, event.approvals)
        break
      }
      default:
        break
    }
  }

  #setLimit(limit: RoleLimit): void {
    const key = roleLimitKey(limit.role, limit.assetId)
    if (isUnlimited(limit)) this.roleLimitByKey.delete(key)
    else this.roleLimitByKey.set(key, limit)
  }

  #removeRole(name: string): void {
    this.roleByName.delete(name)
    for (const [key, { role }] of this.roleLimitByKey) if (role === name) this.roleLimitByKey.delete(key)
  }
}
