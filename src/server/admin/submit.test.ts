/** Texts of refused commands for operators: each reason is worded for the operation that was requested. */
import { expect, test } from 'bun:test'
import type { Command } from '../../core/commands/command.ts'
import { TEXT_MAX } from '../../units/limits.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { AdminContext } from './context.ts'
import { LOCAL_MARK, operatorOf, submit } from './submit.ts'

/** Each token's name, and whether it is revoked. */
type Tokens = readonly (readonly [name: string, isRevoked?: boolean])[]

async function messageOf(reason: CoreReason, command: object, tokens: Tokens = []): Promise<string> {
  const tokenByName = new Map(
    tokens.map(([name, isRevoked = false]) => [name, { name, role: 'desk', isRevoked }]),
  )
  const context = {
    engine: { submit: async () => ({ kind: 'Refused', reason }) },
    registry: {},
    backOffice: { approvalByReference: new Map(), tokenByName },
  }
  return submit(context as unknown as AdminContext, command as Command).then(
    () => 'done',
    (error: Error) => error.message,
  )
}

test('a refusal for a role in use names its first holders, none of them revoked, and says whether there are more', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `holder-${name}`)
  const refused = (tokens: Tokens) => messageOf('ROLE_IN_USE', { kind: 'SetRole', name: 'desk' }, tokens)
  const five = names.slice(0, 5)
  expect(await refused(five.map((name) => [name]))).toContain(`: ${five.join(', ')}`)
  expect(await refused(five.map((name) => [name]))).not.toContain('others')
  const revoked = await refused([['gone', true], ...five.map((name) => [name] as const)])
  expect(revoked).not.toContain('gone')
  expect(revoked).not.toContain('others')
  const six = await refused(names.map((name) => [name]))
  expect(six).toContain(`: ${five.join(', ')} and others`)
  expect(six).not.toContain('holder-f')
})

test('missing money is reported for the bucket from which it was to be taken', async () => {
  const lacking = (command: object) => messageOf('INSUFFICIENT_FUNDS', command)
  const move = { kind: 'MoveBetweenBuckets' }
  expect(await lacking({ ...move, from: 'freeze', to: 'free' })).toBe('The freeze balance is too low.')
  expect(await lacking({ ...move, from: 'free', to: 'freeze' })).toBe('The free balance is too low.')
  expect(await lacking({ kind: 'MoveSavings', isDeposit: false })).toBe('The savings balance is too low.')
  expect(await lacking({ kind: 'MoveSavings', isDeposit: true })).not.toContain('savings')
})

test('a claimed actor is marked, and never longer than a text of the journal may be', () => {
  const caller = { token: undefined, role: 'OWNER', rights: [] }
  const actorOf = (actor: string) => operatorOf({ caller }, { actor }).actor
  expect(actorOf('eve')).toBe(`${LOCAL_MARK}eve`)
  for (const name of ['n'.repeat(TEXT_MAX), `${'n'.repeat(TEXT_MAX - LOCAL_MARK.length - 1)}😀`]) {
    const actor = actorOf(name)
    expect([actor.startsWith(LOCAL_MARK), actor.isWellFormed(), actor.length <= TEXT_MAX]).toEqual([
      true,
      true,
      true,
    ])
  }
})
