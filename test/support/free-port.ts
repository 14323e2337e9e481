/**
 * Ports for processes that a test starts later. They are below the system's ephemeral range: a port in that
 * range may meanwhile be taken by a listener on port 0 or by any outgoing connection. Several runners
 * look for ports at the same time: each port belongs to the process whose id is in the file with the port's
 * number.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const FIRST_PORT = 10_000
const PORTS = 20_000
/** The folder of all runners of this machine's user. */
const PLACE = path.join(tmpdir(), `bourse-ports-${process.getuid?.() ?? ''}`)

/** A process never gets the same port twice. */
const given = new Set<number>()

/** A port of 127.0.0.1 without a listener, which no other test gets while this process runs. */
export function freePort(): number {
  for (;;) {
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
    const port = FIRST_PORT + (random % PORTS)
    if (given.has(port) || !isReserved(port) || !isFree(port)) continue
    return port
  }
}

/** Whether the port belongs to this process now. */
function isReserved(port: number): boolean {
  const file = path.join(PLACE, String(port))
  if (given.size === 0) {
    mkdirSync(PLACE, { recursive: true })
    process.once('exit', () => {
      for (const each of given) rmSync(path.join(PLACE, String(each)), { force: true })
    })
  }
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    given.add(port)
    return true
  } catch {
    // A killed runner left the reservation: the port is free for the next one that draws it.
    if (!isRunning(file)) rmSync(file, { force: true })
    return false
  }
}

/** Whether the process whose id is in the file is running. */
function isRunning(file: string): boolean {
  try {
    return process.kill(Number(readFileSync(file, 'utf8')), 0)
  } catch (cause) {
    // The process belongs to another user.
    return (cause as { readonly code?: string }).code === 'EPERM'
  }
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, exclusive: true, socket: { data() {} } }).stop(true)
    return true
  } catch {
    return false
  }
}
