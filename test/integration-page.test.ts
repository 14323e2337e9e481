/** docs/integration.md: its program is run unchanged, and is killed at random times, like the node. */
import { afterAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ADMIN_FILE, ADMIN_PATH, type AdminAddress, type AdminAnswer } from '../src/contract/admin/admin.ts'
import type { AdminEvent } from '../src/contract/admin/events.ts'
import { type BourseProcess, dataDirectory, readSandbox, sandbox } from './support/bourse-process.ts'
import { randomNumbers } from './support/random-numbers.ts'
import { until } from './support/until.ts'

const PAGE = readFileSync(path.join(import.meta.dir, '..', 'docs', 'integration.md'), 'utf8')
const PROGRAM = /```js\n(.*?)```/s.exec(PAGE)?.[1] ?? ''

const ROUNDS = 8
const DEPOSITS = 10
const WITHDRAWALS = 3
/**
 * Traders' own withdrawals per round; the last one of each round is canceled at once, even if the program was
 * faster.
 */
const ASKED = 3
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

type Key = { readonly apiKey: string; readonly secret: string }

/** Alice's address, and a key of hers that may withdraw. */
async function openHarness(): Promise<Key> {
  await ask('address/add', { account: 'alice', asset: 'BTC', address: 'bc1qalice', tag: '7', atOnce: true })
  return (await ask('key/add', { account: 'alice', permissions: ['WITHDRAW', 'WALLET'] })) as Key
}

type Answer = { readonly reason?: string; readonly data?: Record<string, unknown> }

/**
 * The answer to a trader's request; a node that has just started accepts no nonces for a short time, and its
 * refusal says so.
 */
async function trader(
  method: string,
  route: string,
  fields: Record<string, string>,
  key: Key,
): Promise<Answer> {
  for (;;) {
    const answer = await sendStrictly(method, `/api/v3/capital/${route}`, fields, key)
    if (answer.reason !== 'NONCES_UNKNOWN') return answer
    await Bun.sleep(50)
  }
}

async function sendStrictly(
  method: string,
  target: string,
  fields: Record<string, string>,
  { apiKey, secret }: Key,
): Promise<Answer> {
  const timestamp = String(Date.now())
  const query = new URLSearchParams({ ...fields, timestamp }).toString()
  const nonce = crypto.randomUUID()
  const lines = [method, target, query, timestamp, nonce, ''].join('\n')
  const signature = `v2=${createHmac('sha256', secret).update(lines).digest('hex')}`
  const signed = { 'X-Apikey': apiKey, 'X-Signature': signature, 'X-Timestamp': timestamp, 'X-Nonce': nonce }
  const url = `${readSandbox(data).baseUrl}${target}?${query}`
  return (await (await fetch(url, { method, headers: signed })).json()) as Answer
}

type Asked = { readonly id: string; readonly isCanceled: boolean }

/** Requests some withdrawals and cancels the last one, unless the program was faster. */
async function askForSome(round: number, key: Key): Promise<Asked[]> {
  const all: Asked[] = []
  for (let i = 0; i < ASKED; i++) {
    const own = `own-${round}-${i}`
    const fields = {
      coin: 'BTC',
      amount: '0.0002',
      address: 'bc1qalice',
      addressTag: '7',
      withdrawOrderId: own,
    }
    const { reason, data: asked } = await trader('POST', 'withdraw/apply', fields, key)
    if (reason !== undefined) throw new Error(`${own}: ${reason}`)
    all.push({ id: String(asked?.id), isCanceled: i === ASKED - 1 && (await isCanceled(own, key)) })
  }
  return all
}

async function isCanceled(own: string, key: Key): Promise<boolean> {
  const { reason } = await trader('DELETE', 'withdraw/apply', { cancelWithdrawOrderId: own }, key)
  expect(['WITHDRAWAL_CLAIMED', 'WITHDRAWAL_FINISHED', undefined]).toContain(reason)
  return reason === undefined
}

const referencesOf = (events: readonly AdminEvent[]) => events.map(({ fields }) => String(fields.reference))
const paid = () => readdirSync(path.join(chain, 'out')).map(decodeURIComponent)

test(`the worked program credits each deposit once and pays each withdrawal once, killed in the middle, and so is the node (seed ${seed})`, async () => {
  const random = randomNumbers(seed)
  mkdirSync(path.join(chain, 'out'), { recursive: true })
  writeFileSync(path.join(chain, 'chain.mjs'), PROGRAM)
  writeFileSync(path.join(chain, 'in.jsonl'), '')
  node = await sandbox(data)
  const deposits: string[] = []
  const withdrawals: string[] = []
  const asked: Asked[] = []
  const key = await openHarness()
  // The first deposit is for an account that does not exist: the later ones must not wait for it.
  const lost = JSON.stringify({ tx: 'lo/st', account: 'nobody', asset: 'BTC', amount: '0.001' })
  appendFileSync(path.join(chain, 'in.jsonl'), `${lost}\n`)
  for (let round = 0; round < ROUNDS; round++) {
    // The program is killed in the middle of the work that it has just begun.
    const target = readState().credited + Math.floor(random() * (DEPOSITS - 1))
    program = start()
    asked.push(...(await askForSome(round, key)))
    for (let i = 0; i < WITHDRAWALS; i++) {
      const reference = `pay/${round}-${i}`
      await ask('withdrawal/hold', { account: 'alice', asset: 'BTC', amount: '0.0001', reference })
      withdrawals.push(reference)
    }
    for (let i = 0; i < DEPOSITS; i++) {
      const tx = `${round}-${i}`
      const line = JSON.stringify({ tx, account: 'alice', asset: 'BTC', amount: '0.001' })
      appendFileSync(path.join(chain, 'in.jsonl'), `${line}\n`)
      deposits.push(`deposit-${tx}`)
    }
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
  const canceled = asked.filter((one) => one.isCanceled).map(({ id }) => id)
  const granted = asked.filter((one) => !one.isCanceled).map(({ id }) => id)
  withdrawals.push(...granted)
  await until('all withdrawals are paid', () => paid().length === withdrawals.length)
  const ended = async (kind: 'WITHDRAWAL_COMPLETED' | 'WITHDRAWAL_CANCELED') =>
    referencesOf(await eventsOf(kind)).toSorted()
  expect(await ended('WITHDRAWAL_CANCELED')).toEqual(canceled.toSorted())
  const { withdrawals: listed } = (await trader('GET', 'withdraw/history', { limit: '100' }, key)).data as {
    readonly withdrawals: readonly { readonly id: string; readonly status: string }[]
  }
  expect(
    listed
      .filter(({ status }) => status === 'CANCELED')
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(canceled)
  for (const id of granted) {
    const payment = JSON.parse(readFileSync(path.join(chain, 'out', encodeURIComponent(id)), 'utf8'))
    expect(payment).toEqual({
      account: 'alice',
      asset: 'BTC',
      amount: '0.0002',
      address: 'bc1qalice',
      tag: '7',
    })
  }
  program.kill('SIGKILL')
  await program.exited
  const credited = referencesOf(await eventsOf('CREDIT')).filter((name) => name.startsWith('deposit-'))
  expect(credited).toEqual(deposits)
  const aside = readFileSync(path.join(chain, 'aside', encodeURIComponent('lo/st')), 'utf8')
  expect(aside).toStartWith(`${lost}\nUNKNOWN_ACCOUNT: `)
  expect(await ended('WITHDRAWAL_COMPLETED')).toEqual(withdrawals.toSorted())
  expect(paid().toSorted()).toEqual(withdrawals.toSorted())
  expect(await node.end('SIGTERM')).toBe(0)
}, 300_000)

test('the worked program pays nothing that was canceled, and a large withdrawal once a second person has approved it', async () => {
  node = await sandbox(data)
  const hold = (reference: string, amount: string) =>
    ask('withdrawal/hold', { account: 'alice', asset: 'BTC', amount, reference })
  const tokenOf = async (name: string) =>
    ((await ask('token/add', { name, role: 'OPERATOR' })) as { readonly token: string }).token
  const [own, second] = [await tokenOf('program'), await tokenOf('second')]
  await ask('asset/set', { code: 'BTC', approvalAbove: '0.005' })
  const before = paid()
  // All three are requested while the program does not run.
  await hold('canceled', '0.001')
  await ask('withdrawal/cancel', { reference: 'canceled' })
  await hold('large', '0.006')
  await hold('small', '0.001')
  // The program's own directory has a named token, since the node's own token may request nothing that needs
  // two people.
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
  // A trader's withdrawal waits while the account is frozen, and continues afterwards.
  const [asked] = await askForSome(ROUNDS, await openHarness())
  const first = asked?.id ?? ''
  await ask('account/freeze', { account: 'alice' })
  program = start(directory)
  await until('the program has been stopped by it', () => readState().stopped?.includes(first) === true)
  expect(paidNow()).not.toContain(first)
  await ask('account/unfreeze', { account: 'alice' })
  await until('it is paid after all', () => paidNow().includes(first))
  program.kill('SIGKILL')
  await program.exited
  expect(await node.end('SIGTERM')).toBe(0)
}, 300_000)

function readState(): {
  readonly credited: number
  readonly next: number
  readonly stopped?: readonly string[]
} {
  const file = path.join(chain, 'state.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { credited: 0, next: 0 }
}
