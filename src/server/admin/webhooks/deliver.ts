/**
 * One request of a webhook: to an address that was checked before, without following redirects, and within a
 * time limit. Only the status of the answer is read. The request is written here instead of using `fetch`,
 * which would resolve the name again.
 */
import { lookup } from 'node:dns/promises'
import { closeSync, openSync } from 'node:fs'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { devNull } from 'node:os'
import { connect as connectTls } from 'node:tls'
import { cannotFail, guarded } from '../../../units/guarded.ts'
import { isPublicAddress } from './reachable-addresses.ts'
import { hostOf } from './target.ts'

export type Delivery = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Time limit for the status of the answer, including the name lookup; 1 to 60,000. */
  readonly timeoutMs: number
  /** Whether addresses of this machine and its network are permitted too, and plain HTTP. */
  readonly mayBePrivate: boolean
  readonly signal: AbortSignal
  /** Every address of a name; if undefined, the system looks it up. */
  readonly addressesOf?: ((host: string) => Promise<readonly string[]>) | undefined
  /** PEM of the trusted authorities; undefined means those of the system. */
  readonly ca?: string | undefined
}

export type Outcome =
  | { readonly kind: 'DELIVERED'; readonly status: number }
  /** `problem` is for people. */
  | { readonly kind: 'FAILED'; readonly problem: string }

/** Maximum length of a status line that is read; nothing after it is read. */
const STATUS_LINE_BYTES_MAX = 4_096
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: |$)/

/** Never rejects. Any status other than 200 to 299 is a failure, including a redirect. */
export async function deliver(delivery: Delivery): Promise<Outcome> {
  const { url, mayBePrivate, timeoutMs, signal } = delivery
  if (url.protocol !== 'https:' && !(mayBePrivate && url.protocol === 'http:')) {
    return { kind: 'FAILED', problem: `unsupported protocol ${url.protocol}` }
  }
  const over = Promise.withResolvers<never>()
  const timer = setTimeout(
    guarded(() => over.reject(new Error(`no answer within ${timeoutMs} ms`)), cannotFail),
    timeoutMs,
  )
  const ended = new AbortController()
  const abort = (): void => over.reject(new Error('the answer was incomplete'))
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  const sockets: Socket[] = []
  try {
    const status = await Promise.race([over.promise, attempt(delivery, sockets, ended.signal)])
    if (status >= 200 && status <= 299) return { kind: 'DELIVERED', status }
    return { kind: 'FAILED', problem: `was answered with status ${status}` }
  } catch (error) {
    return { kind: 'FAILED', problem: problemOf(error) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    ended.abort()
    for (const socket of sockets) socket.destroy()
  }
}

/** If no descriptor is free, the runtime reports a refusal by the receiver, which is not its fault. */
function problemOf(error: unknown): string {
  const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
  if (isRefused && lacksDescriptors())
    return 'this node has no file descriptor left for a connection (EMFILE)'
  return error instanceof Error ? error.message : String(error)
}

function lacksDescriptors(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return false
  } catch {
    return true
  }
}

/**
 * Returns the status of the answer. Adds the sockets that it opens to `sockets`; opens none after `ended` is
 * aborted.
 */
async function attempt(delivery: Delivery, sockets: Socket[], ended: AbortSignal): Promise<number> {
  const { url } = delivery
  const address = await addressOf(delivery)
  ended.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connectTo(address, delivery)
  sockets.push(socket)
  let head = ''
  socket.on(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => socket.write(textOf(delivery)))
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the connection ended without an answer')))
  socket.on('data', (chunk: Buffer) => {
    head += chunk.toString('latin1', 0, STATUS_LINE_BYTES_MAX)
    const end = head.indexOf('\r\n')
    if (end < 0 && head.length < STATUS_LINE_BYTES_MAX) return
    const status = STATUS_LINE.exec(head.slice(0, Math.max(0, end)))?.[1]
    if (status === undefined) reject(new Error('the answer is not HTTP/1.1'))
    else resolve(Number(status))
    socket.destroy()
  })
  return promise
}

async function addressOf({ url, mayBePrivate, addressesOf = lookedUp }: Delivery): Promise<string> {
  const host = hostOf(url)
  const found = isIP(host) > 0 ? [host] : await foundOf(host, addressesOf, mayBePrivate)
  return chosenAddress(host, found, mayBePrivate)
}

/**
 * A failed lookup counts as one without a result if the error would distinguish internal names from names
 * that do not exist.
 */
async function foundOf(
  host: string,
  addressesOf: NonNullable<Delivery['addressesOf']>,
  mayBePrivate: boolean,
): Promise<readonly string[]> {
  try {
    return await addressesOf(host)
  } catch (error) {
    if (mayBePrivate) throw error
    return []
  }
}

async function lookedUp(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/**
 * The address of a host to connect to, which stays the same even if its name resolves differently later. All
 * of its addresses must be permitted. Throws an `Error` with a text for people, which is the same for a host
 * without an address and one with an internal address.
 */
export function chosenAddress(host: string, found: readonly string[], mayBePrivate: boolean): string {
  const [first] = found
  if (mayBePrivate && first === undefined) throw new Error(`${host} has no address`)
  if (first === undefined || !(mayBePrivate || found.every(isPublicAddress))) {
    throw new Error(`${host} is not a public address`)
  }
  return first
}

function connectTo(address: string, { url, ca }: Delivery): Socket {
  const isTls = url.protocol === 'https:'
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port)
  if (!isTls) return connectPlain({ host: address, port })
  const host = hostOf(url)
  const name = isIP(host) > 0 ? {} : { servername: host }
  return connectTls({ host: address, port, ...name, ...(ca === undefined ? {} : { ca }) })
}

function textOf({ url, headers, body }: Delivery): string {
  const lines = Object.entries({
    host: url.host,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
