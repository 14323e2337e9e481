import { expect, spyOn, test } from 'bun:test'
import type { AdminContext } from './context.ts'
import { openAdminDoor } from './door.ts'

test('a connection is kept as long as an operator waits for an answer, on this machine alone', async () => {
  const serve = spyOn(Bun, 'serve')
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const door = openAdminDoor({ context: {} as AdminContext, token: 'x', port: 0, log })
  expect(serve.mock.calls[0]?.[0] as object).toMatchObject({ idleTimeout: 30, hostname: '127.0.0.1' })
  serve.mockRestore()
  await door.stop()
})
