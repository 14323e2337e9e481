/**
 * The balances of a replay, added up repeatedly while it runs: one asset after another, in bounded pieces. It
 * has no clock; the caller decides when the next piece is due.
 */
import type { AssetId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import { balanceProblem } from '../audit/balances.ts'
import type { StateMachine } from '../port/state-machine.ts'

/** An asset whose balances do not add up: trading in it must stop until an operator has checked. */
export type AuditAlarm = {
  /** The last command applied when the problem was found. */
  readonly seq: Seq
  readonly assetId: AssetId
  readonly code: string
  /** One sentence with the asset and its problem. */
  readonly problem: string
}

/**
 * Number of balances and orders checked in one piece, unless one asset alone has more: some milliseconds.
 */
const AUDIT_ENTRIES = 20_000

export class SelfAudit {
  readonly #entriesMax: number
  /** The command up to which each asset's books were added up, by asset. */
  readonly #auditedSeqs: Seq[] = []
  readonly #offAssetIds = new Set<AssetId>()
  #next = 0

  constructor(entriesMax = AUDIT_ENTRIES) {
    this.#entriesMax = entriesMax
  }

  /**
   * Adds up the next assets and returns those whose balances do not add up. Assets in which nothing can have
   * changed since their last check are skipped, so on a quiet exchange it does nothing.
   */
  step(machine: StateMachine): AuditAlarm[] {
    const { seq, assetCount } = machine
    const alarms: AuditAlarm[] = []
    let entries = 0
    for (let looked = 0; looked < assetCount && entries < this.#entriesMax; looked++) {
      const assetId = (this.#next % assetCount) as AssetId
      this.#next = assetId + 1
      if (this.#auditedSeqs[assetId] === seq) continue
      const audit = machine.auditAsset(assetId)
      entries += audit.entries
      this.#auditedSeqs[assetId] = seq
      const problem = balanceProblem(audit)
      if (problem === undefined) this.#offAssetIds.delete(assetId)
      else {
        this.#offAssetIds.add(assetId)
        alarms.push({ seq, assetId, code: audit.asset.code, problem })
      }
    }
    return alarms
  }

  /**
   * The command up to which every one of `assetCount` assets was found correct; undefined if not all of them
   * are.
   */
  reconciledSeq(assetCount: number): Seq | undefined {
    if (this.#offAssetIds.size > 0) return undefined
    let least: Seq | undefined
    for (let id = 0; id < assetCount; id++) {
      const audited = this.#auditedSeqs[id]
      if (audited === undefined) return undefined
      if (least === undefined || audited < least) least = audited
    }
    return least
  }
}
