/**
 * A session of a real node, recorded once and committed with the published files of that commit: random
 * requests over HTTP and the stream, and each operation of the admin server. `npm run corpus -- --node`
 * records it again.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  ADMIN_FILE,
  ADMIN_PATH,
  type AdminAddress,
  type AdminAnswer,
  type AdminOperation,
} from '../../src/contract/admin/admin.ts'
import { Client, type Fields } from '../acceptance/support/client.ts'
import { type NodeProcess, startSandbox } from '../acceptance/support/node-process.ts'
import type { Seen } from '../schemas/checked.ts'
import { API } from '../schemas/documents.ts'
import { record } from '../schemas/recorder.ts'
import { AdminSession, askMost } from './parts/admin-session.ts'

export const RECORDED = path.join(import.meta.dir, 'recorded')
const ROOT = path.join(import.meta.dir, '..', '..')

export type RecordedAnswer = {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

type AdminAnswers = { readonly operation: AdminOperation; readonly body: AdminAnswer }[]

export type NodeSession = {
  readonly answers: readonly RecordedAnswer[]
  readonly messages: readonly unknown[]
  readonly admin: Readonly<AdminAnswers>
}

/** Number of requests over HTTP; the successful ones cover every endpoint at least once. */
const REQUESTS = 2_500
const SEED = 28
/**
 * Largest number of different forms kept for the answers of one endpoint and status, and for the messages of
 * one name.
 */
const FORMS_MAX = 6
/** Number of items of a list, and of characters of a text, that are kept in the result of an operation. */
const ITEMS_MAX = 3
const TEXT_MAX = 2_000
/** Secrets, keys and digests, which have a letter among their digits. */
const RANDOM = /\b(?=\d*[a-f])[0-9a-f]{32,}\b|bourse_[\w-]+/g

export function recordedSession(): NodeSession {
  return JSON.parse(readFileSync(path.join(RECORDED, 'session.json'), 'utf8'))
}

/** Records a session of the current program, with the currently published files. */
export async function recordNode(): Promise<void> {
  let node = await startSandbox({ webhooks: { privateAddresses: true } })
  try {
    const kept = new Kept()
    const answers: RecordedAnswer[] = []
    const messages: unknown[] = []
    const { url, streamUrl, alice, bob } = node
    const onAnswer = ({ method, path: at, status, headers, text }: Seen) => {
      const type = headers.get('content-type') ?? ''
      const form = type.startsWith('application/json') ? formOf(JSON.parse(text)) : ''
      if (!kept.takes(`${method} ${at} ${status}`, form)) return
      answers.push({ method, path: at, status, headers: Object.fromEntries(headers), text: cleaned(text) })
    }
    await askSeldom(alice, onAnswer)
    await record({
      ...{ url, streamUrl, alice, bob, answers: REQUESTS, seed: SEED },
      onAnswer,
      onMessage: (message) => {
        if (kept.takes(`message ${(message as readonly unknown[])[0]}`, formOf(message)))
          messages.push(JSON.parse(cleaned(JSON.stringify(message))))
      },
    })
    // The stop writes a snapshot, up to which the journal can be archived.
    node = await node.restart('SIGTERM')
    const admin = await adminAnswers(node)
    mkdirSync(RECORDED, { recursive: true })
    const session: NodeSession = { answers, messages, admin: admin.map(shortened) }
    writeFileSync(path.join(RECORDED, 'session.json'), `${JSON.stringify(session, undefined, 1)}\n`)
    writeFileSync(path.join(RECORDED, 'admin-results.ts'), adminResultsText(session.admin))
    for (const name of ['openapi.json', 'asyncapi.json'])
      cpSync(path.join(API, name), path.join(RECORDED, name))
  } finally {
    await node.stop()
  }
}

/** Requests that random ones seldom make. */
async function askSeldom(alice: Client, onAnswer: (seen: Seen) => void): Promise<void> {
  const ask = async (method: string, at: string, fields: Fields) => {
    const { status, headers, text } = await alice.request(method, `/api/v3${at}`, fields)
    onAnswer({ method, path: at, status, headers, text })
    return JSON.parse(text)
  }
  const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.02', price: '900' }
  const { data } = await ask('POST', '/order', order)
  await ask('PUT', '/order/amend/keepPriority', { orderId: data.id, newQty: '0.01' })
  await ask('POST', '/orderList/oco', {
    ...{ symbol: order.symbol, side: 'SELL', quantity: '0.01', listClientOrderId: 'either' },
    ...{ aboveType: 'LIMIT_MAKER', abovePrice: '900000', belowType: 'STOP_LOSS', belowStopPrice: '1' },
  })
  await ask('GET', '/orderList', { listClientOrderId: 'either' })
}

/** The forms that are already recorded, by their endpoint or name. */
class Kept {
  readonly #forms = new Map<string, Set<string>>()

  takes(of: string, form: string): boolean {
    const forms = this.#forms.get(of) ?? new Set()
    if (forms.has(form) || forms.size >= FORMS_MAX) return false
    this.#forms.set(of, forms.add(form))
    return true
  }
}

/** Names and types of members, and the words of reasons; lists by the forms of their items. */
function formOf(value: unknown, name = ''): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map((item) => formOf(item)))].sort().join()}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, member]) => `${key}:${formOf(member, key)}`)
      .join()}}`
  return name === 'reason' || name === 'endReason' || name === 'status' ? String(value) : typeof value
}

/** Without secrets and names of this machine's directories. */
function cleaned(text: string): string {
  return text
    .replaceAll(tmpdir(), '/tmp')
    .replace(RANDOM, (found) => (found.startsWith('bourse_') ? 'bourse_secret' : '0'.repeat(found.length)))
}

function shortened({ operation, body }: NodeSession['admin'][number]): NodeSession['admin'][number] {
  const short = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(short)
    if (typeof value === 'string') return value.slice(0, TEXT_MAX)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, short(member)]))
  }
  return { operation, body: JSON.parse(cleaned(JSON.stringify(short(body)))) }
}

/** A program that the compiler checks against the current contract. */
function adminResultsText(admin: NodeSession['admin']): string {
  const results = admin.flatMap(({ operation, body }) =>
    body.ok && typeof body.result === 'object' ? [{ operation, result: body.result }] : [],
  )
  const byOperation = Map.groupBy(results, ({ operation }) => operation)
  const members = [...byOperation].map(([operation, those]) => {
    return `  '${operation}': ${JSON.stringify(those.map(({ result }) => result))},`
  })
  return [
    '/** What a real node answered its operators, made by `npm run corpus -- --node`: the compiler holds it to the contract of today, which may lack no member of it. */',
    "import type { AdminOperation, AdminResults } from '../../../src/contract/admin/admin.ts'",
    '',
    'type Results = { readonly [Operation in AdminOperation]?: readonly AdminResults[Operation][] }',
    '',
    'export const ADMIN_RESULTS = {',
    ...members,
    '} satisfies Results',
    '',
  ].join('\n')
}

/** Every operation, including those of a node with archives, webhooks, reports and faults. */
async function adminAnswers(node: NodeProcess): Promise<AdminAnswers> {
  const { url, token: own }: AdminAddress = JSON.parse(
    readFileSync(path.join(node.dataDirectory, ADMIN_FILE), 'utf8'),
  )
  const answers: AdminAnswers = []
  const ask = async (operation: AdminOperation, request: object = {}, token = own) => {
    const response = await fetch(`${url}${ADMIN_PATH}${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    const text = await response.text()
    const isResult = !text.startsWith('{"ok":')
    const body: AdminAnswer = isResult ? ({ ok: true, result: text } as never) : JSON.parse(text)
    answers.push({ operation, body })
    return { status: response.status, body }
  }
  const session = new AdminSession({ ask })
  await askMost(
    session,
    () => {},
    () => meet(session, node),
  )
  await archive(session, node, answers)
  await receive(session)
  await session.ask('fault/add', { kind: 'HALT', account: 'alice', seconds: 60 })
  await session.ask('fault/list')
  await session.ask('fault/clear')
  const customer = `c-${'a'.repeat(26)}`
  await session.ask('own-key/list', { account: customer })
  await session.ask('own-key/add', { account: customer, permissions: ['READ'] })
  await session.ask('own-key/end', { account: customer, apiKey: '0'.repeat(64) })
  await session.ask('own-key/addresses', { lists: [], telling: 'WHOLE' })
  await session.ask('session/open', { keys: [], telling: 'WHOLE' })
  await session.ask('session/end', { names: [`s-${'a'.repeat(26)}`] })
  await session.ask('session/list')
  await session.ask('mail/list')
  await session.ask('customer/list')
  await session.ask('customer/find', { part: 'jo@', reason: 'case 17' })
  await session.ask('customer/show', { account: `c-${'a'.repeat(26)}`, reason: 'case 17' })
  await session.ask('customer/events', { account: `c-${'a'.repeat(26)}`, reason: 'case 17' })
  await session.ask('customer/restrict', { account: `c-${'a'.repeat(26)}`, added: ['TRADE'], removed: [] })
  await session.ask('customer/head', { number: 1, hash: '0'.repeat(64) })
  await session.ask('customer/newest-head')
  await session.ask('customer/trail')
  await session.ask('customer/raise', { account: `c-${'a'.repeat(26)}`, epoch: 1 })
  await session.ask('customer/forget', { account: `c-${'a'.repeat(26)}` })
  await session.ask('customer/marks')
  await session.ask('customer/freeze', { account: `c-${'a'.repeat(26)}` })
  await session.ask('customer/erase', { account: `c-${'a'.repeat(26)}` })
  await session.ask('customer/check')
  await session.ask('customer/approve', { account: `c-${'a'.repeat(26)}`, reason: 'case 17' })
  await session.ask('customer/refuse', { account: `c-${'a'.repeat(26)}` })
  await session.ask('invitation/add')
  await session.ask('invitation/list')
  await session.ask('invitation/end', { id: '0'.repeat(16) })
  await session.ask('customer/export', { account: `c-${'a'.repeat(26)}`, reason: 'case 17' })
  await session.ask('customer/requests')
  await session.ask('customer/reset', { account: `c-${'a'.repeat(26)}`, reason: 'case 17' })
  await session.ask('customer/mail', {
    account: `c-${'a'.repeat(26)}`,
    mail: 'jo@example.com',
    reason: 'case 17',
  })
  await session.ask('customer/unfreeze', { account: `c-${'a'.repeat(26)}`, reason: 'case 17' })
  await session.ask('report/show', { report: 'trades' })
  const { dataDirectory } = node
  const files = [
    '--seed',
    path.join(dataDirectory, 'liabilities.seed'),
    '--out',
    path.join(dataDirectory, 'proofs'),
  ]
  await run('liabilities', 'prove', '--data', dataDirectory, ...files, '--json')
  await session.ask('liabilities/show', { account: 'alice' })
  await session.ask('metrics/show')
  await session.ask('load/show')
  return answers
}

/** Carol sells, Dave buys. */
async function meet(session: AdminSession, { url }: NodeProcess): Promise<void> {
  for (const [account, side, quantity] of [
    ['carol', 'SELL', '5'],
    ['dave', 'BUY', '2'],
  ] as const) {
    const key = await session.ask('key/add', { account, permissions: ['TRADE'] })
    const order = { symbol: 'XAU/EUR', side, type: 'LIMIT', quantity, price: '10' }
    await new Client(url, key).request('POST', '/api/v3/order', order)
  }
}

/** Runs the program on the node's machine. */
async function run(...line: readonly string[]): Promise<void> {
  const main = path.join(ROOT, 'src', 'app', 'main.ts')
  const child = Bun.spawn([process.execPath, '--no-env-file', main, ...line], {
    ...{ cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  })
  const problem = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${line.join(' ')}: ${problem}`)
}

/** The program moves the older part of the journal to a file; the node's answers during the move are kept. */
async function archive(
  session: AdminSession,
  { dataDirectory }: NodeProcess,
  kept: AdminAnswers,
): Promise<void> {
  const file = path.join(dataDirectory, ADMIN_FILE)
  const text = readFileSync(file, 'utf8')
  const address: AdminAddress = JSON.parse(text)
  const between = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      const body = await request.text()
      const { method, headers } = request
      const answer = await fetch(`${address.url}${pathname}`, {
        method,
        headers,
        ...(body === '' ? {} : { body }),
      })
      const given = await answer.text()
      const operation = pathname.slice(ADMIN_PATH.length) as AdminOperation
      if (operation === 'archive/record') kept.push({ operation, body: JSON.parse(given) })
      return new Response(given, { status: answer.status, headers: { 'content-type': 'application/json' } })
    },
  })
  writeFileSync(file, JSON.stringify({ ...address, url: between.url.origin }))
  await run('archive', '--data', dataDirectory, '--keep-days', '0', '--json')
  writeFileSync(file, text)
  await between.stop(true)
  await session.ask('journal/archives')
  await session.ask('archive/trim', { batchesMax: 1 })
}

/** Starts a receiver that accepts no delivery. */
async function receive(session: AdminSession): Promise<void> {
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response('', { status: 410 }),
  })
  const webhook = { name: 'hook' }
  await session.ask('webhook/add', {
    ...webhook,
    url: `http://127.0.0.1:${receiver.port}/in`,
    kinds: ['CREDIT'],
  })
  await session.ask('webhook/test', webhook)
  await session.ask('webhook/pause', webhook)
  await session.ask('webhook/show', webhook)
  await session.ask('webhook/resume', webhook)
  await session.ask('webhook/list')
  await session.ask('dead-event/list', webhook)
  await session.ask('webhook/retry', webhook)
  await session.ask('webhook/remove', webhook)
  await receiver.stop(true)
}
