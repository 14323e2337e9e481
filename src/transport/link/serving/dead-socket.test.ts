import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { removeDeadSocket } from './dead-socket.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'bourse-dead-socket-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Starts a process that listens on the socket and reports when it does. */
async function listener(socketPath: string): Promise<Bun.Subprocess> {
  const program = `Bun.serve({ unix: ${JSON.stringify(socketPath)}, fetch: () => new Response() }); console.log('up')`
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' })
  await child.stdout.getReader().read()
  return child
}

test('a socket that a killed process has left is removed, and one with a listener stays', async () => {
  const socketPath = path.join(directory, 'link.sock')
  const child = await listener(socketPath)
  await removeDeadSocket({ socketPath })
  expect(existsSync(socketPath)).toBe(true)
  child.kill('SIGKILL')
  await child.exited
  expect(existsSync(socketPath)).toBe(true)
  await removeDeadSocket({ socketPath })
  expect(existsSync(socketPath)).toBe(false)
  const again = await listener(socketPath)
  again.kill('SIGKILL')
  await again.exited
})

test('nothing is done for a path without a file, and for a port', async () => {
  await removeDeadSocket({ socketPath: path.join(directory, 'none.sock') })
  await removeDeadSocket({ hostname: '127.0.0.1', port: 1 })
})
