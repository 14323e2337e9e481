/** Links in emails to existing persons, and periods without withdrawals. A token is stored as its digest. */
import { setFact } from './facts.ts'
import type { StoreParts } from './people.ts'

/**
 * FREEZE: freezes, gives no access; UNFREEZE: lifts a freeze, with a passkey; RECOVER: with a code, recovers;
 * RESET: recovers, as two operators have decided.
 */
export type LinkKind = 'FREEZE' | 'UNFREEZE' | 'RECOVER' | 'RESET'

export type Link = {
  readonly token_digest: Uint8Array
  readonly owner: string
  readonly kind: LinkKind
  readonly created_ms: number
  readonly expires_ms: number
}

export type Rest = { readonly owner: string; readonly account: string }

export class Links {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  add({ token_digest, owner, kind, created_ms, expires_ms }: Link): void {
    this.#parts.db.run(
      'INSERT INTO link VALUES (?, ?, ?, ?, ?)',
      token_digest,
      owner,
      kind,
      created_ms,
      expires_ms,
    )
  }

  /** Undefined if there is none of this kind, it was used, or it has expired. */
  find(tokenDigest: Uint8Array, kind: LinkKind, nowMs: number): Link | undefined {
    const sql = 'SELECT * FROM link WHERE token_digest = ? AND kind = ? AND expires_ms > ?'
    return this.#parts.db.get<Link>(sql, tokenDigest, kind, nowMs)
  }

  /** The number of links of this kind that were created since a time. */
  countSince(owner: string, kind: LinkKind, sinceMs: number): number {
    const sql = 'SELECT count(*) AS count FROM link WHERE owner = ? AND kind = ? AND created_ms >= ?'
    return this.#parts.db.get<{ count: number }>(sql, owner, kind, sinceMs)?.count ?? 0
  }

  /** Ends all links of a kind except the newest ones; `count`: the number of links that stay. */
  keepNewest(owner: string, kind: LinkKind, count: number): void {
    const sql = `DELETE FROM link WHERE owner = ?1 AND kind = ?2 AND token_digest NOT IN
      (SELECT token_digest FROM link WHERE owner = ?1 AND kind = ?2 ORDER BY created_ms DESC LIMIT ?3)`
    this.#parts.db.run(sql, owner, kind, count)
  }

  /** Does the work of writing a link for a person who does not exist, so that it takes the same time. */
  writeDecoy(digest: Uint8Array): void {
    const { db } = this.#parts
    for (const name of ['decoy_link', 'decoy_freeze']) setFact(db, name, Buffer.from(digest).toString('hex'))
  }

  /** Ends all of the owner's links of one kind. */
  remove(owner: string, kind: LinkKind): void {
    this.#parts.db.run('DELETE FROM link WHERE owner = ? AND kind = ?', owner, kind)
  }

  removeOld(nowMs: number): void {
    this.#parts.db.run('DELETE FROM link WHERE expires_ms <= ?', nowMs)
  }

  /** Blocks withdrawals until this time; never shortens an earlier period. */
  rest(owner: string, untilMs: number): void {
    const sql = `INSERT INTO rest VALUES (?, ?) ON CONFLICT (owner)
      DO UPDATE SET until_ms = excluded.until_ms WHERE rest.until_ms < excluded.until_ms`
    this.#parts.db.run(sql, owner, untilMs)
  }

  endRest(owner: string): void {
    this.#parts.db.run('DELETE FROM rest WHERE owner = ?', owner)
  }

  /** Undefined if withdrawals are not blocked. */
  restsUntil(owner: string): number | undefined {
    const sql = 'SELECT until_ms FROM rest WHERE owner = ?'
    return this.#parts.db.get<{ until_ms: number }>(sql, owner)?.until_ms
  }

  /** Periods without withdrawals that are over. */
  restsOver(nowMs: number): readonly Rest[] {
    const sql = 'SELECT owner, account FROM rest JOIN person USING (owner) WHERE until_ms <= ? LIMIT 1000'
    return this.#parts.db.all<Rest>(sql, nowMs)
  }
}
