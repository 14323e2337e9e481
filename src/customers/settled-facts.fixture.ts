/** Facts about a store and its exchange when two processes have settled, and faults in them. */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Rig } from './customers.fixture.ts'
import { journalAllChanges } from './people/journal-marks.ts'
import { STORE_FILE } from './store/schema.ts'

/** The compared values of a store: mostly counts, and no random names, times or ciphertexts. */
const COUNTED: Readonly<Record<string, string>> = {
  people: 'SELECT state, is_old, count(*) FROM person GROUP BY 1, 2',
  passkeys: 'SELECT count(*) FROM passkey',
  sessions: 'SELECT level, count(*) FROM session GROUP BY 1',
  ended: 'SELECT count(*) FROM ended_key',
  mails: 'SELECT kind, count(*) FROM mail GROUP BY 1',
  trail: 'SELECT kind, count(*) FROM trail GROUP BY 1',
  links: 'SELECT kind, count(*) FROM link GROUP BY 1',
  rests: 'SELECT count(*) FROM rest',
  invitations: 'SELECT uses, ends_ms < 0, count(*) FROM invitation GROUP BY 1, 2',
  invited: 'SELECT count(*) FROM invited',
  passwords: 'SELECT (SELECT count(*) FROM password), (SELECT count(*) FROM totp)',
  codes: 'SELECT count(*) FROM recovery_code',
  keys: 'SELECT ended_ms IS NULL, count(*) FROM own_key GROUP BY 1',
  changes: 'SELECT count(*) FROM mail_change',
  requests: 'SELECT (SELECT count(*) FROM recovery_request), (SELECT count(*) FROM due_mail)',
  changers: 'SELECT by_operator FROM mail_changer ORDER BY 1',
  asks: 'SELECT kind, by_operator, value FROM ask ORDER BY 1',
  signUps: 'SELECT is_known, count(*) FROM sign_up GROUP BY 1',
}

/** Violations of rules that always hold once both processes have settled. */
function faultsOf(rig: Rig): readonly string[] {
  const { store } = rig.context
  const faults: string[] = []
  const must = (isTrue: boolean, fault: string) => void (isTrue || faults.push(fault))
  must(store.records.firstBroken() === undefined, 'the trail is broken')
  const keys = store.sessions.keysAfter('', 1_000).map(({ name }) => name)
  const known = [...rig.exchange.keys.keys()].toSorted()
  must(
    keys.join() === known.join(),
    `the exchange has ${known.length} keys of sessions, the store ${keys.length}`,
  )
  for (const [account, mark] of rig.exchange.markByAccount) {
    const found = store.marks.of(account)
    must((found === undefined) === mark.isForgotten, `${mark.isForgotten ? 'kept' : 'lost'} a person`)
    if (found === undefined) continue
    must(found.wanted_epoch === null, 'a change is not journaled')
    must(found.epoch === mark.epoch, `the journal has the number ${mark.epoch}, the store ${found.epoch}`)
    const person = store.people.byOwner(found.owner)
    must(store.keys.keyOf(found.owner) !== undefined, 'a person without a key')
    const ways = store.people.passkeys(found.owner).length + (store.factors.hasPassword(found.owner) ? 1 : 0)
    must(person?.state !== 'ACTIVE' || ways > 0, 'a person cannot sign in')
    must(store.sessions.of(found.owner).length <= 20, 'too many sessions')
    const words = rig.exchange.restrictions.get(account) ?? new Set()
    const isOpen = store.sessions.of(found.owner).some(({ level }) => level === 'SESSION')
    must(!(words.has('LOGIN') && isOpen), 'a frozen account has a session')
    const rests = store.links.restsUntil(found.owner) !== undefined
    must(words.has('LOGIN') || words.has('WITHDRAW') === rests, 'withdrawals rest and have no end')
  }
  for (const owner of store.keys.owners()) {
    const isSomeones = store.people.byOwner(owner) !== undefined || isOfSignUp(rig, owner)
    must(isSomeones, 'a key seals nothing')
  }
  for (const error of rig.errors) faults.push(`logged ${JSON.stringify(error)}`)
  return faults
}

function isOfSignUp(rig: Rig, owner: string): boolean {
  return read(rig, `SELECT 1 FROM sign_up WHERE owner = '${owner}'`) !== '[]'
}

function read({ directory }: Rig, sql: string): string {
  const db = new Database(join(directory, STORE_FILE), { readwrite: true })
  try {
    return JSON.stringify(db.query(sql).values())
  } finally {
    db.close()
  }
}

/**
 * Lets both processes do their remaining work. Returns the facts of the store and the exchange, and the
 * faults in them, as text.
 */
export async function factsOf(one: Rig, other: Rig): Promise<string> {
  for (const { context } of [one, other]) {
    context.store.records.flush()
    context.askedMails.write()
    await context.openings.goOn()
    await context.announcer.announceEnded()
    await journalAllChanges(context)
  }
  const stored = Object.entries(COUNTED).map(([name, sql]) => `${name} ${read(one, sql)}`)
  const { restrictions, ownKeys, markByAccount, accounts } = one.exchange
  const words = [...restrictions.values()].map((set) => [...set].toSorted())
  const alive = ownKeys.filter(({ isRevoked }) => !isRevoked).length
  const marks = [...markByAccount.values()].map(({ epoch, isForgotten }) => [epoch, isForgotten])
  return [
    ...stored,
    `exchange ${JSON.stringify([accounts.length, words, alive, marks])}`,
    ...faultsOf(one).map((fault) => `FAULT ${fault}`),
    ...other.errors.map((error) => `FAULT logged ${JSON.stringify(error)}`),
  ].join('\n')
}
