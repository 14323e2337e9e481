/**
 * An upgrade to a newer version and back, with two real builds of the program: the current one, and one in
 * which canceling all orders needs rules that the current one does not support yet. Until an operator raises
 * the rules, the newer build writes nothing that the older one cannot read.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { RULES_VERSION } from '../src/core/exchange/rules.ts'
import { BourseProcess, readSandbox, signed } from './support/bourse-process.ts'
import { buildExecutable, NEXT_RULES_VERSION as NEXT, writeNextTree } from './support/builds.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'bourse-two-builds-'))
const data = path.join(directory, 'data')
const journal = path.join(data, 'journal.sqlite')
const [older, newer] = [path.join(directory, 'older'), path.join(directory, 'newer')]

beforeAll(async () => {
  await buildExecutable(older)
  const tree = path.join(directory, 'tree')
  writeNextTree(tree)
  await buildExecutable(newer, tree)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const digest = () => createHash('sha256').update(readFileSync(journal)).digest('hex')

async function sandboxOf(program: string): Promise<BourseProcess> {
  const node = new BourseProcess(['sandbox', '--data', data, '--port', '0'], {}, [], [program])
  await node.ready
  return node
}

async function admin(program: string, ...args: string[]): Promise<[number, string]> {
  const command = new BourseProcess(['admin', '--data', data, ...args, '--yes'], {}, [], [program])
  const code = await command.exited()
  return [code, code === 0 ? command.out : command.err]
}

async function place(price: string): Promise<number> {
  const { baseUrl, accounts } = readSandbox(data)
  const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price }
  return (await signed(baseUrl, accounts[0] as never, 'POST', 'order', order)).status
}

const CANCEL_ALL = ['order', 'cancel-all', '--symbol', 'BTC/USDT']

test('a newer program leaves a journal with which the older one continues, until the rules are raised', async () => {
  const begun = await sandboxOf(older)
  expect(await place('100')).toBe(200)
  expect(await begun.end('SIGTERM')).toBe(0)

  const upgraded = await sandboxOf(newer)
  expect(await place('101')).toBe(200)
  const [code, words] = await admin(newer, ...CANCEL_ALL)
  expect([code, words]).toEqual([1, expect.stringContaining('bourse admin rules set')])
  expect(await upgraded.end('SIGTERM')).toBe(0)

  const back = await sandboxOf(older)
  expect(await place('102')).toBe(200)
  expect((await admin(older, ...CANCEL_ALL))[0]).toBe(0)
  expect(await back.end('SIGTERM')).toBe(0)

  const raised = await sandboxOf(newer)
  expect((await admin(newer, 'rules', 'set', `${NEXT}`))[0]).toBe(0)
  expect(await place('103')).toBe(200)
  expect((await admin(newer, ...CANCEL_ALL))[0]).toBe(0)
  expect(await raised.end('SIGTERM')).toBe(0)

  const before = digest()
  const refused = new BourseProcess(['sandbox', '--data', data, '--port', '0'], {}, [], [older])
  expect(await refused.exited()).toBe(1)
  expect(refused.err).toContain(`expected rules ${RULES_VERSION} or older, found ${NEXT}`)
  expect(digest()).toBe(before)
})
