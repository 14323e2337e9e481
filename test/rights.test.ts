/**
 * Operators' rights, on a node that is killed in between: roles, tokens with terms, limits, and the first of
 * two approvals.
 */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ADMIN_FILE, ADMIN_PATH, type AdminAddress, type AdminAnswer } from '../src/contract/admin/admin.ts'
import { type BourseProcess, dataDirectory, sandbox } from './support/bourse-process.ts'
import { until } from './support/until.ts'

setDefaultTimeout(300_000)

const { path: data, remove } = dataDirectory()
let node: BourseProcess | undefined
afterAll(async () => {
  await node?.end('SIGKILL')
  remove()
})

/** The result, or the reason of the refusal. Uses the node's own token unless another one is given. */
async function ask(operation: string, body: object, token?: string): Promise<unknown> {
  const own = JSON.parse(readFileSync(path.join(data, ADMIN_FILE), 'utf8')) as AdminAddress
  const headers = { authorization: `Bearer ${token ?? own.token}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = (await (await fetch(`${own.url}${ADMIN_PATH}${operation}`, init)).json()) as AdminAnswer
  return answer.ok ? answer.result : answer.error.reason
}

async function addToken(name: string, role: string, addresses: readonly string[] = []): Promise<string> {
  const made = (await ask('token/add', { name, role, addresses })) as { token: string; createdAt: string }
  // The token of an approver must be older than the request.
  await until('the token is older than now', () => Date.now() > Date.parse(made.createdAt))
  return made.token
}

const credit = (amount: string, reference: string) => ({ account: 'alice', asset: 'BTC', amount, reference })

test('roles, terms of tokens, limits and one of two approvals survive the kill of a node', async () => {
  node = await sandbox(data)
  await ask('role/set', { name: 'desk', rights: ['credit', 'approve'] })
  await ask('role/limit', { role: 'desk', asset: 'BTC', inEach: '7' })
  const [dan, eve, fay] = [
    await addToken('dan', 'desk'),
    await addToken('eve', 'desk', ['127.0.0.0/8', '::1']),
    await addToken('fay', 'desk'),
  ]
  const elsewhere = await addToken('gus', 'desk', ['192.0.2.0/24'])
  await ask('asset/set', { code: 'BTC', approvalAbove: '5' })
  await ask('approval/needed', { needed: 2, asset: 'BTC' })
  const pending = { repeated: false, pending: true }
  expect(await ask('money/credit', credit('6', 'much'), dan)).toEqual(pending)
  expect(await ask('approval/approve', { reference: 'much' }, eve)).toEqual(pending)

  await node.end('SIGKILL')
  node = await sandbox(data)
  expect(await ask('money/credit', credit('1', 'far'), elsewhere)).toBe('TOKEN_ADDRESS_NOT_ALLOWED')
  expect(await ask('account/list', {}, dan)).toBe('ROLE_NOT_ALLOWED')
  expect(await ask('money/credit', credit('7.00000001', 'more'), dan)).toBe('ROLE_LIMIT')
  expect(await ask('approval/approve', { reference: 'much' }, dan)).toBe('SELF_APPROVAL')
  expect(await ask('approval/approve', { reference: 'much' }, fay)).toEqual({ ...pending, pending: false })
  expect(await ask('money/credit', credit('6', 'much'), dan)).toEqual({ repeated: true, pending: false })
})
