/** Rules for the rows of every customer store, except persons and their passkeys. */
import { expect, test } from 'bun:test'
import type { Invitation } from './invitations.ts'
import type { Person } from './people.ts'
import { StoreAwayFault } from './sql.ts'
import type { Store } from './store.ts'
import { DAY, digest, MINUTE, NOW, ORIGIN } from './store-values.fixture.ts'

/** The store of a test, and the functions that create rows in it. */
export type RowMaking = {
  readonly store: Store
  readonly addPerson: (name: string) => Person
  readonly keyOf: (person: Person) => Uint8Array
  readonly addSession: (
    person: Person,
    fill: number,
    more?: { readonly key?: string; readonly at?: number; readonly end?: number },
  ) => void
  readonly addPasskey: (person: Person, id: string) => void
}

export function describeRows(rows: () => RowMaking): void {
  test('sessions are listed newest first, end with their keys, and expire at either end', () => {
    const { store, addPerson, addSession } = rows()
    const jo = addPerson('jo')
    store.people.become(jo.owner, 'ACTIVE', 'CONFIRMED')
    addSession(jo, 1, { key: 's-b', at: NOW })
    addSession(jo, 2, { key: 's-a', at: NOW + 1 })
    addSession(jo, 3, { at: NOW + 2, end: NOW + 3 })
    expect(store.sessions.of(jo.owner).map(({ id }) => id)).toEqual(['s3', 's2', 's1'])
    expect(store.sessions.count()).toBe(3)
    const one = store.sessions.byToken(digest(1))
    expect(one).toMatchObject({ id: 's1', key_name: 's-b', last_ms: NOW, ends_ms: NOW + DAY })
    expect(one?.public_key).toHaveLength(32)
    expect(store.sessions.byToken(digest(3))?.public_key).toBeNull()
    expect(store.sessions.originOf(one as NonNullable<typeof one>)).toEqual(ORIGIN)
    store.sessions.used(digest(1), NOW + MINUTE)
    expect(store.sessions.byToken(digest(1))?.last_ms).toBe(NOW + MINUTE)
    expect(store.sessions.keysAfter('', 1).map(({ name }) => name)).toEqual(['s-a'])
    expect(store.sessions.keysAfter('s-a', 10)).toMatchObject([
      { name: 's-b', account: 'c-jo', ends_ms: NOW + DAY },
    ])
    expect(store.sessions.removeOld(NOW + 3, NOW)).toBe(1)
    store.sessions.end(one as NonNullable<typeof one>)
    store.sessions.end(one as NonNullable<typeof one>)
    expect(store.sessions.endedKeys()).toEqual(['s-b'])
    store.sessions.forgetEnded(['s-b', 'none'])
    expect(store.sessions.endedKeys()).toEqual([])
    expect(store.sessions.removeOld(NOW, NOW + 2)).toBe(1)
    expect(store.sessions.of(jo.owner)).toEqual([])
  })

  test('owners of keys are paged, and known by their persons and sign-ups; without a key no row is added', () => {
    const { store, addPerson } = rows()
    const { keys, people } = store
    const jo = addPerson('jo')
    const [signUp, nobody] = [keys.newOwner(), keys.newOwner()]
    const terms = { isKnown: false, nowMs: NOW, expiresMs: NOW + DAY }
    const details = { language: 'en', termsVersion: 1, mail: 'ann@example.org' } as const
    const add = (owner: { owner: string; key: Uint8Array }, fill: number): void =>
      people.addSignUp(digest(fill), keys.mailIndex(details.mail), details, { ...owner, ...terms })
    add(signUp, 1)
    const all = [jo.owner, signUp.owner, nobody.owner].toSorted()
    const [first = '', second = '', last = ''] = all
    expect([keys.ownersAfter('', 2), keys.ownersAfter(second, 2)]).toEqual([[first, second], [last]])
    expect([...people.ownersBetween('', last)].toSorted()).toEqual([jo.owner, signUp.owner].toSorted())
    expect([...people.ownersBetween('', first), ...people.ownersBetween(first, last)]).toHaveLength(2)
    expect(all.filter((owner) => people.isOwner(owner))).toEqual([jo.owner, signUp.owner].toSorted())
    keys.destroy(nobody.owner)
    expect(() => add(nobody, 2)).toThrow(StoreAwayFault)
    const fields = { account: 'c-ann', handle: digest(3), created_ms: NOW }
    expect(() => people.add(fields, keys.mailIndex(details.mail), details, nobody)).toThrow(StoreAwayFault)
    expect(people.signUpCount()).toBe(1)
  })

  test('the trail is a chain, each person has 200 entries of a kind in a day, and a removed entry is noticed', async () => {
    const { store, addPerson } = rows()
    const jo = addPerson('jo')
    const { records } = store
    for (let i = 0; i < 201; i++)
      expect(records.note(jo.owner, 'SIGN_IN_FAILED', ORIGIN, NOW + i)).toBe(i < 200)
    const operator = { by: 'ops', reason: 'case 17', shownMs: NOW }
    expect(records.note(jo.owner, 'LOOKED_AT', { ...ORIGIN, operator }, NOW)).toBe(true)
    expect(records.note('nobody', 'LOOKED_AT', ORIGIN, NOW)).toBe(false)
    expect(records.note(jo.owner, 'SIGN_IN_FAILED', ORIGIN, NOW + DAY + 1)).toBe(true)
    records.noteLater(jo.owner, 'SIGNED_IN', ORIGIN, NOW)
    records.flush()
    expect(records.historyOf(jo.owner, 3)).toEqual([
      { at_ms: NOW, kind: 'SIGNED_IN', ...ORIGIN },
      { at_ms: NOW + DAY + 1, kind: 'SIGN_IN_FAILED', ...ORIGIN },
      { at_ms: NOW, kind: 'LOOKED_AT', ...ORIGIN, operator },
    ])
    expect(records.head()?.number).toBe(203)
    expect(records.hashAt(203)).toEqual(records.head()?.hash as Uint8Array)
    expect(records.firstBroken()).toBeUndefined()
    expect(await records.firstBrokenInPieces(async () => {})).toBeUndefined()
    expect(records.counts.SIGN_IN_FAILED).toBe(202)
  })

  test('an event is counted once and when it is stored, however often its transaction is run', () => {
    const { store, addPerson } = rows()
    const jo = addPerson('jo')
    const { records } = store
    const note = () => records.note(jo.owner, 'SIGNED_IN', ORIGIN, NOW)
    const failed = new Error('the work goes wrong')
    for (let run = 0; run < 2; run++)
      expect(() =>
        store.atOnce(() => {
          note()
          throw failed
        }),
      ).toThrow(failed)
    expect([records.counts.SIGNED_IN, records.head()]).toEqual([0, undefined])
    store.atOnce(() => {
      note()
      expect(records.counts.SIGNED_IN).toBe(0)
    })
    expect([records.counts.SIGNED_IN, records.head()?.number]).toEqual([1, 1])
    note()
    expect(records.counts.SIGNED_IN).toBe(2)
  })

  test('facts about the trail are replaced and removed', () => {
    const { store } = rows()
    const { records } = store
    records.setJournaledHead(7, NOW)
    records.setJournaledHead(8, NOW + 1)
    expect(records.journaledHead()).toEqual({ number: 8, atMs: NOW + 1 })
    records.setDiffersSince(NOW)
    expect(records.differsSince()).toBe(NOW)
    records.setDiffersSince(undefined)
    expect(records.differsSince()).toBeUndefined()
  })

  test('security mails are sent first, then those that have waited longest; one whose key is gone is dropped', () => {
    const { store, addPerson, keyOf } = rows()
    const { records } = store
    const [jo, gone] = [addPerson('jo'), addPerson('gone')]
    const add = (person: Person, kind: 'CONFIRM' | 'FROZEN' | 'RESET', at: number) =>
      records.addMail(
        { owner: person.owner, kind, at_ms: at },
        { to: `${kind}@example.org`, language: 'en', token: 'ş' },
        keyOf(person),
      )
    add(jo, 'CONFIRM', NOW)
    add(gone, 'FROZEN', NOW)
    add(jo, 'FROZEN', NOW + 1)
    add(jo, 'RESET', NOW + 2)
    store.keys.destroy(gone.owner)
    expect(records.mailsWaiting()).toBe(4)
    const due = records.mailDue(NOW)
    expect(due).toMatchObject({
      kind: 'FROZEN',
      to: 'FROZEN@example.org',
      token: 'ş',
      tries: 0,
      state: 'WAITING',
    })
    expect(records.mailsWaiting()).toBe(3)
    const claim = () => records.claimMail({ number: due?.number ?? 0, tries: 0 }, NOW + MINUTE)
    expect([claim(), claim()]).toEqual([true, false])
    // The end of an attempt, before a later attempt has begun.
    records.mailBecomes(due?.number ?? 0, 'BOUNCED', 0, 0)
    expect(records.mailDue(NOW)?.kind).toBe('RESET')
    records.mailBecomes(records.mailDue(NOW)?.number ?? 0, 'SENT', 1, 0)
    expect(records.mailDue(NOW)?.kind).toBe('CONFIRM')
    expect(records.mailDue(NOW + MINUTE)).toMatchObject({ kind: 'FROZEN', state: 'SENDING', tries: 1 })
    expect(records.mailsSince(jo.owner, NOW + 1)).toBe(1)
    expect(records.mails(2).map(({ kind }) => kind)).toEqual(['RESET', 'FROZEN'])
    records.removeMailsBefore(NOW + 1)
    expect(records.mails(10)).toHaveLength(2)
    records.removeMailsOf([jo.owner, 'none'])
    expect(records.mails(10)).toEqual([])
    records.writeDecoy(NOW, 'token')
    records.writeDecoy(NOW, 'token')
    expect(records.mailsWaiting()).toBe(0)
  })

  test('links end by use, by time and by newer ones; withdrawals pause until the latest end', () => {
    const { store, addPerson } = rows()
    const { links } = store
    const jo = addPerson('jo')
    for (let i = 1; i <= 4; i++)
      links.add({
        token_digest: digest(i),
        owner: jo.owner,
        kind: 'FREEZE',
        created_ms: NOW + i,
        expires_ms: NOW + DAY,
      })
    links.add({
      token_digest: digest(9),
      owner: jo.owner,
      kind: 'RECOVER',
      created_ms: NOW,
      expires_ms: NOW + 5,
    })
    expect(links.find(digest(9), 'RECOVER', NOW + 4)?.owner).toBe(jo.owner)
    expect(links.find(digest(9), 'RECOVER', NOW + 5)).toBeUndefined()
    expect(links.find(digest(9), 'FREEZE', NOW)).toBeUndefined()
    expect(links.countSince(jo.owner, 'FREEZE', NOW + 2)).toBe(3)
    links.keepNewest(jo.owner, 'FREEZE', 2)
    expect([1, 2, 3, 4].map((i) => links.find(digest(i), 'FREEZE', NOW) !== undefined)).toEqual([
      ...[false, false, true, true],
    ])
    expect(links.find(digest(9), 'RECOVER', NOW)).toBeDefined()
    links.removeOld(NOW + 5)
    expect(links.find(digest(9), 'RECOVER', NOW)).toBeUndefined()
    links.remove(jo.owner, 'FREEZE')
    expect(links.countSince(jo.owner, 'FREEZE', 0)).toBe(0)
    links.writeDecoy(digest(1))
    links.writeDecoy(digest(2))
    links.rest(jo.owner, NOW + 10)
    links.rest(jo.owner, NOW + 5)
    expect(links.restsUntil(jo.owner)).toBe(NOW + 10)
    links.rest(jo.owner, NOW + 20)
    expect(links.restsOver(NOW + 19)).toEqual([])
    expect(links.restsOver(NOW + 20)).toEqual([{ owner: jo.owner, account: 'c-jo' }])
    links.endRest(jo.owner)
    expect(links.restsUntil(jo.owner)).toBeUndefined()
  })

  test('password, app, recovery codes and browsers are replaced, used once, and removed', () => {
    const { store, addPerson } = rows()
    const { factors } = store
    const jo = addPerson('jo')
    factors.setPassword(jo.owner, 'first')
    factors.setPassword(jo.owner, 'hash')
    expect(factors.passwordOf(jo.owner)).toBe('hash')
    expect(factors.hasPassword(jo.owner)).toBe(false)
    factors.setTotp(jo.owner, { secret: 'A', lastStep: 1 })
    factors.setTotp(jo.owner, { secret: 'B', lastStep: 5_000_000_000 })
    expect(factors.totpOf(jo.owner)).toEqual({ secret: 'B', lastStep: 5_000_000_000 })
    expect(factors.hasPassword(jo.owner)).toBe(true)
    expect(
      [5_000_000_001, 5_000_000_001, 5_000_000_000].map((step) => factors.useStep(jo.owner, step)),
    ).toEqual([...[true, false, false]])
    factors.setRecoveryCodes(jo.owner, ['old'])
    factors.setRecoveryCodes(jo.owner, ['one', 'two'])
    expect(factors.recoveryCodesLeft(jo.owner)).toBe(2)
    expect(['old', 'one', 'two'].map((code) => factors.hasRecoveryCode(jo.owner, code))).toEqual([
      false,
      true,
      true,
    ])
    expect(['one', 'one'].map((code) => factors.useRecoveryCode(jo.owner, code))).toEqual([true, false])
    for (let i = 0; i < 21; i++) factors.addDevice(jo.owner, digest(i), NOW + i)
    expect([0, 1, 20].map((i) => factors.isDevice(jo.owner, digest(i)))).toEqual([false, true, true])
    factors.addDevice(jo.owner, digest(1), NOW + 30)
    factors.addDevice(jo.owner, digest(40), NOW + 40)
    expect([1, 2].map((i) => factors.isDevice(jo.owner, digest(i)))).toEqual([true, false])
    factors.forgetDevices(jo.owner)
    expect(factors.isDevice(jo.owner, digest(1))).toBe(false)
    factors.removePassword(jo.owner)
    expect([factors.passwordOf(jo.owner), factors.totpOf(jo.owner)]).toEqual([undefined, undefined])
    expect(factors.readNothing()).toBeUndefined()
  })

  test('an invitation is used as often as it allows, by its address, until its end', () => {
    const { store } = rows()
    const { invitations } = store
    const made: Invitation = {
      ...{ id: 'i1', code_digest: digest(1), mail_index: null, uses_max: 2, uses: 0, by_operator: 'ops' },
      ...{ created_ms: NOW, ends_ms: NOW + DAY },
    }
    invitations.add(made)
    invitations.add({ ...made, id: 'i2', code_digest: digest(2), mail_index: digest(7) })
    expect(() => invitations.add({ ...made, id: 'i3' })).toThrow()
    expect(invitations.count()).toBe(2)
    expect(invitations.after('', 1)).toEqual([made])
    expect(invitations.after('i1', 10).map(({ id }) => id)).toEqual(['i2'])
    expect(invitations.usable(digest(1), digest(9), NOW)?.id).toBe('i1')
    expect(invitations.usable(digest(2), digest(9), NOW)).toBeUndefined()
    expect(invitations.usable(digest(2), digest(7), NOW)?.id).toBe('i2')
    expect([1, 2, 3].map(() => invitations.use('i1', NOW))).toEqual([true, true, false])
    expect(invitations.usable(digest(1), digest(9), NOW)).toBeUndefined()
    invitations.bind('owner', 'i1')
    expect(invitations.of('owner')).toBe('i1')
    invitations.unbind('owner')
    expect(invitations.of('owner')).toBeUndefined()
    expect(invitations.end('i2', NOW + 5)).toBe(true)
    expect(invitations.end('i2', NOW + 9)).toBe(true)
    expect(invitations.end('none', NOW)).toBe(false)
    expect(invitations.after('i1', 1)[0]?.ends_ms).toBe(NOW + 5)
    invitations.removeOld(NOW + 6)
    expect(invitations.count()).toBe(1)
    invitations.add({ ...made, id: 'i4', code_digest: digest(4), mail_index: digest(8) })
    invitations.removeOf(digest(8))
    expect(invitations.after('', 10).map(({ id }) => id)).toEqual(['i1'])
  })

  test('a claim is held by one process until it is released, its process starts again, or its time is over', () => {
    const { claims } = rows().store
    const claim = (process: string) => ({ name: 'work', process, holder: `${process}1` })
    const take = (process: string, nowMs = NOW) => claims.take(claim(process), nowMs, MINUTE)
    expect([take('a'), take('b'), take('a')]).toEqual([true, false, false])
    claims.release(claim('b'))
    expect(take('b')).toBe(false)
    claims.release(claim('a'))
    expect(take('b')).toBe(true)
    claims.removeOf('b')
    expect([take('a'), take('b', NOW + MINUTE), take('a', NOW + MINUTE)]).toEqual([true, true, false])
    claims.removeOld(NOW + MINUTE)
    expect(take('a', NOW + MINUTE)).toBe(false)
    claims.removeOld(NOW + 2 * MINUTE)
    expect(take('a', NOW + MINUTE)).toBe(true)
  })

  test('each failure postpones the time from which all attempts are allowed again', () => {
    const { failures } = rows().store
    failures.add('jo', NOW, MINUTE)
    failures.add('jo', NOW + 1, MINUTE)
    expect([failures.fullMs('jo'), failures.fullMs('ann')]).toEqual([NOW + 2 * MINUTE, undefined])
    failures.add('jo', NOW + 9 * MINUTE, MINUTE)
    expect(failures.fullMs('jo')).toBe(NOW + 10 * MINUTE)
    failures.add('ann', NOW, MINUTE)
    failures.remove('ann')
    expect(failures.fullMs('ann')).toBeUndefined()
    failures.removeOld(NOW + 10 * MINUTE)
    expect(failures.fullMs('jo')).toBeUndefined()
  })

  test('changes that the journal must count wait until it has reached their number', () => {
    const { store, addPerson, addPasskey } = rows()
    const { marks } = store
    const jo = addPerson('jo')
    store.people.become(jo.owner, 'ACTIVE', 'CONFIRMED')
    expect(marks.of('c-jo')).toEqual({ owner: jo.owner, epoch: 0, wanted_epoch: null })
    marks.want(jo.owner)
    marks.want(jo.owner)
    expect(marks.wanted()).toEqual([{ owner: jo.owner, account: 'c-jo', epoch: 0, wanted_epoch: 2 }])
    expect(marks.wanted(jo.owner)).toHaveLength(1)
    expect(marks.wanted('other')).toEqual([])
    marks.reached(jo.owner, 1)
    expect(marks.of('c-jo')).toMatchObject({ epoch: 1, wanted_epoch: 2 })
    marks.reached(jo.owner, 2)
    // The answer to an earlier change arrived late.
    marks.reached(jo.owner, 1)
    expect(marks.of('c-jo')).toMatchObject({ epoch: 2, wanted_epoch: null })
    addPasskey(jo, 'p')
    expect([store.people.hasPasskey('p'), store.people.hasPasskey('q')]).toEqual([true, false])
    marks.makeOld(jo.owner)
    expect([marks.isOld(jo.owner), store.people.passkey('p')]).toEqual([true, undefined])
    marks.makeNew(jo.owner)
    expect([marks.isOld(jo.owner), store.people.passkey('p')?.id]).toEqual([false, 'p'])
  })

  test('names and addresses of API keys are encrypted, and listed while the keys have not ended', () => {
    const { store, addPerson } = rows()
    const { ownKeys } = store
    const jo = addPerson('jo')
    const add = (api_key: string, addresses: readonly string[], ends_ms: number | null) =>
      ownKeys.add({ api_key, owner: jo.owner, created_ms: NOW, ends_ms }, { name: 'Bot "ü"', addresses })
    add('k1', ['192.0.2.1'], null)
    add('k2', ['2001:db8::1'], NOW + 5)
    add('k3', [], null)
    const [first] = ownKeys.boundAfter('', 1, NOW)
    expect(first).toMatchObject({ api_key: 'k1', is_bound: 1, ended_ms: null, ends_ms: null })
    expect(ownKeys.detailsOf(first as NonNullable<typeof first>)).toEqual({
      name: 'Bot "ü"',
      addresses: ['192.0.2.1'],
    })
    expect(ownKeys.boundAfter('k1', 10, NOW).map(({ api_key }) => api_key)).toEqual(['k2'])
    expect(ownKeys.boundAfter('k1', 10, NOW + 5)).toEqual([])
    ownKeys.end('k1', NOW + 1)
    ownKeys.end('k1', NOW + 9)
    expect(ownKeys.of(jo.owner).find(({ api_key }) => api_key === 'k1')?.ended_ms).toBe(NOW + 1)
    ownKeys.removeEnded(NOW + 6)
    expect(ownKeys.of(jo.owner).map(({ api_key }) => api_key)).toEqual(['k3'])
  })

  test('changes of mail are found until they end, and counted by person and address', () => {
    const { store, addPerson, keyOf } = rows()
    const { mailChanges } = store
    const jo = addPerson('jo')
    const add = (fill: number, at: number) =>
      mailChanges.add(
        {
          ...{ token_digest: digest(fill), owner: jo.owner, mail_index: digest(50), is_known: 0 },
          ...{ created_ms: at, expires_ms: at + MINUTE },
        },
        `new${fill}@example.org`,
        keyOf(jo),
      )
    add(1, NOW)
    add(2, NOW + 1)
    const found = mailChanges.find(digest(1), NOW)
    expect(found).toMatchObject({ owner: jo.owner, is_known: 0, created_ms: NOW })
    expect(mailChanges.mailOf(found as NonNullable<typeof found>)).toBe('new1@example.org')
    expect(mailChanges.find(digest(1), NOW + MINUTE)).toBeUndefined()
    expect(mailChanges.countSince(jo.owner, digest(1), NOW)).toBe(2)
    expect(mailChanges.countSince('other', digest(50), NOW + 1)).toBe(1)
    mailChanges.removeOld(NOW + MINUTE + 1)
    expect(mailChanges.find(digest(1), NOW)).toBeUndefined()
    mailChanges.removeOf(jo.owner)
    expect(mailChanges.find(digest(2), NOW)).toBeUndefined()
  })

  test('requests to operators keep their first time, and the newest replaces the requested change', () => {
    const { store, addPerson } = rows()
    const { requests } = store
    const jo = addPerson('jo')
    requests.putAsk(jo.owner, 'MAIL', { by_operator: 'one', at_ms: NOW, value: 'a' })
    requests.putAsk(jo.owner, 'MAIL', { by_operator: 'two', at_ms: NOW + 1, value: 'b' })
    expect(requests.ask(jo.owner, 'MAIL')).toEqual({ by_operator: 'two', at_ms: NOW + 1, value: 'b' })
    expect(requests.ask(jo.owner, 'RESET')).toBeUndefined()
    requests.endAsk(jo.owner, 'MAIL')
    expect(requests.ask(jo.owner, 'MAIL')).toBeUndefined()
    requests.askRecovery(jo.owner, NOW)
    requests.askRecovery(jo.owner, NOW + 9)
    expect(requests.recoveryAskedMs(jo.owner)).toBe(NOW)
    expect(requests.recoveriesAfter('', 1)).toEqual([{ owner: jo.owner, account: 'c-jo', at_ms: NOW }])
    expect(requests.recoveriesAfter('c-jo', 1)).toEqual([])
    expect([requests.endRecovery(jo.owner), requests.endRecovery(jo.owner)]).toEqual([true, false])
    requests.setDueMail(jo.owner, { mail: 'a@example.org', dueMs: NOW + 1, by: 'one, two' })
    requests.setDueMail(jo.owner, { mail: 'b@example.org', dueMs: NOW + 2, by: 'two, one' })
    expect(requests.dueMails(NOW + 1)).toEqual([])
    const [due] = requests.dueMails(NOW + 2)
    expect(due).toMatchObject({ account: 'c-jo', by_operators: 'two, one', due_ms: NOW + 2 })
    expect(requests.mailOf(due as NonNullable<typeof due>)).toBe('b@example.org')
    expect(requests.dueMail(jo.owner)).toEqual(due as NonNullable<typeof due>)
    expect([requests.endDueMail(jo.owner), requests.endDueMail(jo.owner)]).toEqual([true, false])
    requests.noteMailChange(jo.owner, 'one', NOW)
    requests.noteMailChange(jo.owner, 'one', NOW + 5)
    expect([NOW + 5, NOW + 6].map((at) => requests.hasChangedMail(jo.owner, 'one', at))).toEqual([
      true,
      false,
    ])
    requests.removeOld(NOW + 6)
    expect(requests.hasChangedMail(jo.owner, 'one', NOW)).toBe(false)
  })
}
