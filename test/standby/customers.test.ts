/** Customers at a promoted standby: their store is copied with the journal, and is never newer. */
import { afterEach, expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { runAdmin } from '../acceptance/support/node-process.ts'
import { eventually } from '../postgres/support/eventually.ts'
import type { BourseProcess } from '../support/bourse-process.ts'
import { answered, Customer } from '../support/customer.ts'
import { until } from '../support/until.ts'
import { metricsOf, Pair } from './support/pair.ts'

const TIMEOUT_MS = 300_000

let pair: Pair
afterEach(() => pair.end())

const reached = (url: string, data: string) => ({
  url,
  admin: (...words: readonly string[]) => runAdmin(data, words),
})

/** Waits until the standby's copy is of a later time than this one. */
function copiedSince(standby: BourseProcess, sinceMs: number, keys = 1): Promise<void> {
  return eventually('the customers are copied', async () => {
    // The age is measured later, so that the copy is never assumed to be newer than it is.
    const askedMs = Date.now()
    const text = await metricsOf(standby)
    const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
    const ageMs = 1_000 * value('bourse_standby_customers_age_seconds')
    return value('bourse_standby_customers_keys') === keys && ageMs > 0 && askedMs - ageMs > sinceMs + 50
  })
}

const customersOf = (data: string) => path.join(data, 'customers')

/** A node with a customer, and a standby with its keys. */
async function follow() {
  pair = new Pair()
  const node = await pair.node()
  const url = await node.ready
  const at = reached(url, pair.nodeData)
  const stays = new Customer(at)
  await stays.signUp('stays@example.org')
  const standby = await pair.standby()
  await copiedSince(standby, 0, 0)
  await until('the standby says so', () => standby.err.includes('customers.keys is missing here'))
  pair.carryMasterKey()
  const keys = 'customers.keys'
  cpSync(path.join(customersOf(pair.nodeData), keys), path.join(customersOf(pair.standbyData), keys))
  await copiedSince(standby, Date.now())
  return { node, url, at, stays, standby }
}

/** Promotes the standby at the same address, as after a change of names. */
function promoteAt(url: string): BourseProcess {
  const serving = ['--port', new URL(url).port, '--limits', 'off', '--customers', 'on', ...pair.secret]
  const line = ['standby', 'promote', '--data', pair.standbyData, '--yes-the-old-node-is-off']
  return pair.start(...line, ...serving)
}

/** Signs in once the customers process answers. */
async function signIn(customer: Customer) {
  await answered(() => customer.ask('GET', 'config'))
  return answered(() => customer.signIn())
}

test(
  'after kill -9 of the node customers sign in at the promoted standby with the same passkey, a removed one does not, and an erased customer stays erased',
  async () => {
    const { node, url, at, stays, standby } = await follow()
    const [changes, leaves] = [new Customer(at), new Customer(at)]
    await changes.signUp('changes@example.org')
    await leaves.signUp('leaves@example.org')
    const other = await changes.addPasskey()
    const { data } = await changes.ask('GET', 'me')
    const [first] = data.passkeys as readonly { readonly id: string }[]
    expect((await changes.askWithStepUp('passkey/remove', { id: first?.id })).status).toBe(200)
    expect((await leaves.askWithStepUp('erase')).status).toBe(200)
    await copiedSince(standby, Date.now())
    await node.end('SIGKILL')
    const promoted = promoteAt(url)
    expect(await promoted.ready).toBe(url)
    expect(promoted.out).toMatch(/The customer store \(2 persons\) is as of 20\d\d-/)
    // The session's key stays valid without a sign-in.
    expect(await stays.trader(url).openOrders({})).toEqual([])
    const at2 = reached(url, pair.standbyData)
    expect((await signIn(new Customer(at2, stays.passkey))).status).toBe(200)
    expect((await signIn(new Customer(at2, changes.passkey))).reason).toBe('CREDENTIALS_WRONG')
    expect((await signIn(new Customer(at2, other))).status).toBe(200)
    expect((await signIn(new Customer(at2, leaves.passkey))).reason).toBe('CREDENTIALS_WRONG')
    expect(promoted.err).not.toContain('the customer store is older')
  },
  TIMEOUT_MS,
)

test(
  'a copy from before a removed passkey and an erasure restores neither',
  async () => {
    const { node, url, at, standby, stays } = await follow()
    const [changes, leaves] = [new Customer(at), new Customer(at)]
    await changes.signUp('changes@example.org')
    await leaves.signUp('leaves@example.org')
    const other = await changes.addPasskey()
    const beforeMs = Date.now()
    await copiedSince(standby, beforeMs)
    await standby.end('SIGTERM')
    const afterMs = Date.now()
    const [files, older] = [customersOf(pair.standbyData), path.join(pair.root, 'older')]
    cpSync(files, older, { recursive: true })
    const again = await pair.standby()
    const { data } = await changes.ask('GET', 'me')
    const [first] = data.passkeys as readonly { readonly id: string }[]
    expect((await changes.askWithStepUp('passkey/remove', { id: first?.id })).status).toBe(200)
    expect((await leaves.askWithStepUp('erase')).status).toBe(200)
    await copiedSince(again, Date.now())
    await node.end('SIGKILL')
    await again.end('SIGTERM')
    rmSync(files, { recursive: true })
    cpSync(older, files, { recursive: true })
    const promoted = promoteAt(url)
    await promoted.ready
    const [, moment = ''] = /\(3 persons\) is as of (\S+)\. /.exec(promoted.out) ?? []
    // The copy was made before the standby's end, and its time has whole milliseconds.
    expect(Date.parse(moment)).toBeGreaterThanOrEqual(beforeMs - 1)
    expect(Date.parse(moment)).toBeLessThanOrEqual(afterMs)
    const at2 = reached(url, pair.standbyData)
    for (const passkey of [changes.passkey, other, leaves.passkey])
      expect((await signIn(new Customer(at2, passkey))).reason).toBe('CREDENTIALS_WRONG')
    expect((await signIn(new Customer(at2, stays.passkey))).status).toBe(200)
    await until('the log says so', () =>
      ['the customer store is older than the journal', 'were erased here too'].every((text) =>
        promoted.err.includes(text),
      ),
    )
    const mail = Buffer.from('leaves@example.org')
    const holding = readdirSync(files).filter(
      (name) => !name.endsWith('.sock') && readFileSync(path.join(files, name)).includes(mail),
    )
    expect(holding).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'a node that stops cleanly has shipped its customers too, and a promotion without their keys changes nothing',
  async () => {
    const { node, url, at, standby } = await follow()
    const last = new Customer(at)
    await last.signUp('last@example.org')
    expect(await node.end('SIGTERM')).toBe(0)
    expect(node.err).not.toContain('a standby lacks')
    await until('the standby knows', () => standby.err.includes('the link is lost'))
    const keys = path.join(customersOf(pair.standbyData), 'customers.keys')
    cpSync(keys, path.join(pair.root, 'keys'))
    rmSync(keys)
    const keyless = promoteAt(url)
    expect(await keyless.exited()).toBe(1)
    expect(keyless.err).toContain('customers.keys is missing')
    expect(readdirSync(pair.standbyData)).not.toContain('promoted.json')
    cpSync(path.join(pair.root, 'keys'), keys)
    const promoted = promoteAt(url)
    await promoted.ready
    const again = new Customer(reached(url, pair.standbyData), last.passkey)
    expect((await signIn(again)).status).toBe(200)
    expect((await again.ask('GET', 'me')).data.mail).toBe('last@example.org')
  },
  TIMEOUT_MS,
)
