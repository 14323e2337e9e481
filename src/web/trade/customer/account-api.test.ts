import { afterAll, afterEach, expect, jest, spyOn, test } from 'bun:test'
import { AccountApi } from './account-api.ts'

const AWAY = { status: false, reason: 'CUSTOMERS_AWAY', msg: ['The service is away.'] }
let answers: Response[] = []
const fetched = spyOn(globalThis, 'fetch').mockImplementation(
  Object.assign(async () => answers.shift() ?? Response.error(), { preconnect: () => {} }),
)
afterAll(() => fetched.mockRestore())
afterEach(() => {
  fetched.mockClear()
  jest.useRealTimers()
})

const away = () => Response.json(AWAY, { status: 503 })
const api = () => new AccountApi(() => 'en')

/** Continues work that is waiting for one second to pass. */
async function passSeconds(count: number): Promise<void> {
  for (let second = 0; second < count; second++) {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    await new Promise((done) => setImmediate(done))
    jest.advanceTimersByTime(1_000)
  }
}

test('the configuration is asked for again while the customers’ process starts', async () => {
  jest.useFakeTimers()
  answers = [away(), away(), Response.json({ status: true, data: { signUp: 'OPEN' } })]
  const config = api().config()
  await passSeconds(2)
  expect(await config).toMatchObject({ signUp: 'OPEN' })
  expect(fetched).toHaveBeenCalledTimes(3)
})

test('the configuration is requested three times at most, and not at all after another refusal', async () => {
  jest.useFakeTimers()
  answers = [away(), away(), away(), away()]
  const refused = api()
    .config()
    .catch((error) => error)
  await passSeconds(3)
  expect(await refused).toMatchObject({ reason: 'CUSTOMERS_AWAY' })
  expect(fetched).toHaveBeenCalledTimes(3)
  answers = [Response.json({ ...AWAY, reason: 'WRONG_ADDRESS' }, { status: 403 })]
  await expect(api().config()).rejects.toMatchObject({ reason: 'WRONG_ADDRESS' })
  expect(fetched).toHaveBeenCalledTimes(4)
})

test('what is still being read is canceled before the session is ended, and later reads are not', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  fetched.mockImplementation(
    Object.assign(
      (_: unknown, init?: RequestInit) => {
        signals.push(init?.signal)
        if (init?.method === 'POST') return Promise.resolve(Response.json({ data: {} }))
        return new Promise<Response>((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        })
      },
      { preconnect: () => {} },
    ),
  )
  const account = api()
  const read = account.get('sessions').catch((error: unknown) => error)
  await account.post('session/end')
  expect(signals[0]?.aborted).toBe(false)
  await account.post('logout')
  expect(await read).toEqual(new Error('the session ends'))
  void account.get('me').catch(() => {})
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false, false, false])
})
