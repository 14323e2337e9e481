/**
 * The sockets of this process, read from Linux. The runtime's servers have no hook for accepted connections,
 * and none for a connection that sends nothing. So sockets are inspected by descriptor (getsockopt(2),
 * `TCP_INFO` and `SO_COOKIE`) and closed (shutdown(2), after which the runtime treats them as closed by the
 * client), and listeners are stopped by a socket filter that drops connection requests (`SO_ATTACH_FILTER` in
 * socket(7)): clients retry after a second. Must be used by the thread that owns the sockets: no other thread
 * closes them, so a descriptor denotes the same socket from the inspection to the close.
 */
import { dlopen, ptr } from 'bun:ffi'
import { readFileSync } from 'node:fs'

/** A listener, an end of a TCP connection, or another descriptor. */
export type SocketKind = 'LISTENER' | 'CONNECTION' | 'OTHER'

/** The system's information about a connection. */
export type ConnectionFacts = {
  readonly receivedBytes: number
  /** Milliseconds since the last received data, or since the connection was opened. */
  readonly silentMs: number
}

/** One end of a connection, or a listener's own address. */
export type SocketEnd = { readonly address: string; readonly port: number }

export type ProcessSockets = {
  /** Maximum number of descriptors that this process may have (RLIMIT_NOFILE). */
  readonly descriptorsMax: number
  /** Whether a descriptor of any kind is in use. */
  isOpen(descriptor: number): boolean
  /**
   * An id that no other socket of this machine has or will have; undefined if the descriptor is not a socket.
   */
  cookie(descriptor: number): number | undefined
  kind(descriptor: number): SocketKind
  own(descriptor: number): SocketEnd | undefined
  peer(descriptor: number): SocketEnd | undefined
  facts(descriptor: number): ConnectionFacts | undefined
  /**
   * Sends `text` without the runtime, at once or not at all; returns whether it was sent. Must not be used
   * while other data is being sent.
   */
  send(descriptor: number, text: string): boolean
  /** Cuts the connection; the runtime closes the socket in its next turn. */
  cut(descriptor: number): void
  /** Sets whether a listener accepts connections; accepted connections continue. */
  setTaking(descriptor: number, isTaking: boolean): void
  /** Limits the connections that are open but not yet accepted by the program. */
  setBacklog(descriptor: number, connections: number): void
}

const SOL_SOCKET = 1
const SO_ATTACH_FILTER = 26
const SO_DETACH_FILTER = 27
const SO_ACCEPTCONN = 30
const SO_PROTOCOL = 38
const SO_COOKIE = 57
const IPPROTO_TCP = 6
const TCP_INFO = 11
const F_GETFD = 1
const SHUT_RDWR = 2
/** MSG_DONTWAIT | MSG_NOSIGNAL */
const NO_WAIT = 0x40 | 0x4000
const AF_INET = 2
const AF_INET6 = 10

/** In `struct tcp_info`. */
const LAST_DATA_RECEIVED = 52
const BYTES_RECEIVED = 128
const INFO_BYTES = 256
const LITTLE_ENDIAN = true

const NAME_BYTES = 128
const MEMORY_BYTES = 512

/**
 * Size of `struct sock_fprog` with one `BPF_RET | BPF_K` instruction whose length of 0 drops every packet.
 */
const PROGRAM_BYTES = 16
const DROP_ALL = 0x06
const TWO_32 = 2 ** 32

/** Undefined if this is not Linux, or if the C library is not the one of most Linux distributions. */
export function processSockets(): ProcessSockets | undefined {
  const calls = process.platform === 'linux' ? systemCalls() : undefined
  const descriptorsMax = calls === undefined ? undefined : descriptorLimit()
  return calls === undefined || descriptorsMax === undefined ? undefined : socketsBy(calls, descriptorsMax)
}

type Pointer = ReturnType<typeof ptr>
type Six = [Pointer, Pointer, Pointer, Pointer, Pointer, Pointer]
type Calls = NonNullable<ReturnType<typeof systemCalls>>

function systemCalls() {
  try {
    return dlopen('libc.so.6', {
      getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
      setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
      getpeername: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
      getsockname: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
      send: { args: ['i32', 'ptr', 'u64', 'i32'], returns: 'i64' },
      shutdown: { args: ['i32', 'i32'], returns: 'i32' },
      listen: { args: ['i32', 'i32'], returns: 'i32' },
      fcntl: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    }).symbols
  } catch {
    return undefined
  }
}

/** The descriptor limit of this process: at its start the runtime raises it to the allowed maximum. */
function descriptorLimit(): number | undefined {
  const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return found === undefined ? undefined : Number(found)
}

function socketsBy(calls: Calls, descriptorsMax: number): ProcessSockets {
  const { getsockopt, setsockopt, getpeername, getsockname, send, shutdown, listen, fcntl } = calls
  // One buffer, whose address stays the same while a view of it is kept: a separate small array may be moved.
  const memory = new ArrayBuffer(MEMORY_BYTES)
  const start = ptr(memory)
  const length = new Uint32Array(memory, 0, 1)
  const word = new Int32Array(memory, 8, 1)
  const cookie = new Uint32Array(memory, 16, 2)
  const name = new DataView(memory, 64, NAME_BYTES)
  const info = new DataView(memory, 256, INFO_BYTES)
  const program = new DataView(memory, 32, 24)
  const at = (view: ArrayBufferView): typeof start => (start + view.byteOffset) as typeof start
  const [lengthAt, wordAt, cookieAt, infoAt, nameAt, programAt] = [
    length,
    word,
    cookie,
    info,
    name,
    program,
  ].map(at) as Six
  // `struct sock_fprog`: one instruction, which follows it in memory.
  program.setUint16(0, 1, LITTLE_ENDIAN)
  program.setBigUint64(8, BigInt(programAt + PROGRAM_BYTES), LITTLE_ENDIAN)
  program.setUint16(PROGRAM_BYTES, DROP_ALL, LITTLE_ENDIAN)

  const option = (descriptor: number, which: number): number | undefined => {
    length[0] = 4
    return getsockopt(descriptor, SOL_SOCKET, which, wordAt, lengthAt) === 0 ? word[0] : undefined
  }
  const end = (call: typeof getpeername, descriptor: number): SocketEnd | undefined => {
    length[0] = name.byteLength
    return call(descriptor, nameAt, lengthAt) === 0 ? endIn(name) : undefined
  }
  return {
    descriptorsMax,
    isOpen: (descriptor) => fcntl(descriptor, F_GETFD, 0) >= 0,
    cookie: (descriptor) => {
      length[0] = 8
      if (getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, cookieAt, lengthAt) !== 0) return undefined
      const [low = 0, high = 0] = cookie
      return high * TWO_32 + low
    },
    kind: (descriptor) => {
      if (option(descriptor, SO_PROTOCOL) !== IPPROTO_TCP) return 'OTHER'
      return option(descriptor, SO_ACCEPTCONN) === 1 ? 'LISTENER' : 'CONNECTION'
    },
    own: (descriptor) => end(getsockname, descriptor),
    peer: (descriptor) => end(getpeername, descriptor),
    facts: (descriptor) => {
      length[0] = INFO_BYTES
      if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, infoAt, lengthAt) !== 0) return undefined
      const receivedBytes = Number(info.getBigUint64(BYTES_RECEIVED, LITTLE_ENDIAN))
      return { receivedBytes, silentMs: info.getUint32(LAST_DATA_RECEIVED, LITTLE_ENDIAN) }
    },
    send: (descriptor, text) => {
      const bytes = Buffer.from(text)
      return Number(send(descriptor, bytes, bytes.length, NO_WAIT)) === bytes.length
    },
    cut: (descriptor) => void shutdown(descriptor, SHUT_RDWR),
    setTaking: (descriptor, isTaking) => {
      const which = isTaking ? SO_DETACH_FILTER : SO_ATTACH_FILTER
      setsockopt(descriptor, SOL_SOCKET, which, programAt, PROGRAM_BYTES)
    },
    setBacklog: (descriptor, connections) => void listen(descriptor, connections),
  }
}

/** Undefined if it is not the address of an internet socket. */
function endIn(name: DataView): SocketEnd | undefined {
  const family = name.getUint16(0, LITTLE_ENDIAN)
  const port = name.getUint16(2)
  if (family === AF_INET) {
    const bytes = [4, 5, 6, 7].map((at) => name.getUint8(at))
    return { address: bytes.join('.'), port }
  }
  if (family !== AF_INET6) return undefined
  const groups = Array.from({ length: 8 }, (_, at) => name.getUint16(8 + 2 * at))
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return { address: groups.map((group) => group.toString(16)).join(':'), port }
  const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff])
  return { address: bytes.join('.'), port }
}
