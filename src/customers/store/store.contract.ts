/**
 * Rules for every customer store, whatever its database. The last rule checks that the others call every
 * method of every class.
 */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { Factors } from './factors.ts'
import { Invitations } from './invitations.ts'
import { KeyFile } from './key-file.ts'
import { Links } from './links.ts'
import { MailChanges } from './mail-changes.ts'
import { Marks } from './marks.ts'
import { OwnKeyRows } from './own-keys.ts'
import { People, type Person } from './people.ts'
import { Records } from './records.ts'
import { Requests } from './requests.ts'
import { SealFault } from './sealing.ts'
import { Sessions } from './sessions.ts'
import { StoreAwayFault, StoreFault } from './sql.ts'
import type { Store } from './store.ts'
import { describeRows } from './store-rows.contract.ts'
import { DAY, digest, MINUTE, NOW, ORIGIN } from './store-values.fixture.ts'

/** The place where a store is kept: empty at first. */
export type StorePlace = {
  /** Opens a store on the same rows, as another process would. */
  readonly open: (rpId?: string) => Store
  readonly discard: () => void | Promise<void>
}

const PARTS = {
  ...{ keys: KeyFile, people: People, sessions: Sessions, records: Records, links: Links, factors: Factors },
  ...{ invitations: Invitations, marks: Marks, ownKeys: OwnKeyRows, mailChanges: MailChanges },
  requests: Requests,
} as const

type PartName = keyof typeof PARTS

const random = (size: number) => new Uint8Array(randomBytes(size))
const DETAILS = { language: 'tr', termsVersion: 3, phrase: "quote ' and \\ and ? and $1 and \u0000" } as const

/** The methods that were called, by part. */
class Called {
  readonly #names = new Set<string>()

  watch(store: Store): Store {
    for (const part of Object.keys(PARTS) as PartName[]) {
      const prototype = PARTS[part].prototype as unknown as Record<string, unknown>
      for (const name of methodsOf(PARTS[part])) {
        const real = prototype[name] as (...values: unknown[]) => unknown
        const value = (...values: unknown[]) => {
          this.#names.add(`${part}.${name}`)
          return real.apply(store[part], values)
        }
        Object.defineProperty(store[part], name, { value })
      }
    }
    return store
  }

  missing(): readonly string[] {
    const all = (Object.keys(PARTS) as PartName[]).flatMap((part) =>
      methodsOf(PARTS[part]).map((name) => `${part}.${name}`),
    )
    return all.filter((name) => !this.#names.has(name))
  }
}

function methodsOf(part: { readonly prototype: object }): readonly string[] {
  return Object.getOwnPropertyNames(part.prototype).filter((name) => name !== 'constructor')
}

export function storeContract(what: string, newPlace: () => StorePlace | Promise<StorePlace>): void {
  describe(what, () => {
    const called = new Called()
    const opened: Store[] = []
    let place: StorePlace
    let store: Store
    const open = (rpId?: string): Store => {
      const one = called.watch(place.open(rpId))
      opened.push(one)
      return one
    }
    beforeEach(async () => {
      place = await newPlace()
      store = open()
    })
    afterEach(async () => {
      for (const one of opened.splice(0)) one.close()
      await place.discard()
    })

    /** A person with a key; `name` determines account and email address. */
    const addPerson = (name: string, at = NOW, one = store): Person => {
      const made = one.keys.newOwner()
      const mail = `${name}@example.org`
      const fields = { account: `c-${name}`, handle: random(32), created_ms: at }
      one.people.add(fields, one.keys.mailIndex(mail), { ...DETAILS, mail }, made)
      return one.people.byOwner(made.owner) as Person
    }
    const keyOf = ({ owner }: Person): Uint8Array => store.keys.keyOf(owner) as Uint8Array
    const addSession = (
      person: Person,
      fill: number,
      more: { key?: string; at?: number; end?: number } = {},
    ) => {
      const { key, at = NOW, end = NOW + DAY } = more
      const terms = {
        token_digest: digest(fill),
        id: `s${fill}`,
        owner: person.owner,
        level: 'SESSION',
      } as const
      const keys = { key_name: key ?? null, public_key: key === undefined ? null : random(32) }
      store.sessions.add({ ...terms, ...keys, created_ms: at, ends_ms: end, origin: ORIGIN }, keyOf(person))
    }
    const addPasskey = (person: Person, id: string, one = store) =>
      one.people.addPasskey({
        ...{ id, owner: person.owner, public_key: random(77), counter: 4_294_967_295, label: `Key ${id} 🔑` },
        ...{ transports: 'usb,nfc', created_ms: NOW },
      })

    test('an empty store has nothing, and says so without an error', () => {
      const { people, sessions, records, links, factors, invitations, marks, ownKeys, requests } = store
      expect(people.byOwner('x')).toBeUndefined()
      expect(people.byAccount('x')).toBeUndefined()
      expect(people.byMail(digest(1))).toBeUndefined()
      expect(people.passkey('x')).toBeUndefined()
      expect(people.signUp(digest(1))).toBeUndefined()
      expect([...people.pending(), ...people.after('', 10), ...people.passkeys('x')]).toEqual([])
      expect(people.removeSignUps(digest(1))).toEqual([])
      expect([people.signUpCount(), people.waitingCount(), sessions.count(), invitations.count()]).toEqual([
        0, 0, 0, 0,
      ])
      expect(people.countByState()).toEqual({ CONFIRMED: 0, WAITING: 0, PENDING: 0, ACTIVE: 0 })
      expect(sessions.byToken(digest(1))).toBeUndefined()
      expect([...sessions.endedKeys(), ...sessions.keysAfter('', 10)]).toEqual([])
      expect([
        records.head(),
        records.firstBroken(),
        records.journaledHead(),
        records.differsSince(),
      ]).toEqual([...[undefined, undefined, undefined, undefined]])
      expect([records.hashAt(1), records.mailDue(NOW), links.restsUntil('x')]).toEqual([...Array(3)])
      expect([factors.passwordOf('x'), factors.totpOf('x'), marks.of('x'), requests.dueMail('x')]).toEqual([
        ...Array(4),
      ])
      expect([...ownKeys.of('x'), ...requests.dueMails(NOW), ...links.restsOver(NOW)]).toEqual([])
      expect(sessions.removeOld(NOW, NOW)).toBe(0)
      expect(store.keys.owners()).toEqual([])
    })

    test('a person is found by owner, account and mail, and stored values are read back', () => {
      const jo = addPerson('jo')
      expect(store.people.byAccount('c-jo')).toEqual(jo)
      expect(store.people.byMail(store.keys.mailIndex('JO@Example.org'))).toEqual(jo)
      expect(jo).toMatchObject({ account: 'c-jo', state: 'CONFIRMED', created_ms: NOW })
      expect(jo.handle).toBeInstanceOf(Uint8Array)
      expect([jo.handle.length, jo.handle.byteLength]).toEqual([32, 32])
      expect(store.people.detailsOf(jo)).toEqual({ ...DETAILS, mail: 'jo@example.org' })
      const index = store.keys.mailIndex('new@example.org')
      store.people.setDetails(jo.owner, { ...DETAILS, mail: 'new@example.org' }, index)
      const changed = store.people.byMail(index) as Person
      expect(store.people.detailsOf(changed)?.mail).toBe('new@example.org')
      // A field is sealed for one place only.
      expect(() => store.people.detailsOf({ ...changed, owner: addPerson('other').owner })).toThrow(SealFault)
    })

    test('persons are listed by account in the order of its bytes, page by page, and by state', () => {
      for (const name of ['a', 'B', 'ä', '0', 'z', 'Zoe', '_']) addPerson(name)
      const all = store.people.after('', 100).map(({ account }) => account)
      expect(all).toEqual(['c-0', 'c-B', 'c-Zoe', 'c-_', 'c-a', 'c-z', 'c-ä'])
      const paged: string[] = []
      for (let last = ''; ; ) {
        const page = store.people.after(last, 2).map(({ account }) => account)
        if (page.length === 0) break
        expect(page.length).toBeLessThanOrEqual(2)
        paged.push(...page)
        last = page.at(-1) ?? ''
      }
      expect(paged).toEqual(all)
      const [first, second, third] = store.people.after('', 3) as readonly Person[] as [
        Person,
        Person,
        Person,
      ]
      store.people.become(first.owner, 'PENDING', 'CONFIRMED')
      store.people.become(second.owner, 'WAITING', 'CONFIRMED')
      store.people.become(third.owner, 'ACTIVE', 'CONFIRMED')
      expect(store.people.pending().map(({ owner }) => owner)).toEqual([first.owner])
      expect(store.people.after('', 10, 'WAITING').map(({ owner }) => owner)).toEqual([second.owner])
      expect(store.people.waitingCount()).toBe(1)
      expect(store.people.countByState()).toEqual({ CONFIRMED: 4, WAITING: 1, PENDING: 1, ACTIVE: 1 })
      expect(store.people.unfinished(NOW)).toEqual([])
      expect(store.people.unfinished(NOW + 1)).toHaveLength(4)
    })

    test('a passkey keeps its bytes, its counter and its label; storing it a second time changes nothing', () => {
      const jo = addPerson('jo')
      const ann = addPerson('ann')
      addPasskey(jo, 'first')
      addPasskey(jo, 'second')
      const [first] = store.people.passkeys(jo.owner)
      expect(first).toMatchObject({
        id: 'first',
        counter: 4_294_967_295,
        transports: 'usb,nfc',
        used_ms: null,
      })
      expect(first?.public_key).toHaveLength(77)
      expect(store.people.labelOf(store.people.passkey('first') as NonNullable<typeof first>)).toBe(
        'Key first 🔑',
      )
      expect(() => addPasskey(ann, 'first')).toThrow()
      expect(() =>
        store.atOnce(() => {
          addPasskey(ann, 'third')
          addPasskey(ann, 'first')
        }),
      ).toThrow()
      expect(store.people.passkeys(ann.owner)).toEqual([])
      expect(store.people.passkey('first')?.owner).toBe(jo.owner)
      store.people.setLabel({ id: 'first', owner: jo.owner }, '')
      store.people.usedPasskey('first', 4_294_967_296, NOW + 5)
      const used = store.people.passkey('first')
      expect(used).toMatchObject({ counter: 4_294_967_296, used_ms: NOW + 5 })
      expect(store.people.labelOf(used as NonNullable<typeof used>)).toBe('')
      store.people.removePasskey('first')
      expect(store.people.passkeys(jo.owner).map(({ id }) => id)).toEqual(['second'])
    })

    test('two persons cannot have one mail or one account', () => {
      const jo = addPerson('jo')
      expect(() => addPerson('jo')).toThrow()
      const ann = addPerson('ann')
      expect(() => store.people.setDetails(ann.owner, { ...DETAILS, mail: 'x' }, jo.mail_index)).toThrow()
      expect(store.people.after('', 10)).toEqual([ann, jo])
    })

    test('sign-ups are found by their token, counted by address and time, and removed with their owners', () => {
      const [index, other] = [store.keys.mailIndex('a@example.org'), store.keys.mailIndex('b@example.org')]
      const add = (fill: number, mailIndex: Uint8Array, at: number) => {
        const terms = { ...store.keys.newOwner(), isKnown: fill === 1, nowMs: at, expiresMs: at + MINUTE }
        store.people.addSignUp(digest(fill), mailIndex, { ...DETAILS, mail: `m${fill}` }, terms)
        return terms.owner
      }
      const owners = [add(1, index, NOW), add(2, index, NOW + 10), add(3, other, NOW + 20)]
      const first = store.people.signUp(digest(1))
      expect(first).toMatchObject({ owner: owners[0] as string, is_known: 1, expires_ms: NOW + MINUTE })
      expect(store.people.detailsOfSignUp(first as NonNullable<typeof first>)?.mail).toBe('m1')
      expect(store.people.signUp(digest(2))?.is_known).toBe(0)
      expect(store.people.signUpCount()).toBe(3)
      expect(store.people.signUpCounts(index, NOW + 10)).toEqual({ all: 3, recent: 1 })
      expect(store.people.removeOldSignUps(NOW + MINUTE)).toEqual([owners[0] as string])
      expect(store.people.removeSignUps(index)).toEqual([owners[1] as string])
      expect(store.people.signUpCount()).toBe(1)
    })

    describeRows(() => ({ store, addPerson, keyOf, addSession, addPasskey }))

    test('an erasure leaves the trail without its content, the ends of keys, and nothing else', () => {
      const [jo, ann] = [addPerson('jo'), addPerson('ann')]
      const { keys, people, records, sessions, factors, invitations } = store
      addPasskey(jo, 'p')
      addPasskey(ann, 'q')
      addSession(jo, 1, { key: 's-jo' })
      factors.setPassword(jo.owner, 'hash')
      invitations.bind(jo.owner, 'i')
      records.note(jo.owner, 'SIGNED_UP', ORIGIN, NOW)
      const signUp = { ...keys.newOwner(), isKnown: true, nowMs: NOW, expiresMs: NOW + MINUTE }
      people.addSignUp(digest(1), jo.mail_index, { ...DETAILS, mail: 'x' }, signUp)
      records.addMail(
        { owner: jo.owner, kind: 'FROZEN', at_ms: NOW },
        { to: 'x', language: 'en', token: '' },
        keyOf(jo),
      )
      const headBefore = records.head()
      store.erase(jo)
      expect([people.byOwner(jo.owner), keys.keyOf(jo.owner), keys.keyOf(signUp.owner)]).toEqual([
        ...Array(3),
      ])
      expect([people.signUpCount(), records.mailsWaiting(), factors.passwordOf(jo.owner)]).toEqual([
        0,
        0,
        undefined,
      ])
      expect([people.passkey('p'), sessions.byToken(digest(1)), invitations.of(jo.owner)]).toEqual([
        ...Array(3),
      ])
      expect([records.historyOf(jo.owner, 10), sessions.endedKeys()]).toEqual([[], ['s-jo']])
      expect([records.head(), records.firstBroken()]).toEqual([headBefore, undefined])
      expect(people.passkey('q')?.owner).toBe(ann.owner)
      // A repeat has nothing left to erase.
      store.erase(jo)
      expect(keys.owners()).toEqual([ann.owner])
    })

    test('a transaction is stored completely or not at all, also within another one', () => {
      const jo = addPerson('jo')
      const failure = new Error('stops in between')
      expect(() =>
        store.atOnce(() => {
          store.people.become(jo.owner, 'ACTIVE', 'CONFIRMED')
          store.atOnce(() => store.marks.want(jo.owner))
          throw failure
        }),
      ).toThrow(failure)
      expect(store.people.byOwner(jo.owner)?.state).toBe('CONFIRMED')
      expect(store.marks.of('c-jo')?.wanted_epoch).toBeNull()
      expect(store.atOnce(() => store.atOnce(() => store.people.byOwner(jo.owner)?.account))).toBe('c-jo')
      expect(store.atOnce(() => 7)).toBe(7)
      store.atOnce(() => store.people.become(jo.owner, 'ACTIVE', 'CONFIRMED'))
      expect(store.people.byOwner(jo.owner)?.state).toBe('ACTIVE')
    })

    test('another process reads what was stored, with the same keys', () => {
      const jo = addPerson('jo')
      const other = open()
      expect(other.people.detailsOf(other.people.byOwner(jo.owner) as Person)?.mail).toBe('jo@example.org')
      expect(other.keys.mailIndex('jo@example.org')).toEqual(store.keys.mailIndex('jo@example.org'))
      expect(other.keys.nobodysKey()).toEqual(store.keys.nobodysKey())
      expect([...other.keys.keysOf([jo.owner, 'none'])]).toEqual([[jo.owner, keyOf(jo)]])
      // Keys that are sent to a copy.
      const sealed = store.keys.sealForCopy(new Map([['copied', digest(3)]]), random)
      other.keys.takeFromNode(sealed)
      other.keys.takeFromNode(sealed)
      expect(store.keys.keyOf('copied')).toEqual(digest(3))
      other.keys.destroy('copied')
      other.keys.scrub()
      expect(store.keys.keyOf('copied')).toBeUndefined()
    })

    test('work in progress when the process stops finds an unavailable store', () => {
      const jo = addPerson('jo')
      const one = open()
      one.close()
      expect(() => one.people.byOwner(jo.owner)).toThrow(StoreAwayFault)
      expect(() => one.people.after('', 10)).toThrow(StoreAwayFault)
      expect(() => one.people.become(jo.owner, 'ACTIVE', 'CONFIRMED')).toThrow(StoreAwayFault)
      expect(() => one.atOnce(() => one.people.become(jo.owner, 'ACTIVE', 'CONFIRMED'))).toThrow(
        StoreAwayFault,
      )
      expect(() => one.keys.keyOf(jo.owner)).toThrow(StoreAwayFault)
      one.close()
      expect(store.people.byOwner(jo.owner)?.state).toBe('CONFIRMED')
    })

    test('another domain is refused while there are passkeys, and says how many', () => {
      const jo = addPerson('jo')
      place.open('first.example').close()
      addPasskey(jo, 'p', open('second.example'))
      const refusal = 'expected second.example, to which 1 passkey is bound, found third.example'
      expect(() => place.open('third.example')).toThrow(StoreFault)
      expect(() => place.open('third.example')).toThrow(refusal)
      place.open('second.example').close()
    })

    afterAll(() => {
      // The store itself calls `close`.
      expect(called.missing()).toEqual([])
    })
  })
}
