/**
 * Reports through the admin server: which are refused, how many are created at a time, and what ends one. The
 * contents of a report are tested in src/app/maintenance/reports.
 */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { until } from '../../../../test/support/until.ts'
import { openAdminFixture, TOKEN } from '../admin.fixture.ts'
import type { ReportFailure, ReportRequest, RunningReport } from './report-request.ts'
import { ReportRunner } from './report-runner.ts'

const server = await openAdminFixture()
afterAll(() => server.stop())

/** A report whose pieces the test sends. */
class Report {
  readonly #failure = Promise.withResolvers<ReportFailure | undefined>()
  #stream!: ReadableStreamDefaultController<Uint8Array>
  isKilled = false
  readonly running: RunningReport

  constructor() {
    const output = new ReadableStream<Uint8Array>({
      start: (stream) => {
        this.#stream = stream
      },
    })
    const kill = (): void => {
      if (this.isKilled) return
      this.isKilled = true
      this.end({ kind: 'CANNOT_RUN', message: 'killed' })
    }
    this.running = { output, failure: this.#failure.promise, kill }
  }

  write(text: string): void {
    this.#stream.enqueue(new TextEncoder().encode(text))
  }

  end(failure?: ReportFailure): void {
    this.#failure.resolve(failure)
    this.#stream.close()
  }
}

let started: ReportRequest[]
let made: Report[]
beforeEach(() => {
  started = []
  made = []
  server.reports.start = async (request) => {
    started.push(request)
    const report = new Report()
    made.push(report)
    return report.running
  }
})

const tokenOf = async (name: string, role = 'READ_ONLY'): Promise<string> =>
  ((await server.done('token/add', { name, role })) as { token: string }).token

/** Resolves once the answer begins. */
function ask(body: object, { token = TOKEN, signal = undefined as AbortSignal | undefined } = {}) {
  return fetch(`${server.url}/admin/v1/report/show`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
}

const FEES = { report: 'fees' }

/** The report that the n-th request started. */
async function begun(n: number): Promise<Report> {
  await until('the report is begun', () => made.length >= n)
  return made[n - 1] as Report
}

/** The error of a refused report, whether or not it was started. */
async function refusal(body: object, token?: string) {
  const response = await ask(body, token === undefined ? {} : { token })
  const { error } = (await response.json()) as { error: { reason: string; field?: string; message: string } }
  return { status: response.status, ...error }
}

test('the bytes of a report are passed on as they are produced', async () => {
  const answer = ask({ report: 'statements', from: '2026-01-31', account: 'alice' })
  const report = await begun(1)
  report.write('day,time\r\n')
  const response = await answer
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  report.write('2026-01-31,é\r\n')
  report.end()
  expect(await response.text()).toBe('day,time\r\n2026-01-31,é\r\n')
  expect(started).toMatchObject([
    { kind: 'REPORT', report: 'statements', from: '2026-01-31', account: 'alice', format: 'csv' },
  ])
})

test('a report that cannot be made is refused with the cause', async () => {
  const failures: readonly [ReportFailure, object][] = [
    [
      { kind: 'NOT_UNDERSTOOD', message: '--account: there is no account alise' },
      {
        status: 400,
        reason: 'INVALID_FIELD',
        field: 'account',
        message: 'account: there is no account alise',
      },
    ],
    [
      { kind: 'CANNOT_RUN', message: 'nothing yet' },
      { status: 409, reason: 'REPORT_FAILED', message: 'nothing yet' },
    ],
    [
      { kind: 'DAMAGED', message: 'CHAIN: bad' },
      { status: 500, reason: 'JOURNAL_DAMAGED', message: 'CHAIN: bad' },
    ],
  ]
  for (const [i, [failure, expected]] of failures.entries()) {
    const refused = refusal(FEES)
    ;(await begun(i + 1)).end(failure)
    expect(await refused).toMatchObject(expected)
  }
})

test('a wrong field is named before anything is begun', async () => {
  for (const [body, field] of [
    [{ report: 'sums' }, 'report'],
    [{ report: 'fees', from: '2026-02-30' }, 'from'],
    [{ report: 'fees', to: 'today' }, 'to'],
    [{ report: 'fees', from: '2026-02-02', to: '2026-02-01' }, 'to'],
    [{ report: 'fees', at: '12' }, 'at'],
    [{ report: 'balances', from: '2026-02-01' }, 'from'],
    [{ report: 'balances', at: 'noon' }, 'at'],
    [{ report: 'balances', at: '12', to: '2026-02-01' }, 'at'],
    [{ report: 'fees', format: 'xml' }, 'format'],
    [{ report: 'fees', since: 1 }, 'since'],
  ] as const) {
    expect([body, await refusal(body)]).toMatchObject([body, { status: 400, reason: 'INVALID_FIELD', field }])
  }
  expect(made).toEqual([])
})

test('a report that fails on the way breaks off, so that it is not mistaken for a complete one', async () => {
  const answer = ask(FEES)
  const report = await begun(1)
  report.write('day,symbol\r\n')
  const response = await answer
  report.end({ kind: 'DAMAGED', message: 'STATEMENT: it does not add up' })
  expect(await response.text().catch(() => 'broken off')).toBe('broken off')
})

test('two reports are made at a time, one per token, and one that has ended makes room', async () => {
  const [ann, ben] = [await tokenOf('ann'), await tokenOf('ben')]
  const first = ask(FEES, { token: ann })
  const one = await begun(1)
  expect(await refusal(FEES, ann)).toMatchObject({ status: 429, reason: 'TOO_MANY_REPORTS' })
  const second = ask(FEES, { token: ben })
  const two = await begun(2)
  expect(await refusal(FEES)).toMatchObject({ status: 429, reason: 'TOO_MANY_REPORTS' })
  for (const report of [one, two]) {
    report.write('x')
    report.end()
  }
  for (const answer of [first, second]) expect(await (await answer).text()).toBe('x')
  const third = ask(FEES, { token: ann })
  const three = await begun(3)
  three.write('y')
  three.end()
  expect(await (await third).text()).toBe('y')
})

test('a report ends with the connection of its reader', async () => {
  const gone = new AbortController()
  const answer = ask(FEES, { signal: gone.signal }).then(
    (response) => response.text(),
    () => undefined,
  )
  const report = await begun(1)
  report.write('x')
  gone.abort()
  await until('the report is ended', () => report.isKilled)
  await answer.catch(() => undefined)
})

test('a report ends when its token is revoked', async () => {
  const token = await tokenOf('cleo')
  const answer = ask(FEES, { token })
  const report = await begun(1)
  report.write('x')
  const response = await answer
  await server.done('token/revoke', { name: 'cleo' })
  report.write('y')
  expect(await response.text().catch(() => 'broken off')).toBe('broken off')
  await until('the report is ended', () => report.isKilled)
})

test('a reader that reads nothing for a while loses its report', async () => {
  const report = new Report()
  const runner = new ReportRunner({ start: async () => report.running, stallMs: 1 })
  const gone = new AbortController()
  const asker = { gone: gone.signal, mayGoOn: () => true }
  const context = { caller: { token: 'ann' }, asker } as never
  report.write('x')
  const request = { kind: 'LIABILITIES', at: undefined, account: undefined } as const
  await runner.make(request, 'text/plain', context)
  await until('the report is ended', () => report.isKilled)
})

test('a server that stops ends its reports', async () => {
  const own = await openAdminFixture()
  const report = new Report()
  own.reports.start = async () => report.running
  const answer = fetch(`${own.url}/admin/v1/liabilities/show`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: '{}',
  }).then(
    (response) => response.text(),
    () => undefined,
  )
  report.write('x')
  await until('the report is read', () => report.running.output.locked)
  await own.stop()
  expect(report.isKilled).toBe(true)
  await answer.catch(() => undefined)
})
