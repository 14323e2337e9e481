/**
 * A process that looks for its leader reports which engine refuses it and why: once in its log, and in its
 * health as long as the refusal lasts.
 */
import { afterEach, expect, test } from 'bun:test'
import { freePort } from '../../../../test/support/free-port.ts'
import { until } from '../../../../test/support/until.ts'
import { EMPTY_TAIL } from '../../../engine/port/journal.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import { LinkServer } from '../../../transport/link/serving/link-server.ts'
import { PeerRefusals } from './peer-refusals.ts'
import { searchLeader } from './peer-search.ts'

const SECRETS = ['the secret of the engines, long enough for one', 'quite another secret, which is as long']
const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

test('a wrong secret and an unreachable engine are distinguished from the absence of a leader, without showing the secret', async () => {
  const lines: string[] = []
  const say =
    (level: string) =>
    (fields: object, message = '') => {
      lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
    }
  const log = { error: say('error'), warn: say('warn'), info: say('info'), debug: say('debug') }
  const refusals = new PeerRefusals(log)
  const listen = (secret: string) => {
    const server = new LinkServer({
      listen: { hostname: '127.0.0.1', port: 0, tls: undefined },
      secrets: [secret],
    })
    ended.push(() => server.stop())
    return { server, address: { host: '127.0.0.1', port: server.port as number, tls: 'off' as const } }
  }
  const [own = '', other = ''] = SECRETS
  const [knows, differs] = [listen(own), listen(other)]
  const away = { host: '127.0.0.1', port: freePort(), tls: 'off' as const }
  const answers: string[] = []
  const search = searchLeader({
    links: () => ({ peers: [knows.address, differs.address, away], secret: own }),
    ...{
      name: 'two',
      remembered: () => ({ ...EMPTY_TAIL, journal: undefined }),
      scheduler: runtimeScheduler,
    },
    onAnswer: (answer) => {
      answers.push(answer.peer)
      refusals.take(answer)
    },
  })
  ended.push(() => search.end())
  await until('each was asked twice', () =>
    [knows.address, differs.address, away].every(
      ({ port }) => answers.filter((peer) => peer === `127.0.0.1:${port}`).length >= 2,
    ),
  )
  expect(refusals.all.map(({ peer, kind }) => [peer, kind]).sort()).toEqual(
    [
      [`127.0.0.1:${differs.address.port}`, 'WRONG_SECRET'],
      [`127.0.0.1:${away.port}`, 'UNREACHABLE'],
    ].sort(),
  )
  expect(lines.filter((line) => line.startsWith('error'))).toEqual([
    expect.stringMatching(/^error an engine refuses a link to this process .*"kind":"WRONG_SECRET"/),
  ])
  for (const secret of SECRETS) expect(lines.join('\n') + JSON.stringify(refusals.all)).not.toContain(secret)
  differs.server.takeSecrets([own])
  await until('it is let in', () => refusals.all.length === 1)
  expect(lines.filter((line) => line.startsWith('info an engine answers again'))).toHaveLength(1)
})
