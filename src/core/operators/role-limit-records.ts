/**
 * The records of roles' limits by amount and day, as stored in the back office; their effect is in
 * `role-limits.ts`.
 */
import type { ByteReader, ByteWriter } from '../../units/bytes.ts'
import type { AssetId } from '../../units/ids.ts'
import { KeyedRecords } from '../../units/keyed-records.ts'
import { ROLE_LIMITS_MAX } from '../../units/limits.ts'
import { LIMITS } from '../records/rights-codec.ts'
import type { RoleLimit } from '../registry/records.ts'

/** The limits of roles, each of one role in one asset. */
export class RoleLimits {
  readonly #limits = new KeyedRecords<RoleLimit>(({ role, assetId }) => keyOf(role, assetId), ROLE_LIMITS_MAX)

  get size(): number {
    return this.#limits.size
  }

  get isFull(): boolean {
    return this.#limits.isFull
  }

  find(role: string, assetId: AssetId): RoleLimit | undefined {
    return this.#limits.size === 0 ? undefined : this.#limits.get(keyOf(role, assetId))
  }

  all(): RoleLimit[] {
    return [...this.#limits.values()]
  }

  put(limit: RoleLimit): void {
    this.#limits.put(limit)
  }

  delete({ role, assetId }: RoleLimit): void {
    this.#limits.delete(keyOf(role, assetId))
  }

  write(w: ByteWriter): void {
    this.#limits.write(w, LIMITS.write)
  }

  read(r: ByteReader): void {
    this.#limits.read(r, LIMITS.read)
  }
}

/** Names of roles contain no spaces. */
function keyOf(role: string, assetId: AssetId): string {
  return `${assetId} ${role}`
}
