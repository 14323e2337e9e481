/** The typed client in a real Chromium, in a page of another origin, against a real sandbox. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import {
  type BourseProcess,
  type Credentials,
  dataDirectory,
  ROOT,
  readSandbox,
  sandbox,
} from '../support/bourse-process.ts'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { launchBrowser, openPage } from './support/browser.ts'

setDefaultTimeout(300_000)

const { path: data, remove } = dataDirectory()
let node: BourseProcess | undefined
let browser: Browser | undefined
let site: Bun.Server<undefined> | undefined

beforeAll(async () => {
  const built = await Bun.build({ entrypoints: [path.join(ROOT, 'src/client/index.ts')], target: 'browser' })
  const script = await built.outputs[0]?.text()
  site = Bun.serve({
    port: 0,
    routes: {
      '/': new Response('<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">', {
        headers: { 'Content-Type': 'text/html' },
      }),
      '/bourse-client.js': new Response(script, { headers: { 'Content-Type': 'text/javascript' } }),
    },
  })
  node = await sandbox(data)
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await site?.stop(true)
  await node?.end('SIGKILL')
  remove()
})

/** Runs in the page, with its arguments alone. */
async function trade({
  url,
  apiKey,
  secret,
  script,
}: Record<'url' | 'apiKey' | 'secret' | 'script', string>) {
  const { createBourseClient, importSecret } = (await import(
    script
  )) as typeof import('../../src/client/index.ts')
  const client = createBourseClient({ url, apiKey, secret: await importSecret(crypto.subtle, secret) })
  const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.02', price: '50000' } as const
  const placed = await client.newOrder({ ...order, newOrderRespType: 'RESULT' })
  const amended = await client.amendOrder({ orderId: placed.order.id, newQty: '0.01' })
  await client.cancelOrder({ id: placed.order.id })
  const { status } = await client.order({ orderId: placed.order.id })
  const refused = await client.cancelOrder({ id: placed.order.id }).catch((error: unknown) => error)
  const { reason, requestId } = refused as { readonly reason?: string; readonly requestId?: string }
  return [placed.order.quantity, amended.quantity, status, reason, requestId !== undefined]
}

test('a page of another origin places, amends, cancels and reads an order, and sees why one is refused', async () => {
  const { baseUrl: url, accounts } = readSandbox(data)
  const { apiKey, secret } = accounts[0] as Credentials
  await untilStrictSignatures(url, { apiKey, secret })
  const { page, takeComplaints } = await openPage(browser as Browser, `${site?.url}`)
  const seen = await page.evaluate(trade, { url, apiKey, secret, script: '/bourse-client.js' })
  expect(seen).toEqual(['0.02', '0.01', 'CANCELED', 'UNKNOWN_ORDER', true])
  // The refused cancel is the only logged error.
  expect(takeComplaints().filter((text) => !text.includes('400'))).toEqual([])
})
