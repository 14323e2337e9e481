/** Withdrawals that traders ask for (docs/reference/withdrawals.md), command by command. */
import { describe, expect, test } from 'bun:test'
import type { AccountId } from '../../units/ids.ts'
import { parseWithdrawalUuid } from '../../units/ids.ts'
import { amount, timeMs } from '../../units/quantities.ts'
import type { Command } from '../commands/command.ts'
import type { AskWithdrawal, SetWithdrawalTerms } from '../commands/withdrawals.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../exchange/rules.ts'

const DAY_MS = 86_400_000
const ADDRESS = 'bc1qalice'

/**
 * Alice with 100 units of BTC and an address that may be used. Answers are the kind of the reply, or the
 * reason for a refusal.
 */
function harnessOf() {
  const it = new ExchangeHarness()
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const alice = it.trader('alice', { BTC: 100n })
  const bob = it.trader('bob', { BTC: 100n })
  const give = (command: Command, afterMs = 1): string => {
    const reply = it.give(command, afterMs)
    if (reply.kind === 'Refused') return reply.reason
    return 'repeated' in reply && reply.repeated ? 'repeated' : reply.kind
  }
  const allow = (address = ADDRESS, isAtOnce = true, accountId = alice) =>
    give({
      kind: 'SetAccountAddress',
      operator: OPERATOR,
      accountId,
      ...{ asset: 'BTC', address, tag: '', isAllowed: true, label: '', isAtOnce },
    })
  const own = (isAllowed: boolean, address = ADDRESS, label = '') =>
    give({ kind: 'SetOwnAddress', accountId: alice, asset: 'BTC', address, tag: '', isAllowed, label })
  const ask = (units: bigint, terms: Partial<AskWithdrawal> = {}, afterMs = 1) =>
    give(
      {
        kind: 'AskWithdrawal',
        accountId: alice,
        ...{ asset: 'BTC', amount: amount(units), address: ADDRESS, tag: '', withdrawOrderId: undefined },
        ...terms,
      },
      afterMs,
    )
  const newest = (who = alice) => {
    const [withdrawal] = it.exchange.accountWithdrawals(who).withdrawals
    if (withdrawal === undefined) throw new Error('nothing was asked for')
    return withdrawal
  }
  const end = (kind: 'CompleteWithdrawal' | 'CancelWithdrawal', reference = newest().reference) =>
    give({ kind, operator: OPERATOR, reference })
  const handle = (step: 'CLAIM' | 'REFUSE', reason = '', reference = newest().reference) =>
    give({ kind: 'HandleWithdrawal', operator: OPERATOR, reference, step, reason })
  const retract = (accountId = alice, reference = newest().reference) =>
    give({ kind: 'RetractWithdrawal', accountId, name: { kind: 'ID', reference } })
  const terms = (change: Partial<SetWithdrawalTerms>) =>
    give({
      kind: 'SetWithdrawalTerms',
      operator: OPERATOR,
      code: 'BTC',
      ...{ withdrawMin: amount(0n), withdrawMax: amount(0n), addressDelayMs: DAY_MS },
      ...change,
    })
  const restrict = (...restrictions: ('WITHDRAW' | 'TRADE')[]) =>
    give({ kind: 'SetAccountRestrictions', operator: OPERATOR, accountId: alice, restrictions })
  const balance = (who: AccountId = alice) => {
    const { free, freeze } = it.exchange.balance(who, 0 as never)
    return [Number(free), Number(freeze)]
  }
  return { it, alice, bob, give, allow, own, ask, newest, end, handle, retract, terms, restrict, balance }
}

describe('requesting a withdrawal', () => {
  test('holds the money under a reference of the exchange, and informs the payer', () => {
    const { it, allow, ask, newest, balance, alice } = harnessOf()
    allow()
    expect(ask(40n, { withdrawOrderId: 'w-1' })).toBe('WithdrawalAsked')
    expect(balance()).toEqual([60, 40])
    const { reference, requestedAt, asked } = newest()
    expect(parseWithdrawalUuid(reference)?.time).toBe(requestedAt)
    expect(asked).toMatchObject({ address: ADDRESS, withdrawOrderId: 'w-1', claimedAt: undefined })
    expect(it.events).toEqual([{ kind: 'WithdrawalChanged', withdrawal: newest() }])
    expect(it.exchange.accountWithdrawals(alice).withdrawals).toHaveLength(1)
    it.mustAddUp()
  })

  test('again under the same id is answered as before, whatever has become of it, and is the same withdrawal', () => {
    const { allow, ask, retract, balance, it } = harnessOf()
    allow()
    allow('bc1qother')
    ask(40n, { withdrawOrderId: 'w-1' })
    expect(ask(40n, { withdrawOrderId: 'w-1' })).toBe('repeated')
    expect(it.events).toEqual([])
    expect(ask(41n, { withdrawOrderId: 'w-1' })).toBe('DUPLICATE_WITHDRAW_ORDER_ID')
    expect(ask(40n, { withdrawOrderId: 'w-1', address: 'bc1qother' })).toBe('DUPLICATE_WITHDRAW_ORDER_ID')
    expect(ask(40n, { withdrawOrderId: 'w-1', asset: 'USDT' })).toBe('DUPLICATE_WITHDRAW_ORDER_ID')
    retract()
    expect(ask(40n, { withdrawOrderId: 'w-1' })).toBe('repeated')
    expect(balance()).toEqual([100, 0])
  })

  test('with any difference under the same id is another withdrawal', () => {
    const changed: Readonly<
      Record<Exclude<keyof AskWithdrawal, 'kind' | 'accountId' | 'withdrawOrderId'>, Partial<AskWithdrawal>>
    > = {
      asset: { asset: 'USDT' },
      amount: { amount: amount(41n) },
      address: { address: 'bc1qother' },
      tag: { tag: '7' },
    }
    const { allow, ask, bob } = harnessOf()
    allow()
    expect(ask(40n, { withdrawOrderId: 'w-1' })).toBe('WithdrawalAsked')
    for (const terms of Object.values(changed))
      expect(ask(40n, { withdrawOrderId: 'w-1', ...terms })).toBe('DUPLICATE_WITHDRAW_ORDER_ID')
    expect(ask(40n, { withdrawOrderId: 'w-1' })).toBe('repeated')
    // An id belongs to the withdrawals of one account only.
    expect(ask(40n, { withdrawOrderId: 'w-1', accountId: bob })).toBe('UNKNOWN_WITHDRAWAL_ADDRESS')
  })

  test('needs an address of the account, for the asset, with its tag, whose delay is over', () => {
    const { allow, ask, own, bob, give } = harnessOf()
    expect(ask(1n)).toBe('UNKNOWN_WITHDRAWAL_ADDRESS')
    expect(own(true)).toBe('AddressAllowed')
    expect(ask(1n)).toBe('WITHDRAWAL_ADDRESS_TOO_NEW')
    expect(ask(1n, {}, DAY_MS - 2)).toBe('WITHDRAWAL_ADDRESS_TOO_NEW')
    expect(ask(1n)).toBe('WithdrawalAsked')
    expect(ask(1n, { tag: '7' })).toBe('UNKNOWN_WITHDRAWAL_ADDRESS')
    expect(ask(1n, { asset: 'USDT' })).toBe('UNKNOWN_WITHDRAWAL_ADDRESS')
    expect(ask(1n, { accountId: bob })).toBe('UNKNOWN_WITHDRAWAL_ADDRESS')
    expect(own(false)).toBe('Done')
    expect(ask(1n)).toBe('UNKNOWN_WITHDRAWAL_ADDRESS')
    expect(allow()).toBe('AddressAllowed')
    expect(give({ kind: 'CancelWithdrawal', operator: OPERATOR, reference: 'none' })).toBe(
      'UNKNOWN_WITHDRAWAL',
    )
  })

  test("respects the asset's switch and limits, the account's restrictions and the free balance", () => {
    const { allow, ask, terms, restrict, give, own } = harnessOf()
    allow()
    expect(terms({ withdrawMin: amount(5n), withdrawMax: amount(50n) })).toBe('Done')
    expect([ask(4n), ask(51n)]).toEqual(['WITHDRAWAL_TOO_SMALL', 'WITHDRAWAL_TOO_LARGE'])
    expect(terms({ withdrawMin: amount(6n), withdrawMax: amount(5n) })).toBe('INVALID_COMMAND')
    expect(terms({ addressDelayMs: 30 * DAY_MS + 1 })).toBe('INVALID_COMMAND')
    expect(terms({ code: 'NONE' })).toBe('UNKNOWN_ASSET')
    expect([ask(50n), ask(50n), ask(5n)]).toEqual([
      'WithdrawalAsked',
      'WithdrawalAsked',
      'INSUFFICIENT_FUNDS',
    ])
    restrict('WITHDRAW')
    expect([ask(5n), own(true, 'bc1qnew')]).toEqual(['ACCOUNT_RESTRICTED', 'ACCOUNT_RESTRICTED'])
    expect(own(false)).toBe('Done')
    restrict()
    own(true)
    const flags = { isDeposit: true, isWithdraw: false, isTrade: true, isSaving: true }
    give({ kind: 'SetAssetFlags', operator: OPERATOR, code: 'BTC', flags })
    expect(ask(5n)).toBe('ASSET_NOT_WITHDRAWABLE')
  })

  test('and everything else that traders do about withdrawals is refused while the exchange is closed', () => {
    const { allow, ask, own, retract, give, handle } = harnessOf()
    allow()
    ask(5n)
    give({ kind: 'SetPhase', operator: OPERATOR, phase: 'CLOSED' })
    expect([ask(5n), own(true, 'bc1qnew'), retract()]).toEqual(Array(3).fill('EXCHANGE_CLOSED'))
    expect(handle('CLAIM')).toBe('Done')
    give({ kind: 'SetPhase', operator: OPERATOR, phase: 'CANCEL_ONLY' })
    expect(ask(5n)).toBe('WithdrawalAsked')
  })

  test('is refused beyond the number remembered for an account, until ended ones are forgotten', () => {
    const { allow, ask, retract, it, alice, bob, allow: allowFor, newest } = harnessOf()
    allow()
    allowFor(ADDRESS, true, bob)
    for (let i = 0; i < 100; i++) {
      expect(ask(1n)).toBe('WithdrawalAsked')
      expect(retract()).toBe('Done')
    }
    expect(ask(1n)).toBe('TOO_MANY_WITHDRAWALS')
    expect(ask(1n, { accountId: bob })).toBe('WithdrawalAsked')
    expect(ask(1n, {}, DAY_MS)).toBe('WithdrawalAsked')
    // Each command forgets two, and the requests of others stay.
    expect(it.exchange.accountWithdrawals(alice).withdrawals).toHaveLength(99)
    expect(newest(bob).state).toBe('PENDING')
  })
})

describe('canceling', () => {
  test('frees the money before a claim, by either name, once, and by its trader alone', () => {
    const { allow, ask, retract, give, balance, alice, bob, newest } = harnessOf()
    allow()
    ask(40n, { withdrawOrderId: 'w-1' })
    expect(retract(bob)).toBe('UNKNOWN_WITHDRAWAL')
    const byOwn = (accountId: AccountId) =>
      give({ kind: 'RetractWithdrawal', accountId, name: { kind: 'OWN', withdrawOrderId: 'w-1' } })
    expect([byOwn(bob), byOwn(alice), byOwn(alice), retract()]).toEqual([
      'UNKNOWN_WITHDRAWAL',
      'Done',
      'repeated',
      'repeated',
    ])
    expect(balance()).toEqual([100, 0])
    expect(newest().asked.end).toMatchObject({ canceledBy: 'TRADER', reason: '' })
  })

  test('and paying exclude each other: the first one wins', () => {
    const { allow, ask, retract, handle, end, balance } = harnessOf()
    allow()
    ask(40n)
    expect(end('CompleteWithdrawal')).toBe('WITHDRAWAL_NOT_CLAIMED')
    expect([handle('CLAIM'), handle('CLAIM'), retract()]).toEqual(['Done', 'repeated', 'WITHDRAWAL_CLAIMED'])
    expect([
      end('CompleteWithdrawal'),
      end('CompleteWithdrawal'),
      retract(),
      end('CancelWithdrawal'),
    ]).toEqual(['Done', 'repeated', 'WITHDRAWAL_FINISHED', 'WITHDRAWAL_FINISHED'])
    expect(balance()).toEqual([60, 0])
    ask(10n)
    expect([retract(), handle('CLAIM'), end('CompleteWithdrawal')]).toEqual([
      'Done',
      'WITHDRAWAL_FINISHED',
      'WITHDRAWAL_FINISHED',
    ])
  })
})

describe('the payer', () => {
  test('refuses with a reason for the trader, claimed or not, and the money is free', () => {
    const { allow, ask, handle, newest, balance } = harnessOf()
    allow()
    ask(40n)
    handle('CLAIM')
    expect([handle('REFUSE'), handle('CLAIM', 'why')]).toEqual(['INVALID_COMMAND', 'INVALID_COMMAND'])
    expect([handle('REFUSE', 'not an address'), handle('REFUSE', 'again')]).toEqual(['Done', 'repeated'])
    expect(newest().asked.end).toMatchObject({ canceledBy: 'OPERATOR', reason: 'not an address' })
    expect(balance()).toEqual([100, 0])
  })

  test('claims nothing of an account that may not withdraw, nor of an asset that is switched off', () => {
    const { allow, ask, handle, restrict, give } = harnessOf()
    allow()
    ask(40n)
    restrict('WITHDRAW')
    expect(handle('CLAIM')).toBe('ACCOUNT_RESTRICTED')
    restrict()
    const flags = { isDeposit: true, isWithdraw: false, isTrade: true, isSaving: true }
    give({ kind: 'SetAssetFlags', operator: OPERATOR, code: 'BTC', flags })
    expect(handle('CLAIM')).toBe('ASSET_NOT_WITHDRAWABLE')
  })

  test('cannot claim what an operator holds, nor hold under a reference in the form of traders', () => {
    const { it, ask, allow, handle, give, alice, bob, newest } = harnessOf()
    const hold = (reference: string) =>
      give({
        kind: 'HoldWithdrawal',
        operator: OPERATOR,
        accountId: alice,
        asset: 'BTC',
        amount: amount(5n),
        reference,
      })
    expect([hold('tx-1'), handle('CLAIM', '', 'tx-1'), handle('CLAIM', '', 'tx-2')]).toEqual([
      'Done',
      'repeated',
      'UNKNOWN_WITHDRAWAL',
    ])
    hold('tx-3')
    const held = (who = alice) => it.exchange.accountWithdrawals(who).held.map(({ reference }) => reference)
    expect([held(), held(bob)]).toEqual([['tx-3', 'tx-1'], []])
    expect(it.exchange.withdrawal('tx-1')).toMatchObject({ accountId: alice, state: 'PENDING' })
    expect(it.exchange.withdrawal('tx-2')).toBeUndefined()
    allow()
    ask(5n)
    const { reference } = newest()
    const next = `${reference.slice(0, -1)}f`
    expect([hold(reference), hold(next), hold(next.toUpperCase())]).toEqual(
      Array(3).fill('REFERENCE_CONFLICT'),
    )
  })

  test('claims nothing beyond the limit of the role, and completed withdrawals count against it', () => {
    const { it, allow, ask, give, newest, retract } = harnessOf()
    const by = (actor: string) => ({ operator: { actor, note: '' } })
    give({ kind: 'SetRole', operator: OPERATOR, name: 'desk', rights: ['withdrawals'] })
    const token = { role: 'desk', digest: new Uint8Array(32), expiresAt: timeMs(0), addresses: [] }
    give({ kind: 'AddToken', operator: OPERATOR, name: 'dan', ...token })
    const limits = { inEach: amount(0n), inDay: amount(0n), outEach: amount(30n), outDay: amount(40n) }
    give({ kind: 'SetRoleLimit', operator: OPERATOR, role: 'desk', asset: 'BTC', ...limits })
    allow()
    const claim = (actor: string, reference = newest().reference) =>
      give({ kind: 'HandleWithdrawal', ...by(actor), reference, step: 'CLAIM', reason: '' })
    const complete = (actor: string, reference = newest().reference) =>
      give({ kind: 'CompleteWithdrawal', ...by(actor), reference })
    ask(31n)
    expect([claim('dan'), newest().asked.claimedAt, retract()]).toEqual(['ROLE_LIMIT', undefined, 'Done'])
    ask(30n)
    expect([claim('dan'), complete('dan'), complete('dan')]).toEqual(['Done', 'Done', 'repeated'])
    ask(11n)
    expect([claim('dan'), claim('local:me'), claim('dan'), complete('dan'), complete('local:me')]).toEqual([
      'ROLE_LIMIT',
      'Done',
      'repeated',
      'ROLE_LIMIT',
      'Done',
    ])
    it.mustAddUp()
  })

  test('waits for a second person above the threshold, and its trader cannot cancel it once it is claimed', () => {
    const { it, allow, ask, give, retract, newest, balance } = harnessOf()
    for (const name of ['ann', 'ben'])
      it.give({
        kind: 'AddAdminToken',
        operator: OPERATOR,
        name,
        role: 'OPERATOR',
        digest: new Uint8Array(32).fill(name.length + name.charCodeAt(0)),
      })
    give({
      kind: 'SetAssetTerms',
      operator: OPERATOR,
      ...{
        code: 'BTC',
        name: 'BTC',
        supplyCap: amount(0n),
        creditMax: amount(0n),
        approvalAbove: amount(30n),
      },
    })
    allow()
    ask(40n)
    const { reference } = newest()
    const by = (kind: 'CompleteWithdrawal' | 'Approve', actor: string) =>
      give({ kind, operator: { actor, note: '' }, reference })
    const claim = { kind: 'HandleWithdrawal', operator: { actor: 'ann', note: '' }, reference } as const
    expect(give({ ...claim, step: 'CLAIM', reason: '' })).toBe('ApprovalNeeded')
    expect([by('Approve', 'ann'), by('Approve', 'ben'), retract()]).toEqual([
      'SELF_APPROVAL',
      'Done',
      'WITHDRAWAL_CLAIMED',
    ])
    expect(by('CompleteWithdrawal', 'ann')).toBe('Done')
    expect(newest().state).toBe('COMPLETED')
    expect(balance()).toEqual([60, 0])
  })
})

describe('addresses', () => {
  test('keep their moment when they are added again, and an operator makes one usable at once', () => {
    const { it, own, allow, alice, terms } = harnessOf()
    own(true)
    const [first] = it.exchange.accountWithdrawals(alice).addresses
    expect(first?.usableAt).toBe(timeMs((first?.addedAt ?? 0) + DAY_MS))
    expect([own(true), own(true, ADDRESS, 'cold')]).toEqual(['repeated', 'AddressAllowed'])
    expect(it.exchange.accountWithdrawals(alice).addresses).toEqual([{ ...first, label: 'cold' } as never])
    expect(allow(ADDRESS, false)).toBe('AddressAllowed')
    expect(it.exchange.accountWithdrawals(alice).addresses[0]?.usableAt).toBe(first?.usableAt)
    allow()
    expect(it.exchange.accountWithdrawals(alice).addresses[0]?.usableAt).toBe(it.exchange.time)
    terms({ addressDelayMs: 0 })
    own(true, 'bc1qnow')
    expect(it.exchange.accountWithdrawals(alice).addresses[1]?.usableAt).toBe(it.exchange.time)
    expect([own(false), own(false)]).toEqual(['Done', 'UNKNOWN_WITHDRAWAL_ADDRESS'])
    own(true)
    expect(it.exchange.accountWithdrawals(alice).addresses[1]?.addedAt).toBe(it.exchange.time)
  })

  test('are visible ASCII, and of limited number for an account', () => {
    const { own, allow } = harnessOf()
    const wrong = ['', 'a b', 'ş', 'x'.repeat(129), 'a\n']
    expect(wrong.map((address) => own(true, address))).toEqual(wrong.map(() => 'INVALID_COMMAND'))
    expect(own(true, ADDRESS, 'x'.repeat(201))).toBe('INVALID_COMMAND')
    for (let i = 0; i < 50; i++) expect(own(true, `bc1q${i}`)).toBe('AddressAllowed')
    expect([own(true), allow()]).toEqual(Array(2).fill('TOO_MANY_WITHDRAWAL_ADDRESSES'))
    expect([own(true, 'bc1q7'), own(false, 'bc1q7'), own(true)]).toEqual([
      'repeated',
      'Done',
      'AddressAllowed',
    ])
  })
})

test('a snapshot has all withdrawals, is left out where there are none, and forgets as the exchange does', () => {
  const { it, allow, ask, retract, handle, end, alice, own } = harnessOf()
  const plain = it.exchange.encodeSnapshot()
  allow()
  own(true, 'bc1qnew')
  ask(10n, { withdrawOrderId: 'w-1' })
  retract()
  ask(20n, { withdrawOrderId: 'w-2' })
  handle('CLAIM')
  end('CompleteWithdrawal')
  // This withdrawal stays pending, while a later one ends.
  ask(5n)
  handle('CLAIM')
  ask(30n)
  handle('REFUSE', 'no')
  ask(6n)
  const bytes = it.exchange.encodeSnapshot()
  const again = Exchange.decodeSnapshot(bytes)
  expect(again.encodeSnapshot()).toEqual(bytes)
  expect(again.accountWithdrawals(alice)).toEqual(it.exchange.accountWithdrawals(alice))
  const late = timeMs(it.exchange.time + DAY_MS)
  for (const exchange of [it.exchange, again]) {
    for (let i = 0; i < 2; i++) exchange.apply({ kind: 'MarkTime' }, late, () => {})
  }
  expect(again.encodeSnapshot()).toEqual(it.exchange.encodeSnapshot())
  expect(again.accountWithdrawals(alice).withdrawals.map(({ state }) => state)).toEqual([
    'PENDING',
    'PENDING',
  ])
  expect(plain.length).toBeLessThan(bytes.length)
  const empty = harnessOf()
  empty.allow()
  empty.own(false)
  const unused = harnessOf()
  for (let i = 0; i < 2; i++) unused.give({ kind: 'MarkTime' })
  expect(empty.it.exchange.encodeSnapshot()).toEqual(unused.it.exchange.encodeSnapshot())
})
