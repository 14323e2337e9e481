/** Custom roles, tokens with terms, limits by amount and day, and approvals by several people. */
import { describe, expect, test } from 'bun:test'
import type { AdminRight } from '../../units/admin-rights.ts'
import { APPROVERS_MAX, ROLES_MAX } from '../../units/limits.ts'
import { amount, timeMs } from '../../units/quantities.ts'
import type { Command } from '../commands/command.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../exchange/rules.ts'

const DAY = 86_400_000
const NONE = { inEach: amount(0n), inDay: amount(0n), outEach: amount(0n), outDay: amount(0n) }

/**
 * An exchange in which operators with tokens move the money of alice. Answers are the kind of the reply, or
 * the reason for a refusal.
 */
function harness() {
  const it = new ExchangeHarness()
  const alice = it.trader('alice', { BTC: 1_000n })
  let count = 0
  const ask = (command: Command, afterMs = 1): string => {
    const reply = it.give(command, afterMs)
    // The state equals the one read from its snapshot.
    const bytes = it.exchange.encodeSnapshot()
    const read = Exchange.decodeSnapshot(bytes)
    expect(read.encodeSnapshot()).toEqual(bytes)
    expect(read.bootstrap().backOffice).toEqual(it.exchange.bootstrap().backOffice)
    if (reply.kind === 'Refused') return reply.reason
    return reply.kind === 'Done' && reply.repeated ? 'Repeated' : reply.kind
  }
  expect(ask({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })).toBe('Done')
  const by = (actor: string) => ({ actor, note: '' })
  const role = (name: string, ...rights: AdminRight[]) =>
    ask({ kind: 'SetRole', operator: OPERATOR, name, rights })
  const token = (name: string, of = 'OPERATOR', expiresAt = 0, addresses: string[] = []) => {
    const digest = new Uint8Array(32).fill(count++)
    const terms = { expiresAt: timeMs(expiresAt), addresses }
    return ask({ kind: 'AddToken', operator: OPERATOR, name, role: of, digest, ...terms })
  }
  const limit = (of: string, limits: Partial<typeof NONE>) =>
    ask({ kind: 'SetRoleLimit', operator: OPERATOR, role: of, asset: 'BTC', ...NONE, ...limits })
  const move = (
    kind: 'Credit' | 'Debit',
    actor: string,
    units: bigint,
    reference = `t${count++}`,
    afterMs = 1,
  ) => {
    const what = { accountId: alice, asset: 'BTC', amount: amount(units), reference }
    return ask({ kind, operator: by(actor), ...what }, afterMs)
  }
  const approve = (actor: string, reference: string, afterMs = 1) =>
    ask({ kind: 'Approve', operator: by(actor), reference }, afterMs)
  const needed = (people: number, asset = '') =>
    ask({ kind: 'SetApprovalsNeeded', operator: OPERATOR, asset, needed: people })
  const threshold = (units = 10n) => {
    const terms = { name: 'BTC', supplyCap: amount(0n), creditMax: amount(0n), approvalAbove: amount(units) }
    return ask({ kind: 'SetAssetTerms', operator: OPERATOR, code: 'BTC', ...terms })
  }
  const revoke = (name: string) => ask({ kind: 'RevokeAdminToken', operator: OPERATOR, name })
  const free = () => it.money(alice, 0).free
  const now = () => it.exchange.time
  return { it, alice, ask, by, role, token, limit, move, approve, needed, threshold, revoke, free, now }
}

describe('a custom role', () => {
  test('has a name of lower-case letters, different from the built-in ones, and each right once', () => {
    const { role } = harness()
    expect(role('desk', 'credit', 'read')).toBe('Done')
    for (const name of ['', 'Desk', 'a b', 'operator', 'read_only', 'x'.repeat(65)]) {
      expect([name, role(name, 'credit')]).toEqual([name, 'INVALID_COMMAND'])
    }
    expect(role('desk', 'credit', 'credit')).toBe('INVALID_COMMAND')
  })

  test('keeps its rights in the order of their list, whatever order they were given in', () => {
    const { role, it } = harness()
    role('desk', 'approve', 'read')
    expect(it.exchange.bootstrap().backOffice?.rights?.roles).toEqual([
      { name: 'desk', rights: ['read', 'approve'] },
    ])
  })

  test('is removed with its limits, once no token in use has it', () => {
    const { role, token, limit, revoke, it } = harness()
    expect(role('desk')).toBe('UNKNOWN_ROLE')
    role('desk', 'credit')
    token('dora', 'desk')
    limit('desk', { inDay: amount(5n) })
    limit('OPERATOR', { outDay: amount(5n) })
    expect(role('desk')).toBe('ROLE_IN_USE')
    revoke('dora')
    expect(role('desk')).toBe('Done')
    expect(it.exchange.bootstrap().backOffice?.rights?.limits.map((one) => one.role)).toEqual(['OPERATOR'])
    expect(token('emma', 'desk')).toBe('UNKNOWN_ROLE')
  })

  test('is one of a limited number; an existing one can still be changed', () => {
    const { role } = harness()
    for (let i = 0; i < ROLES_MAX; i++) role(`role-${i}`, 'read')
    expect([role('one-more', 'read'), role('role-7', 'credit')]).toEqual(['LIMIT_REACHED', 'Done'])
  })
})

describe('a token', () => {
  test('that has expired requests nothing that needs approval, and approves nothing', () => {
    const { token, threshold, move, approve, now } = harness()
    threshold()
    token('ann')
    token('ben', 'OPERATOR', now() + 100)
    expect(move('Credit', 'ann', 11n, 'c1')).toBe('ApprovalNeeded')
    expect(move('Credit', 'ben', 11n, 'c2', 200)).toBe('NAMED_TOKEN_NEEDED')
    expect(approve('ben', 'c1')).toBe('NAMED_TOKEN_NEEDED')
  })

  test('has the terms that were given last, and no malformed ones', () => {
    const { token, ask, revoke, it } = harness()
    expect(token('ann', 'no-such')).toBe('UNKNOWN_ROLE')
    expect(token('ann', 'OPERATOR', 0, [''])).toBe('INVALID_COMMAND')
    token('ann', 'AUDITOR', 5_000, ['10.0.0.0/8'])
    const set = (name: string, expiresAt: number, addresses: string[]) =>
      ask({ kind: 'SetTokenTerms', operator: OPERATOR, name, expiresAt: timeMs(expiresAt), addresses })
    const shown = () => it.exchange.bootstrap().backOffice?.tokens.find(({ name }) => name === 'ann')
    expect(shown()).toMatchObject({ role: 'AUDITOR', expiresAt: 5_000, addresses: ['10.0.0.0/8'] })
    expect([set('eve', 0, []), set('ann', 0, [''])]).toEqual(['UNKNOWN_TOKEN', 'INVALID_COMMAND'])
    expect(set('ann', 0, [])).toBe('Done')
    expect(Object.keys(shown() ?? {})).not.toContain('expiresAt')
    revoke('ann')
    expect(set('ann', 9_000, [])).toBe('INVALID_COMMAND')
  })
})

describe('a limit of a role', () => {
  test('is of one command and of a day, in and out, and says nothing of other roles, assets and nobody’s tokens', () => {
    const { token, limit, move } = harness()
    token('ann')
    token('dan', 'DEPOSITOR')
    limit('OPERATOR', { inEach: amount(10n), inDay: amount(15n), outDay: amount(7n) })
    expect(move('Credit', 'ann', 11n)).toBe('ROLE_LIMIT')
    expect(move('Credit', 'ann', 10n)).toBe('Done')
    expect([move('Credit', 'ann', 6n), move('Credit', 'ann', 5n)]).toEqual(['ROLE_LIMIT', 'Done'])
    expect([move('Debit', 'ann', 8n), move('Debit', 'ann', 7n)]).toEqual(['ROLE_LIMIT', 'Done'])
    expect([move('Credit', 'dan', 500n), move('Credit', 'local:ann', 500n)]).toEqual(['Done', 'Done'])
  })

  test('is of all tokens of the role together', () => {
    const { token, limit, move } = harness()
    token('ann')
    token('ben')
    limit('OPERATOR', { inDay: amount(10n) })
    expect([move('Credit', 'ann', 6n), move('Credit', 'ben', 5n), move('Credit', 'ben', 4n)]).toEqual([
      'Done',
      'ROLE_LIMIT',
      'Done',
    ])
  })

  test('begins again at midnight UTC of journal time', () => {
    const { token, limit, move, now } = harness()
    token('ann')
    limit('OPERATOR', { inDay: amount(10n) })
    const tillMidnight = () => DAY - (now() % DAY)
    expect(move('Credit', 'ann', 10n, 'c1', tillMidnight() - 1)).toBe('Done')
    expect(move('Credit', 'ann', 1n, 'c2', 0)).toBe('ROLE_LIMIT')
    expect(move('Credit', 'ann', 10n, 'c2', 1)).toBe('Done')
    expect(move('Credit', 'ann', 1n, 'c3')).toBe('ROLE_LIMIT')
  })

  test('counts money that has moved, once: no repeat, nothing refused, nothing that only waits', () => {
    const { token, limit, move, threshold, approve, free } = harness()
    token('ann')
    token('ben')
    threshold(5n)
    limit('OPERATOR', { inDay: amount(10n), outDay: amount(2_000n) })
    expect([move('Credit', 'ann', 4n, 'c1'), move('Credit', 'ann', 4n, 'c1')]).toEqual(['Done', 'Repeated'])
    expect(move('Debit', 'ann', 1_900n, 'd1')).toBe('ApprovalNeeded')
    expect(approve('ben', 'd1')).toBe('INSUFFICIENT_FUNDS')
    expect(move('Credit', 'ann', 6n, 'c2')).toBe('ApprovalNeeded')
    expect([move('Credit', 'ann', 3n, 'c3'), move('Credit', 'ann', 6n, 'c2')]).toEqual([
      'Done',
      'ApprovalNeeded',
    ])
    expect(approve('ben', 'c2')).toBe('ROLE_LIMIT')
    expect(free()).toBe(1_007n)
    expect(approve('ben', 'c2', DAY)).toBe('Done')
    expect(move('Credit', 'ann', 5n, 'c4')).toBe('ROLE_LIMIT')
  })

  test('also applies to withdrawals when they are completed, by any operator', () => {
    const { token, limit, ask, alice, by, free } = harness()
    token('ann')
    token('pat')
    limit('OPERATOR', { outDay: amount(10n) })
    const hold = (reference: string, units: bigint) => {
      const what = { accountId: alice, asset: 'BTC', amount: amount(units), reference }
      return ask({ kind: 'HoldWithdrawal', operator: by('ann'), ...what })
    }
    const complete = (reference: string) =>
      ask({ kind: 'CompleteWithdrawal', operator: by('pat'), reference })
    expect([hold('w1', 8n), hold('w2', 8n)]).toEqual(['Done', 'Done'])
    expect([complete('w1'), complete('w1'), complete('w2')]).toEqual(['Done', 'Repeated', 'ROLE_LIMIT'])
    expect(free()).toBe(984n)
  })

  test('continues with what was moved when it is set again, and forgets it where the day is unlimited meanwhile', () => {
    const { token, limit, move, it } = harness()
    token('ann')
    limit('OPERATOR', { inDay: amount(10n) })
    move('Credit', 'ann', 9n)
    limit('OPERATOR', { inDay: amount(12n) })
    expect([move('Credit', 'ann', 4n), move('Credit', 'ann', 3n)]).toEqual(['ROLE_LIMIT', 'Done'])
    limit('OPERATOR', { inEach: amount(10n) })
    limit('OPERATOR', { inDay: amount(12n) })
    expect(move('Credit', 'ann', 12n)).toBe('Done')
    expect(limit('OPERATOR', {})).toBe('Done')
    expect(it.exchange.bootstrap().backOffice?.rights).toBeUndefined()
  })

  const WAYS = [
    ['Credit', 'inEach', 'inDay', 'outDay'],
    ['Debit', 'outEach', 'outDay', 'inDay'],
  ] as const
  test.each(WAYS)(
    'continues with what each %s has moved when it is set again, for that day alone',
    (kind, each, day, other) => {
      const { token, limit, move } = harness()
      token('ann')
      limit('OPERATOR', { [day]: amount(10n) })
      expect(move(kind, 'ann', 9n)).toBe('Done')
      // The other direction, and the limit of one command, do not affect the amounts moved in this direction.
      limit('OPERATOR', { [day]: amount(12n), [other]: amount(1n), [each]: amount(20n) })
      expect([move(kind, 'ann', 4n), move(kind, 'ann', 3n), move(kind, 'ann', 1n)]).toEqual([
        'ROLE_LIMIT',
        'Done',
        'ROLE_LIMIT',
      ])
      limit('OPERATOR', { [each]: amount(20n) })
      limit('OPERATOR', { [day]: amount(12n) })
      expect(move(kind, 'ann', 12n)).toBe('Done')
      expect(move(kind, 'ann', 12n, 'tomorrow', DAY)).toBe('Done')
      limit('OPERATOR', { [day]: amount(20n) })
      expect([move(kind, 'ann', 9n), move(kind, 'ann', 8n)]).toEqual(['ROLE_LIMIT', 'Done'])
      expect([limit('OPERATOR', { [day]: amount(30n) }), move(kind, 'ann', 30n, 'later', DAY)]).toEqual([
        'Done',
        'Done',
      ])
    },
  )

  test('needs an existing role and asset', () => {
    const { limit, ask } = harness()
    expect(limit('no-such', { inDay: amount(1n) })).toBe('UNKNOWN_ROLE')
    const asset = { operator: OPERATOR, role: 'OPERATOR', asset: 'ZZZ' }
    expect(ask({ kind: 'SetRoleLimit', ...asset, ...NONE })).toBe('UNKNOWN_ASSET')
    expect(limit('OPERATOR', { inDay: amount(-1n) })).toBe('INVALID_COMMAND')
  })
})

describe('approvals by several', () => {
  /** Ann makes the request; three others may approve, and two of them must. */
  const asked = () => {
    const it = harness()
    for (const name of ['ann', 'ben', 'cleo', 'dan']) it.token(name)
    it.threshold()
    it.needed(2)
    expect(it.move('Credit', 'ann', 11n, 'c1')).toBe('ApprovalNeeded')
    return it
  }

  test('are by different people, none of them the requester: the last one carries it out', () => {
    const { approve, free, it } = asked()
    expect([approve('ann', 'c1'), approve('ben', 'c1'), approve('ben', 'c1')]).toEqual([
      'SELF_APPROVAL',
      'ApprovalNeeded',
      'ApprovalNeeded',
    ])
    expect(it.events).toEqual([])
    expect(it.exchange.bootstrap().backOffice?.approvals[0]?.approvedBy).toEqual(['ben'])
    expect(free()).toBe(1_000n)
    expect(approve('cleo', 'c1')).toBe('Done')
    expect(free()).toBe(1_011n)
  })

  test('of a token that is revoked, expired or without the right before the last one do not count', () => {
    const { approve, revoke, ask, free, now, role, token, move } = asked()
    approve('ben', 'c1')
    revoke('ben')
    expect([approve('cleo', 'c1'), free()]).toEqual(['ApprovalNeeded', 1_000n])
    const terms = { name: 'cleo', expiresAt: timeMs(now() + 10), addresses: [] }
    ask({ kind: 'SetTokenTerms', operator: OPERATOR, ...terms })
    expect(approve('dan', 'c1', 100)).toBe('ApprovalNeeded')
    role('checker', 'approve')
    token('emma', 'checker')
    move('Credit', 'ann', 11n, 'c2')
    expect(approve('emma', 'c2')).toBe('ApprovalNeeded')
    role('checker', 'read')
    expect([approve('emma', 'c2'), approve('dan', 'c2')]).toEqual(['NAMED_TOKEN_NEEDED', 'ApprovalNeeded'])
    role('checker', 'approve')
    expect(approve('emma', 'c2')).toBe('Done')
  })

  test('of a token made after the request never count', () => {
    const { token, approve } = asked()
    token('new')
    expect([approve('new', 'c1'), approve('ben', 'c1'), approve('new', 'c1')]).toEqual([
      'TOKEN_TOO_NEW',
      'ApprovalNeeded',
      'TOKEN_TOO_NEW',
    ])
  })

  test('are as many as are needed when the last is given; a person who has approved may repeat it', () => {
    const { needed, approve } = asked()
    needed(3)
    expect([approve('ben', 'c1'), approve('cleo', 'c1')]).toEqual(['ApprovalNeeded', 'ApprovalNeeded'])
    needed(2)
    expect(approve('ben', 'c1')).toBe('Done')
  })

  test('are counted up to the most that may be needed, each of another person, none forgotten when one more comes', () => {
    const it = harness()
    const people = Array.from({ length: APPROVERS_MAX }, (_, i) => `p${i}`)
    for (const name of ['ann', ...people]) it.token(name)
    it.threshold()
    it.needed(APPROVERS_MAX)
    it.move('Credit', 'ann', 11n, 'c1')
    for (const [i, name] of people.slice(0, -1).entries()) {
      expect(it.approve(name, 'c1')).toBe('ApprovalNeeded')
      expect(it.it.exchange.bootstrap().backOffice?.approvals[0]?.approvedBy).toEqual(people.slice(0, i + 1))
    }
    expect([it.approve(people.at(-1) ?? '', 'c1'), it.free()]).toEqual(['Done', 1_011n])
  })

  test('are void once one person rejects', () => {
    const { approve, ask, by, free } = asked()
    approve('ben', 'c1')
    expect(ask({ kind: 'Reject', operator: by('dan'), reference: 'c1' })).toBe('Done')
    expect([approve('cleo', 'c1'), free()]).toEqual(['UNKNOWN_APPROVAL', 1_000n])
  })

  test('are one by default, and as many for one asset as no other asset needs', () => {
    const { needed, approve } = asked()
    expect([needed(0), needed(6), needed(1, 'ZZZ')]).toEqual([
      'INVALID_COMMAND',
      'INVALID_COMMAND',
      'UNKNOWN_ASSET',
    ])
    needed(5)
    needed(1, 'BTC')
    expect(approve('ben', 'c1')).toBe('Done')
    expect([needed(0, 'BTC'), needed(1)]).toEqual(['Done', 'Done'])
  })
})
