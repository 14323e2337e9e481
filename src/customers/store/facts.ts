/** Facts about the whole store, by their names. */
import type { Sql } from './sql.ts'

/** Undefined if it is not set. */
export function factOf(db: Sql, name: string): string | undefined {
  return db.get<{ value: string }>('SELECT value FROM fact WHERE name = ?', name)?.value
}

export function setFact(db: Sql, name: string, value: string): void {
  const sql = 'INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
  db.run(sql, name, value)
}

export function removeFact(db: Sql, name: string): void {
  db.run('DELETE FROM fact WHERE name = ?', name)
}
