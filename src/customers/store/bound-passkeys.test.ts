import { Database } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bindPasskeys } from './bound-passkeys.ts'
import { STORE_FILE, STORE_FORM } from './schema.ts'
import { Store } from './store.ts'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-customers-'))
  directories.push(directory)
  return directory
}

const random = (size: number) => new Uint8Array(randomBytes(size))

function addPasskeys(store: Store, count: number): void {
  const person = store.keys.newOwner()
  const details = { mail: 'jo@example.org', language: 'en', termsVersion: 1 } as const
  const fields = { account: 'c-a', handle: random(32), created_ms: 1 }
  store.people.add(fields, store.keys.mailIndex(details.mail), details, person)
  const passkey = { public_key: random(32), counter: 0, transports: '', created_ms: 1, label: '' }
  for (let i = 0; i < count; i++) store.people.addPasskey({ ...passkey, id: `p${i}`, owner: person.owner })
}

test('a start with another RP id is refused while there are passkeys, and says how many', () => {
  const directory = newDirectory()
  Store.open({ directory, randomBytes: random, rpId: 'first.example' }).close()
  // Without passkeys the domain may change.
  bindPasskeys(directory, 'old.example')
  const store = Store.open({ directory, randomBytes: random, rpId: 'old.example' })
  addPasskeys(store, 3)
  store.close()
  const refusal = 'expected old.example, to which 3 passkeys are bound, found new.example'
  expect(() => bindPasskeys(directory, 'new.example')).toThrow(refusal)
  expect(() => Store.open({ directory, randomBytes: random, rpId: 'new.example' })).toThrow(refusal)
  bindPasskeys(directory, 'old.example')
})

test('a directory without a store stays without one', () => {
  const directory = newDirectory()
  bindPasskeys(directory, 'new.example')
  expect(existsSync(join(directory, STORE_FILE))).toBe(false)
})

test('a store of the first version is updated, and its passkeys are those of localhost', () => {
  const directory = newDirectory()
  const db = new Database(join(directory, STORE_FILE), { create: true })
  db.run(STORE_FORM.steps[0] as string)
  db.run(`PRAGMA application_id = ${STORE_FORM.applicationId}`)
  db.run('PRAGMA user_version = 1')
  db.close()
  const store = Store.open({ directory, randomBytes: random, rpId: 'localhost' })
  addPasskeys(store, 1)
  store.close()
  expect(() => bindPasskeys(directory, 'new.example')).toThrow('1 passkey is bound')
})

test('a store of a later version is refused', () => {
  const directory = newDirectory()
  Store.open({ directory, randomBytes: random, rpId: 'localhost' }).close()
  const later = STORE_FORM.steps.length + 1
  const db = new Database(join(directory, STORE_FILE))
  db.run(`PRAGMA user_version = ${later}`)
  db.close()
  expect(() => Store.open({ directory, randomBytes: random, rpId: 'localhost' })).toThrow(`found ${later}`)
})
