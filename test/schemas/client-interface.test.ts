/**
 * The typed client has every endpoint with its parameters from the table of endpoints, and sends its requests
 * accordingly.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type BourseClient, createBourseClient } from '../../src/client/client.ts'
import { ENDPOINTS as CLIENT_ENDPOINTS } from '../../src/client/endpoints.ts'
import { success, VirtualPlatform } from '../../src/client/virtual-platform.fixture.ts'
import { isSigned } from '../../src/contract/endpoints/reasons.ts'
import { ENDPOINTS } from '../../src/contract/publish/endpoints.ts'
import { clientTypeFiles } from '../../tools/lib/client-type-files.mjs'
import { section } from '../support/reference.ts'
import { clientTable, CLIENT_ENDPOINTS as TABLE } from './documents.ts'

const INTERFACE = path.join(import.meta.dir, '../../src/client/interface')

setDefaultTimeout(300_000)

test('src/client/endpoints.ts is as npm run schemas writes it', () => {
  expect(readFileSync(TABLE, 'utf8') === clientTable()).toBe(true)
})

test('the types of the client match the present contract, and there are no others', () => {
  const files = clientTypeFiles()
  for (const [name, text] of files) {
    expect(readFileSync(path.join(INTERFACE, name), 'utf8') === text).toBe(true)
  }
  expect(readdirSync(INTERFACE).toSorted()).toEqual([...files.keys()].toSorted())
})

test('the client has a method for every endpoint', () => {
  const client = createBourseClient({ url: 'http://exchange.test' })
  const missing = ENDPOINTS.filter(({ id }) => typeof client[id as keyof BourseClient] !== 'function')
  expect(missing).toEqual([])
  expect(Object.keys(CLIENT_ENDPOINTS).toSorted()).toEqual(ENDPOINTS.map(({ id }) => id).toSorted())
})

test('docs/client.md names the method of every endpoint', () => {
  const page = readFileSync(path.join(import.meta.dir, '..', '..', 'docs', 'client.md'), 'utf8')
  const stated = section(page, 'Methods')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [endpoints = [], methods = []] = line
        .split(' | ')
        .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word))
      return endpoints.map((endpoint, at) => `${endpoint} is ${methods[at]}`)
    })
  expect(stated.toSorted()).toEqual(
    ENDPOINTS.map(({ id, method, path: at }) => `${method} ${at} is ${id}`).toSorted(),
  )
})

test.each(ENDPOINTS)(
  'the client asks for $id by its method and path, with the parameters that are given',
  async (row) => {
    const net = new VirtualPlatform()
    net.answer = () => (row.id === 'depth' || row.id === 'trades' ? { body: {} } : success([]))
    const client = createBourseClient({
      url: 'http://exchange.test',
      apiKey: 'key',
      secret: 's',
      platform: net,
    })
    const method = client[row.id as keyof BourseClient] as (parameters: unknown) => Promise<unknown>
    const { operations, ...plain } = row.example
    const given = operations === undefined ? plain : { operations: JSON.parse(String(operations)) as unknown }
    await net.run(method(given))
    const sent = net.asked.filter(({ path: asked }) => row.id === 'time' || asked !== '/time')
    expect(sent.map((each) => [each.method, each.path])).toEqual([[row.method, row.path]])
    const { timestamp, recvWindow, newClientOrderId, listClientOrderId, ...fields } = sent[0]?.fields ?? {}
    const texts = Object.entries(row.example).map(([name, value]) => [name, String(value)])
    expect({ ...fields, ...(row.example.listClientOrderId ? { listClientOrderId } : {}) }).toEqual(
      Object.fromEntries(texts),
    )
    expect(timestamp !== undefined).toBe(row.security !== 'NONE')
    expect(recvWindow !== undefined).toBe(isSigned(row.security))
  },
)
