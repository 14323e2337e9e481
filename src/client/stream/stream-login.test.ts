import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { AccountScript, API_KEY, SECRET, SERVER_TIME } from './account-script.fixture.ts'

describe('the login of a stream', () => {
  test('is signed as docs/reference/order-entry.md#login says, with a nonce, for key and secret of its worked example', async () => {
    const script = new AccountScript()
    const fields = await script.open()
    const line = `apiKey=${API_KEY}&timestamp=${SERVER_TIME}&recvWindow=10000&nonce=${'ab'.repeat(16)}`
    const signature = createHmac('sha256', SECRET).update(`login\n${line}`).digest('hex')
    expect(fields).toEqual({
      ...{ apiKey: API_KEY, timestamp: SERVER_TIME, recvWindow: 10_000, nonce: 'ab'.repeat(16) },
      ...{ signature, frames: 'many' },
    })
    expect(JSON.stringify(fields)).not.toContain(SECRET)
  })

  test('is repeated after a cut', async () => {
    const script = new AccountScript()
    await script.open()
    script.accept()
    expect(script.account.login.isIn).toBe(true)
    script.socket.cut()
    expect(script.account.login.isIn).toBe(false)
    script.ports.pass(1_000)
    await script.open()
    script.accept()
    expect(script.log).toEqual(['in', 'out', 'in'])
  })

  test.each(['INVALID_SIGNATURE', 'KEY_DISABLED', 'ADDRESS_NOT_ALLOWED'])(
    'that another attempt would not improve is not repeated before the caller asks for it: %s',
    async (reason) => {
      const script = new AccountScript()
      await script.open()
      script.refuse(reason)
      expect(script.log).toEqual([`refused ${reason}`])
      script.socket.cut()
      script.ports.pass(60_000)
      script.socket.open()
      script.ports.pass(1_000)
      expect(script.socket.sent).toEqual([])
      script.account.login.retry()
      await script.login()
      script.accept()
      expect(script.account.login.isIn).toBe(true)
    },
  )

  test('whose time the server refuses measures the server’s clock again', async () => {
    const script = new AccountScript()
    await script.open()
    script.refuse('TIMESTAMP_EXPIRED')
    expect(script.doubts).toBe(1)
    script.ports.pass(1_000)
    await script.login()
    script.accept()
    expect(script.log).toEqual(['out TIMESTAMP_EXPIRED', 'in'])
  })

  test('waits as long as the server asks for, and a random time in addition', async () => {
    const script = new AccountScript()
    await script.open()
    script.refuse('NO_LEADER', '0014', { retryAfter: 7 })
    script.ports.pass(7_999)
    expect(script.socket.sent).toEqual([])
    script.ports.pass(1)
    await script.login()
  })

  test('that the server ends is repeated where that may help, and not where another login took its place', async () => {
    const script = new AccountScript()
    await script.open()
    script.accept()
    script.socket.say('loggedOut', { status: false, code: '0014', msg: [''], reason: 'NO_LEADER' })
    script.ports.pass(1_000)
    await script.login()
    script.accept()
    script.socket.say('loggedOut', { status: false, code: '4001', msg: [''], reason: 'SESSION_TAKEN_OVER' })
    script.ports.pass(600_000)
    expect(script.log).toEqual(['in', 'out NO_LEADER', 'in', 'refused SESSION_TAKEN_OVER'])
  })

  test('with orders that end with it resumes its session, and says when that was over', async () => {
    const script = new AccountScript({ cancelOnDisconnect: { graceMs: 5_000 } })
    const first = await script.open()
    expect(first).toMatchObject({ cancelOnDisconnect: true, graceMs: 5_000 })
    expect(first).not.toHaveProperty('session')
    script.accept({ session: 'one', graceMs: 5_000, resumed: false })
    script.socket.cut()
    script.ports.pass(1_000)
    expect(await script.open()).toHaveProperty('session', 'one')
    script.accept({ session: 'one', graceMs: 5_000, resumed: true })
    script.socket.cut()
    script.ports.pass(1_000)
    await script.open()
    script.refuse('UNKNOWN_SESSION')
    script.ports.pass(1_000)
    expect(await script.login()).not.toHaveProperty('session')
    script.accept({ session: 'two', graceMs: 5_000, resumed: false })
    expect(script.account.login.session).toBe('two')
    expect(script.log).toEqual(['in', 'out', 'in', 'out', 'session lost', 'out UNKNOWN_SESSION', 'in'])
  })

  test('that was being signed when the connection was cut is not sent on the next one', async () => {
    const script = new AccountScript()
    script.stream.connect()
    script.socket.open()
    script.socket.cut()
    script.ports.pass(500)
    script.socket.open()
    await script.login()
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    expect(script.socket.sent).toEqual([])
  })
})
