/**
 * Prepares statements together: if one fails, all are released, so that SQLite does not keep the file open
 * for them.
 */
import type { Database, SQLQueryBindings, Statement } from 'bun:sqlite'

export type Statements<Name extends string> = Readonly<Record<Name, Statement<unknown, SQLQueryBindings[]>>>

/** Throws SQLite's error if a statement does not fit the tables. */
export function prepareAll<Name extends string>(
  db: Database,
  sqlByName: Readonly<Record<Name, string>>,
): Statements<Name> {
  const statements: Partial<Record<Name, Statement<unknown, SQLQueryBindings[]>>> = {}
  try {
    for (const name of Object.keys(sqlByName) as Name[]) statements[name] = db.prepare(sqlByName[name])
    return statements as Statements<Name>
  } catch (error) {
    finalizeAll(statements)
    throw error
  }
}

export function finalizeAll(statements: Partial<Statements<string>>): void {
  for (const statement of Object.values(statements)) statement?.finalize()
}
