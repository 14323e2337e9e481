import { afterEach, expect, test } from 'bun:test'
import { faultKindOf } from '../../../engine/port/engine-port.contract.ts'
import { EngineFault } from '../../../engine/port/fault.ts'
import { account } from '../../../engine/writer/commands.fixture.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import { startLinkedEngine } from '../linked-engine.fixture.ts'
import { LinkFault } from '../protocol/link-fault.ts'
import type { Link } from './link-client.ts'
import { LinkKeeper, PAUSE_MS_MAX } from './link-keeper.ts'

let stop: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const each of stop) await each()
  stop = []
})

/** A link that the test ends. */
function fakeLink() {
  const { promise: lost, resolve } = Promise.withResolvers<LinkFault>()
  const fail = (): void => resolve(new LinkFault('UNREACHABLE', 'gone'))
  return { lost, fail, close: fail } as unknown as Link & { fail(): void }
}

/** A keeper whose pauses the test ends. */
function keep(open: () => Promise<Link>, begin: (link: Link) => Promise<string>) {
  const pauses: number[] = []
  const begun: string[] = []
  const ends: (() => void)[] = []
  let wake = (): void => {}
  const later: Scheduler['later'] = (task) => {
    ends.push(task)
    wake()
    return () => {}
  }
  const keeper = new LinkKeeper<string>({
    open,
    begin,
    onBegun: (each) => {
      begun.push(each)
      wake()
    },
    onUnlinked: (_, pauseMs) => pauses.push(pauseMs),
    scheduler: { soon: setImmediate, later },
    random: () => 1,
  })
  stop.push(() => keeper.stop())
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return {
    keeper,
    pauses,
    begun,
    untilBegun: (count: number) => until(() => begun.length >= count),
    untilPaused: () => until(() => ends.length > 0),
    endPause: async () => {
      await until(() => ends.length > 0)
      ends.shift()?.()
    },
  }
}

test('each try to open a link comes after twice the pause, up to two seconds, and after a used link with the first pause again', async () => {
  let isReachable = false
  const link = fakeLink()
  const open = (): Promise<Link> =>
    isReachable ? Promise.resolve(link) : Promise.reject(new LinkFault('UNREACHABLE', 'nobody'))
  const { pauses, untilBegun, untilPaused, endPause } = keep(open, async () => 'views')
  for (let i = 0; i < 7; i++) await endPause()
  await untilPaused()
  isReachable = true
  await endPause()
  await untilBegun(1)
  isReachable = false
  link.fail()
  await endPause()
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, PAUSE_MS_MAX, PAUSE_MS_MAX, 50])
})

test('work begun on a link that was lost meanwhile is not used', async () => {
  const links = [fakeLink(), fakeLink()]
  const slow = Promise.withResolvers<string>()
  const opened = [...links]
  const { begun, untilBegun, endPause } = keep(
    async () => opened.shift() as Link,
    (link) => (link === links[0] ? slow.promise : Promise.resolve('second')),
  )
  links[0]?.fail()
  await endPause()
  await untilBegun(1)
  slow.resolve('first')
  await slow.promise
  expect(begun).toEqual(['second'])
})

test('a link that cannot be begun with is closed, and another one opened', async () => {
  const links = [fakeLink(), fakeLink()]
  const opened = [...links]
  const { begun, untilBegun, endPause } = keep(
    async () => opened.shift() as Link,
    async (link) => {
      if (link === links[0]) throw new EngineFault('OVERLOADED', 'too much has come')
      return 'second'
    },
  )
  await endPause()
  await untilBegun(1)
  expect((await links[0]?.lost)?.kind).toBe('UNREACHABLE')
  expect(begun).toEqual(['second'])
})

test('a keeper that stops closes its link and ends its pause', async () => {
  const link = fakeLink()
  const linked = keep(
    async () => link,
    async () => 'views',
  )
  await linked.untilBegun(1)
  await linked.keeper.stop()
  expect((await link.lost).kind).toBe('UNREACHABLE')
  const unlinked = keep(
    () => Promise.reject(new LinkFault('UNREACHABLE', 'nobody')),
    async () => 'views',
  )
  await unlinked.keeper.stop()
  expect(unlinked.pauses.length).toBeLessThanOrEqual(1)
})

test('after an engine has stopped and restarted, a gateway continues with the engine’s state', async () => {
  const linked = await startLinkedEngine()
  stop.push(linked.stop)
  const views: { readonly link: Link; readonly names: string[] }[] = []
  let wake = (): void => {}
  const keeper = new LinkKeeper<string[]>({
    open: () => linked.link(),
    begin: async (link) => {
      const names: string[] = []
      const start = await link.engine.follow(({ events }) => {
        for (const event of events) if (event.kind === 'AccountCreated') names.push(event.account.name)
      })
      names.unshift(...start.accounts.map(({ name }) => name))
      return names
    },
    onBegun: (names, link) => {
      views.push({ link, names })
      wake()
    },
  })
  stop.unshift(() => keeper.stop())
  const view = async (number: number) => {
    while (views.length < number) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return views[number - 1] as (typeof views)[number]
  }
  const first = await view(1)
  await first.link.engine.submit(account('before'))
  await linked.server.stop()
  expect(await faultKindOf(first.link.engine.submit(account('lost')))).toMatch(/OUTCOME_UNKNOWN|ENGINE_DOWN/)
  await linked.engine.submit(account('meanwhile'))
  linked.serve()
  const second = await view(2)
  await second.link.engine.submit(account('after'))
  expect(first.names.slice(-1)).toEqual(['before'])
  expect(second.names.slice(-3)).toEqual(['before', 'meanwhile', 'after'])
})
