/** Links over TCP, and the verification of their certificates. */
import { afterEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultKindOf } from '../../engine/port/engine-port.contract.ts'
import { account } from '../../engine/writer/commands.fixture.ts'
import { type LinkedEngine, startLinkedEngine } from './linked-engine.fixture.ts'
import type { LinkTls } from './protocol/link-address.ts'
import type { LinkFault } from './protocol/link-fault.ts'

const DIRECTORY = join(import.meta.dir, '../../../test/support/tls')
const pem = (name: string): string => readFileSync(join(DIRECTORY, name), 'utf8')
/** Valid for 127.0.0.1; each is its own authority. */
const FIRST = pem('first.pem')
const SECOND = pem('second.pem')

let linked: LinkedEngine
afterEach(() => linked.stop())

async function listen(tls: { readonly cert: string; readonly key: string } | undefined) {
  linked = await startLinkedEngine({ listen: { hostname: '127.0.0.1', port: 0, tls } })
  const { port = 0 } = linked.server
  return (client: LinkTls, host = '127.0.0.1') => linked.link({ address: { host, port, tls: client } })
}

const KEYED = { cert: FIRST, key: pem('first.key.pem') }

const kindOf = (opening: Promise<unknown>): Promise<string> =>
  opening.then(
    () => 'OPEN',
    (cause: LinkFault) => `${cause.kind}: ${cause.message}`,
  )

test('a link over TLS carries commands and their answers to a gateway that knows the authority', async () => {
  const open = await listen(KEYED)
  const { engine } = await open({ ca: FIRST })
  expect(await faultKindOf(engine.submit(account('a')))).toBeUndefined()
  expect(linked.server.gateways).toEqual(['gateway'])
})

test('a certificate of another authority, or for another name, is refused before the secret is proved', async () => {
  const open = await listen(KEYED)
  expect(await kindOf(open({ ca: SECOND }))).toMatch(/^REFUSED: .*TLS handshake failed/)
  expect(await kindOf(open({ ca: undefined }))).toMatch(/^REFUSED: .*TLS handshake failed/)
  expect(await kindOf(open({ ca: FIRST }, 'localhost'))).toMatch(
    /^REFUSED: .*does not match certificate's altnames/,
  )
  expect(linked.notes.filter(({ kind }) => kind === 'LinkOpened')).toEqual([])
})

test('a renewed certificate is shown to links from then on; open ones stay', async () => {
  const open = await listen(KEYED)
  const before = await open({ ca: FIRST })
  for (let times = 0; times < 2; times++) {
    linked.server.renewTls({ cert: SECOND, key: pem('second.key.pem') })
    expect(await kindOf(open({ ca: FIRST }))).toMatch(/^REFUSED: .*TLS handshake failed/)
    const after = await open({ ca: SECOND })
    expect(await faultKindOf(after.engine.submit(account(`after-${times}`)))).toBeUndefined()
  }
  expect(await faultKindOf(before.engine.submit(account('before')))).toBeUndefined()
  expect(linked.server.gateways).toHaveLength(3)
  await linked.server.stop()
  expect((await before.lost).kind).toBe('STOPPING')
})

test('a gateway without TLS has no link to a port with it, and one with TLS none to a port without', async () => {
  const open = await listen(KEYED)
  expect(await kindOf(open('off'))).toMatch(/^REFUSED/)
  await linked.stop()
  const plain = await listen(undefined)
  expect(await kindOf(plain('off'))).toBe('OPEN')
  expect(await kindOf(plain({ ca: FIRST }))).toMatch(/^REFUSED/)
})
