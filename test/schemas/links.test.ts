/**
 * The targets of links in the published documents exist, and the documents' server serves them; the
 * collection for Postman runs.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { createPage } from '../../src/app/node/page/create-page.ts'
import { type Fixture, openFixture } from '../../src/server/public/gateway.fixture.ts'

const DOCUMENTS = ['openapi.json', 'account.json', 'asyncapi.json', 'postman.json']
/** Addresses that identify a format. */
const NAMES = /^https?:\/\/(json-schema\.org|schema\.getpostman\.com)\//

let f: Fixture
beforeAll(async () => {
  f = await openFixture({ pages: createPage({ hasCustomers: false }) })
})
afterAll(() => f.stop())

const textAt = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
  (await fetch(`${f.url}${path}`, { headers })).text()

/** Every text of a document that is an address or should be one. */
function linksIn(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') return name === 'url' || /^(https?|wss?):\/\/\S+$/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => linksIn(each, key))
}

describe('a document that a node serves', () => {
  test.each(DOCUMENTS)('%s has no address except the one under which it was requested', async (name) => {
    const text = await textAt(`/docs/${name}`)
    const links = linksIn(JSON.parse(text)).filter((link) => !NAMES.test(link) && !link.startsWith('{{'))
    expect(links.length).toBeGreaterThan(0)
    expect(links.filter((link) => !link.startsWith(`${f.url}/`))).toEqual([])
    expect(text).not.toContain('127.0.0.1:8080')
  })

  test('links to existing sections', async () => {
    const documents = await Promise.all(DOCUMENTS.map((name) => textAt(`/docs/${name}`)))
    const links = new Set(documents.flatMap((text) => linksIn(JSON.parse(text))))
    const pages = new Map<string, string>()
    const dead: string[] = []
    for (const link of [...links].filter((each) => each.startsWith(`${f.url}/docs`))) {
      const { pathname, hash } = new URL(link)
      const page = pages.get(pathname) ?? (await textAt(pathname))
      pages.set(pathname, page)
      if (!page.includes(`id="${hash.slice(1)}"`)) dead.push(link)
    }
    expect([pages.size, dead]).toEqual([2, []])
  })

  test('names a secure address where it was requested under one, and is another version there', async () => {
    const headers = { 'X-Forwarded-Proto': 'https' }
    const { host } = new URL(f.url)
    const { servers } = JSON.parse(await textAt('/docs/asyncapi.json', headers))
    expect(servers.sandbox).toMatchObject({ host, protocol: 'wss' })
    const openApi = JSON.parse(await textAt('/docs/openapi.json', headers))
    expect(openApi.servers[0].url).toBe(`https://${host}/api/v3`)
    const plain = await fetch(`${f.url}/docs/openapi.json`)
    const tag = plain.headers.get('etag') ?? ''
    const known = (more: object) =>
      fetch(`${f.url}/docs/openapi.json`, { headers: { 'If-None-Match': tag, ...more } })
    expect([(await known({})).status, (await known(headers)).status]).toEqual([304, 200])
  })
})

type Item = {
  readonly name: string
  readonly event?: readonly Script[]
  readonly request: {
    readonly method: string
    readonly header: readonly { readonly key: string; readonly value: string }[]
    readonly url: { readonly path: readonly string[]; readonly query?: readonly Field[] }
    readonly body?: { readonly urlencoded: readonly Field[] }
  }
}
type Script = { readonly listen: string; readonly script: { readonly exec: readonly string[] } }
type Field = { readonly key: string; readonly value: string; readonly disabled?: true }

/** The part of Postman that the collection's scripts use. */
class Runner {
  readonly variables = new Map<string, string>()
  readonly #collection: {
    readonly event: readonly Script[]
    readonly item: readonly { item: readonly Item[] }[]
  }

  constructor(text: string) {
    const collection = JSON.parse(text)
    this.#collection = collection
    for (const { key, value } of collection.variable) this.variables.set(key, value)
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at as they are
  async run(name: string): Promise<{ status: number; body: any }> {
    const item = this.#collection.item.flatMap(({ item: items }) => items).find((each) => each.name === name)
    if (item === undefined) throw new Error(`expected a request ${name}`)
    const { method, url, header, body } = item.request
    const headers = new Map(header.map(({ key, value }) => [key, this.#resolved(value)]))
    let target = `${this.variables.get('baseUrl')}/${url.path.join('/')}`
    let sent: string | undefined
    const pm = {
      ...this.#pm(),
      request: {
        body: body && {
          mode: 'urlencoded',
          urlencoded: { all: () => body.urlencoded },
          update: ({ raw }: { raw: string }) => {
            sent = raw
          },
        },
        headers: { upsert: ({ key, value }: { key: string; value: string }) => headers.set(key, value) },
        url: {
          query: { all: () => url.query ?? [] },
          toString: () => target,
          update: (text: string) => {
            target = text
          },
        },
      },
    }
    this.#play(this.#collection.event, 'prerequest', pm)
    const response = await fetch(target, {
      method,
      headers: [...headers],
      ...(sent === undefined ? {} : { body: sent }),
    })
    const answer = await response.json()
    const after = { ...this.#pm(), response: { code: response.status, json: () => answer } }
    this.#play(item.event ?? [], 'test', after)
    return { status: response.status, body: answer }
  }

  #pm() {
    const { variables } = this
    const access = {
      get: (name: string) => variables.get(name),
      set: (name: string, value: string) => variables.set(name, value),
      replaceIn: (text: string) => this.#resolved(text),
    }
    return { variables: access, collectionVariables: access }
  }

  #resolved(text: string): string {
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => this.variables.get(name) ?? '')
  }

  #play(events: readonly Script[], listen: string, pm: object): void {
    const hashes = {
      HmacSHA256: (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('hex'),
    }
    for (const { script } of events.filter((each) => each.listen === listen))
      new Function('pm', 'CryptoJS', script.exec.join('\n'))(pm, hashes)
  }
}

test('the collection for Postman reads and cancels the order and the list that it has placed', async () => {
  const runner = new Runner(await textAt('/docs/postman.json'))
  runner.variables.set('apiKey', f.alice.apiKey).set('secret', f.alice.secret)
  f.clock.time = Date.now()
  const idOf = async (name: string) => {
    const { status, body } = await runner.run(name)
    return [status, body.data?.id ?? body.data?.listId]
  }
  const { body: placed } = await runner.run('Places an order')
  expect(await idOf('The present state of an order, however long ago it ended')).toEqual([
    200,
    placed.data.id,
  ])
  expect((await runner.run('Cancels an order')).status).toBe(200)
  const { body: list } = await runner.run('Places an order, and a pair when it is filled')
  expect((await runner.run('Cancels every open order of a list')).body.data.listId).toBe(list.data.listId)
})
