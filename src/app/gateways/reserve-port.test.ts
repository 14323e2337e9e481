import { expect, test } from 'bun:test'
import { freePort } from '../../../test/support/free-port.ts'
import { reservePort } from './reserve-port.ts'

const hostname = '127.0.0.1'

function listen(port: number, reusePort: boolean) {
  return Bun.serve({ hostname, port, reusePort, fetch: () => new Response('here') })
}

test('a port that was found stays reserved until a gateway listens on it, and then all its clients reach the gateway', async () => {
  const { port, release } = reservePort(hostname, 0)
  expect(() => listen(port, false)).toThrow('in use')
  expect(() => reservePort(hostname, port)).toThrow('in use')
  const gateway = listen(port, true)
  release()
  const answers = Array.from({ length: 20 }, async () =>
    (await fetch(`http://${hostname}:${port}`, { keepalive: false })).text(),
  )
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['here']))
  await gateway.stop(true)
})

test('a port that was given is released at once, and refused where another server has it', async () => {
  const given = freePort()
  const { port } = reservePort(hostname, given)
  expect(port).toBe(given)
  const other = listen(port, false)
  expect(() => reservePort(hostname, port)).toThrow(`port ${port} on ${hostname} is in use`)
  await other.stop(true)
})
