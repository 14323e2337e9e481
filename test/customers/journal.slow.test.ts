/**
 * Sign-ins and sign-outs are not in the journal: only the commands of the sign-ups are, and the state of the
 * exchange is the same before and after any number of sign-ins and sign-outs.
 * `CUSTOMERS_SIGN_UPS=500 CUSTOMERS_SIGN_INS=5000` for the long run.
 */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AdminAddress, AdminOperation } from '../../src/contract/admin/admin.ts'
import { adminResult } from '../browser/support/admin.ts'
import { BourseProcess, dataDirectory } from '../support/bourse-process.ts'
import { answered, Customer } from '../support/customer.ts'
import { freePort } from '../support/free-port.ts'
import { PROGRAM } from '../support/program.ts'
import { WAIT_MS_MAX } from '../support/until.ts'

setDefaultTimeout(3_600_000)

const SIGN_UPS = Number(process.env.CUSTOMERS_SIGN_UPS ?? 12)
const SIGN_INS = Number(process.env.CUSTOMERS_SIGN_INS ?? 60)
/** A sign-up journals the account and, in a sandbox, its test money. */
const OF_A_SIGN_UP = ['OpenCustomer', 'Credit']
/** The head of the trail is journaled once a day. */
const OF_A_DAY = 'NoteChange'

const { path: data, remove } = dataDirectory()
const port = freePort()
const url = `http://127.0.0.1:${port}`
let node: BourseProcess | undefined

const place = {
  url,
  admin: (...words: readonly string[]) => {
    const address = JSON.parse(readFileSync(path.join(data, 'admin.json'), 'utf8')) as AdminAddress
    return adminResult(address, words.join('/') as AdminOperation, {})
  },
}

afterAll(async () => {
  await node?.end('SIGKILL')
  remove()
})

/** Kinds of the newest actions of operators and of the customers process. */
async function actions(): Promise<readonly string[]> {
  return ((await place.admin('audit', 'list')) as readonly { readonly kind: string }[]).map(
    ({ kind }) => kind,
  )
}

async function start(): Promise<void> {
  node = new BourseProcess(['sandbox', '--port', `${port}`, '--data', data, '--limits', 'off'])
  await node.ready
  await answered(() => new Customer(place).ask('GET', 'config'))
}

/** How many commands of each kind the journal has, and a digest of the newest snapshot. */
async function stopAndRead() {
  expect(await node?.end('SIGTERM')).toBe(0)
  const child = Bun.spawn([...PROGRAM, 'journal', '--data', data, '--json'], { stdout: 'pipe' })
  const lines = (await new Response(child.stdout).text()).trim().split('\n')
  expect(await child.exited).toBe(0)
  const kinds: Record<string, number> = {}
  for (const line of lines) {
    const { kind } = JSON.parse(line) as { readonly kind: string }
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  const files = readdirSync(path.join(data, 'snapshots')).filter((name) => name.endsWith('.snapshot'))
  const newest = Math.max(...files.map((name) => Number.parseInt(name, 10)))
  const bytes = readFileSync(path.join(data, 'snapshots', `${newest}.snapshot`))
  return { kinds, snapshot: `${newest} ${createHash('sha256').update(bytes).digest('hex')}` }
}

/** Does the work for some people at a time, as they would arrive. */
async function each(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}

test('sign-ins and sign-outs are not journaled, and leave the state of the exchange as it was', async () => {
  await start()
  const before = await stopAndRead()
  await start()
  const customers: Customer[] = []
  await each(SIGN_UPS, async (n) => {
    const customer = new Customer(place)
    expect((await customer.signUp(`p${n}@example.org`)).status).toBe(200)
    customers.push(customer)
  })
  // Without this wait the head of the trail might be journaled only after the next start.
  for (const endMs = performance.now() + WAIT_MS_MAX; !(await actions()).includes(OF_A_DAY); ) {
    if (performance.now() > endMs) throw new Error('the head of the trail is not journaled')
    await Bun.sleep(100)
  }
  const signedUp = await stopAndRead()
  const added = Object.entries(signedUp.kinds).filter(([kind, count]) => count !== before.kinds[kind])
  const kinds = added.map(([kind]) => kind)
  expect(kinds.filter((kind) => ![...OF_A_SIGN_UP, OF_A_DAY].includes(kind))).toEqual([])
  expect(signedUp.kinds.OpenCustomer).toBe(SIGN_UPS)

  await start()
  await each(SIGN_INS, async (n) => {
    const customer = new Customer(place, customers[n % customers.length]?.passkey)
    expect((await customer.signIn()).status).toBe(200)
    expect((await customer.ask('POST', 'logout')).status).toBe(200)
  })
  expect(await stopAndRead()).toEqual(signedUp)
})
