/** docs/integration.md: its program is run as it stands, and killed at random moments, as the node is. */
import { afterAll, expect, test } from 'bun:test'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ADMIN_FILE, ADMIN_PATH, type AdminAddress, type AdminAnswer } from '../src/wire/admin.ts'
import type { AdminEvent } from '../src/wire/admin-events.ts'
import { type BourseProcess, dataDirectory, sandbox } from './support/bourse-process.ts'
import { randomNumbers } from './support/random-numbers.ts'
import { until } from './support/until.ts'

const PAGE = readFileSync(path.join(import.meta.dir, '..', 'docs', 'integration.md'), 'utf8')
const PROGRAM = /```js\n(.*?)```/s.exec(PAGE)?.[1] ?? ''

const ROUNDS = 8
const DEPOSITS = 10
const WITHDRAWALS = 3
const seed = Number(process.env.CHAIN_SEED ?? Date.now() % 1_000_000)

const { path: data, remove } = dataDirectory()
const chain = path.join(data, '..', 'chain')
let node: BourseProcess | undefined
let program: Bun.Subprocess | undefined
afterAll(async () => {
  program?.kill('SIGKILL')
  await node?.end('SIGKILL')
  remove()
})

const address = () => JSON.parse(readFileSync(path.join(data, ADMIN_FILE), 'utf8')) as AdminAddress

async function ask(request: string, body?: object, token = address().token): Promise<unknown> {
  const { url } = address()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = (await (await fetch(`${url}${ADMIN_PATH}${request}`, init)).json()) as AdminAnswer
  if (!answer.ok) throw new Error(`${request}: ${answer.error.message}`)
  return answer.result
}

async function eventsOf(kind: AdminEvent['kind']): Promise<AdminEvent[]> {
  const { events } = (await ask(`events?kinds=${kind}&limit=1000`)) as { readonly events: AdminEvent[] }
  return events
}

function start(directory = data): Bun.Subprocess {
  return Bun.spawn([process.execPath, path.join(chain, 'chain.mjs'), directory, chain], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
}

const referencesOf = (events: readonly AdminEvent[]) => events.map(({ fields }) => String(fields.reference))
const paid = () => readdirSync(path.join(chain, 'out')).map(decodeURIComponent)

test(`the worked program credits each deposit once and pays each withdrawal once, killed in the middle, as the node is (seed ${seed})`, async () => {
  const random = randomNumbers(seed)
  mkdirSync(path.join(chain, 'out'), { recursive: true })
  writeFileSync(path.join(chain, 'chain.mjs'), PROGRAM)
  writeFileSync(path.join(chain, 'in.jsonl'), '')
  node = await sandbox(data)
  const deposits: string[] = []
  const withdrawals: string[] = []
  // The first of all is for an account that there is not: those behind it must not wait.
  const lost = JSON.stringify({ tx: 'lo/st', account: 'nobody', asset: 'BTC', amount: '0.001' })
  appendFileSync(path.join(chain, 'in.jsonl'), `${lost}\n`)
  for (let round = 0; round < ROUNDS; round++) {
    program = start()
    for (let i = 0; i < DEPOSITS; i++) {
      const tx = `${round}-${i}`
      const line = JSON.stringify({ tx, account: 'alice', asset: 'BTC', amount: '0.001' })
      appendFileSync(path.join(chain, 'in.jsonl'), `${line}\n`)
      deposits.push(`deposit-${tx}`)
    }
    for (let i = 0; i < WITHDRAWALS; i++) {
      const reference = `pay/${round}-${i}`
      await ask('withdrawal/hold', { account: 'alice', asset: 'BTC', amount: '0.0001', reference })
      withdrawals.push(reference)
    }
    // It is killed in the middle of what it has just begun.
    const target = readState().credited + Math.floor(random() * (DEPOSITS - 1))
    await until('the program has credited some', () => readState().credited >= target)
    if (round % 3 === 2) {
      await node.end('SIGKILL')
      node = await sandbox(data)
    }
    program.kill('SIGKILL')
    await program.exited
  }
  program = start()
  await until('all deposits are credited', () => readState().credited === deposits.length + 1)
  await until('all withdrawals are paid', () => paid().length === withdrawals.length)
  program.kill('SIGKILL')
  await program.exited
  const credited = referencesOf(await eventsOf('CREDIT')).filter((name) => name.startsWith('deposit-'))
  expect(credited).toEqual(deposits)
  const aside = readFileSync(path.join(chain, 'aside', encodeURIComponent('lo/st')), 'utf8')
  expect(aside).toStartWith(`${lost}\nUNKNOWN_ACCOUNT: `)
  expect(referencesOf(await eventsOf('WITHDRAWAL_COMPLETED')).toSorted()).toEqual(withdrawals.toSorted())
  expect(paid().toSorted()).toEqual(withdrawals.toSorted())
  expect(await node.end('SIGTERM')).toBe(0)
}, 300_000)

test('the worked program pays nothing that was cancelled, and what takes a second person once that one has approved it', async () => {
  node = await sandbox(data)
  const hold = (reference: string, amount: string) =>
    ask('withdrawal/hold', { account: 'alice', asset: 'BTC', amount, reference })
  const tokenOf = async (name: string) =>
    ((await ask('token/add', { name, role: 'OPERATOR' })) as { readonly token: string }).token
  const [own, second] = [await tokenOf('program'), await tokenOf('second')]
  await ask('asset/set', { code: 'BTC', approvalAbove: '0.005' })
  const before = paid()
  // All three are asked for while the program does not run.
  await hold('cancelled', '0.001')
  await ask('withdrawal/cancel', { reference: 'cancelled' })
  await hold('large', '0.006')
  await hold('small', '0.001')
  // Its own directory has a named token, since the node's own asks for nothing that takes two people.
  const directory = path.join(chain, 'own')
  mkdirSync(directory)
  writeFileSync(path.join(directory, ADMIN_FILE), JSON.stringify({ ...address(), token: own }))
  program = start(directory)
  const paidNow = () => paid().filter((name) => !before.includes(name))
  await until('the small one is paid', () => paidNow().includes('small'))
  expect(paidNow()).toEqual(['small'])
  await ask('approval/approve', { reference: 'large' }, second)
  await until('the large one is paid', () => paidNow().includes('large'))
  expect(paidNow().toSorted()).toEqual(['large', 'small'])
  program.kill('SIGKILL')
  await program.exited
  expect(await node.end('SIGTERM')).toBe(0)
}, 300_000)

function readState(): { readonly credited: number; readonly next: number } {
  const file = path.join(chain, 'state.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { credited: 0, next: 0 }
}
