import { expect, test } from 'bun:test'
import { type DatabaseIdentity, KnownDatabase, type KnownDatabaseStore } from './identity.ts'

const at = (systemIdentifier: string, timeline: number): DatabaseIdentity => ({ systemIdentifier, timeline })

function kept(known?: DatabaseIdentity) {
  const store: KnownDatabaseStore & { kept: DatabaseIdentity | undefined } = {
    kept: known,
    read: () => store.kept,
    write: (identity) => {
      store.kept = identity
    },
  }
  return store
}

test('an engine leads on the database on which it has led, or a later timeline of it, and on no other', () => {
  const database = new KnownDatabase(kept(at('70', 3)))
  const required = (found: DatabaseIdentity | undefined) => () => database.require(found)
  for (const right of [at('70', 3), at('70', 4), undefined]) expect(required(right)).not.toThrow()
  expect(required(at('71', 3))).toThrow('it is another database')
  expect(required(at('70', 2))).toThrow('it is a former primary, or was rolled back')
})

test('the timeline on which an engine has led is stored, and an earlier one is refused from then on', () => {
  const store = kept(at('70', 3))
  const database = new KnownDatabase(store)
  database.led(at('70', 5))
  expect(store.kept).toEqual(at('70', 5))
  expect(() => new KnownDatabase(store).require(at('70', 4))).toThrow('rolled back')
  expect(() => database.require(at('70', 4))).toThrow('rolled back')
})

test('an operator who accepts another database accepts the next one that is found, once', () => {
  const store = kept(at('70', 3))
  const database = new KnownDatabase(store, true)
  database.require(at('71', 1))
  expect(store.kept).toEqual(at('71', 1))
  expect(() => database.require(at('72', 1))).toThrow('it is another database')
  expect(() => database.require(at('70', 3))).toThrow('it is another database')
})
