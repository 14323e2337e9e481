/** API keys that persons have created: their names and addresses, which are not journaled. */
import type { StoreParts } from './people.ts'
import { seal, unseal } from './sealing.ts'

/** Facts of a key that only its owner knows. */
export type OwnKeyDetails = { readonly name: string; readonly addresses: readonly string[] }

export type OwnKeyRow = {
  readonly api_key: string
  readonly owner: string
  readonly sealed: Uint8Array
  readonly is_bound: number
  readonly created_ms: number
  readonly ended_ms: number | null
  /** Null if it does not expire, or was created before this was stored. */
  readonly ends_ms: number | null
}

export class OwnKeyRows {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  add(key: Pick<OwnKeyRow, 'api_key' | 'owner' | 'created_ms' | 'ends_ms'>, details: OwnKeyDetails): void {
    const { db, keys, randomBytes } = this.#parts
    const sealingKey = keys.keyOf(key.owner)
    if (sealingKey === undefined) throw new Error('a key is being created for a person who was erased')
    const sealed = seal(sealingKey, `own_key ${key.api_key}`, details, randomBytes)
    const isBound = details.addresses.length > 0 ? 1 : 0
    db.run(
      'INSERT INTO own_key VALUES (?, ?, ?, ?, ?, NULL, ?)',
      key.api_key,
      key.owner,
      sealed,
      isBound,
      key.created_ms,
      key.ends_ms,
    )
  }

  /** Keys of a person, ended ones too. */
  of(owner: string): readonly OwnKeyRow[] {
    const sql = 'SELECT * FROM own_key WHERE owner = ?'
    return this.#parts.db.all<OwnKeyRow>(sql, owner)
  }

  /** Undefined if the person's key was destroyed. */
  detailsOf({ owner, api_key, sealed }: OwnKeyRow): OwnKeyDetails | undefined {
    const key = this.#parts.keys.keyOf(owner)
    return key === undefined ? undefined : unseal<OwnKeyDetails>(key, `own_key ${api_key}`, sealed)
  }

  end(apiKey: string, nowMs: number): void {
    const sql = 'UPDATE own_key SET ended_ms = ? WHERE api_key = ? AND ended_ms IS NULL'
    this.#parts.db.run(sql, nowMs, apiKey)
  }

  /** Removes the keys that ended before a time: until then they count toward the daily limit. */
  removeEnded(beforeMs: number): void {
    this.#parts.db.run('DELETE FROM own_key WHERE ended_ms < ?1 OR ends_ms < ?1', beforeMs)
  }

  /** Keys with addresses that have not ended, in the order of their keys, after a given one. */
  boundAfter(apiKey: string, limit: number, nowMs: number): readonly OwnKeyRow[] {
    const sql = `SELECT * FROM own_key WHERE api_key > ? AND is_bound = 1 AND ended_ms IS NULL
      AND (ends_ms IS NULL OR ends_ms > ?) ORDER BY api_key LIMIT ?`
    return this.#parts.db.all<OwnKeyRow>(sql, apiKey, nowMs, limit)
  }
}
