import { expect, test } from 'bun:test'
import type { Logger } from '../../server/common/logger.ts'
import { SettingsError } from '../settings/load.ts'
import { LinkTerms } from './link-terms.ts'

const START = {
  secrets: ['old'],
  listen: { hostname: '127.0.0.1', port: 7701, tls: { cert: 'old', key: 'old' } },
  peers: [{ host: 'two', port: 7702, tls: { ca: 'old' } }],
}
type Terms = typeof START

/** Reads `next` again; returns the terms in effect then, and the log lines. */
function renewed(next: () => object) {
  const said: string[] = []
  const say = ({ problem }: { problem?: string }) => void said.push(problem ?? 'taken')
  const log = { info: say, error: say } as unknown as Logger
  const terms = new LinkTerms<Terms>(START, () => next() as Terms)
  const answer = terms.renew(log)
  return { answer, current: terms.current, said }
}

test('reloaded secrets, certificates and authorities of links take effect together', () => {
  const next = {
    secrets: ['new', 'old'],
    listen: { hostname: '127.0.0.1', port: 7701, tls: { cert: 'new', key: 'new' } },
    peers: [{ host: 'two', port: 7702, tls: { ca: 'new' } }],
  }
  expect(renewed(() => next)).toEqual({ answer: next, current: next, said: ['taken'] })
})

test('unusable secrets and certificates of links change nothing, and the reason is reported', () => {
  const unreadable = renewed(() => {
    throw new SettingsError('link.secret cannot be read')
  })
  expect(unreadable).toEqual({ answer: undefined, current: START, said: ['link.secret cannot be read'] })
})

test('a link with another address, or without TLS from now on, needs a restart', () => {
  const changes = [
    { listen: { ...START.listen, port: 7700 } },
    { listen: { ...START.listen, tls: undefined } },
    { peers: [{ host: 'two', port: 7702, tls: 'off' }] },
    { peers: [] },
  ]
  for (const change of changes) {
    const { current, said } = renewed(() => ({ ...START, ...change, secrets: ['new'] }))
    expect(current).toEqual(START)
    expect(said).toEqual([expect.stringContaining('restart the process')])
  }
})
