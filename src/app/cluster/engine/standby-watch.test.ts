/**
 * The leading engine reports a lost standby of its database, its return, and a database that does not
 * answer.
 */
import { expect, test } from 'bun:test'
import { StandbyWatch } from './standby-watch.ts'

class Stage {
  readonly logged: unknown[][] = []
  leads = true
  found: () => Promise<readonly string[]> = async () => []
  #next: (() => unknown) | undefined
  readonly watch = new StandbyWatch({
    look: () => this.found(),
    declared: ['east', 'west'],
    leads: () => this.leads,
    log: {
      info: (...line: unknown[]) => this.logged.push(['info', ...line]),
      error: (...line: unknown[]) => this.logged.push(['error', ...line]),
    } as never,
    scheduler: {
      soon: () => {},
      later: (task) => {
        this.#next = task
        return () => {
          this.#next = undefined
        }
      },
    },
  })

  get isWaiting(): boolean {
    return this.#next !== undefined
  }

  async look(): Promise<number | undefined> {
    const task = this.#next
    this.#next = undefined
    await task?.()
    return this.watch.missing
  }
}

test('a lost standby is counted, and reported once with its name until it follows again', async () => {
  const stage = new Stage()
  expect(stage.watch.missing).toBeUndefined()
  expect(await stage.look()).toBe(0)
  expect(stage.logged).toEqual([])
  stage.found = async () => ['west']
  expect([await stage.look(), await stage.look()]).toEqual([1, 1])
  expect(stage.logged).toEqual([
    ['error', { alarm: 'DATABASE_STANDBY_LOST', standbys: ['west'], problem: undefined }, expect.any(String)],
  ])
  stage.found = async () => []
  expect(await stage.look()).toBe(0)
  expect(stage.logged.map(([level]) => level)).toEqual(['error', 'info'])
})

test('a database that does not answer has no known standbys, and is asked again', async () => {
  const stage = new Stage()
  stage.found = () => Promise.reject(new Error('connection refused'))
  expect(await stage.look()).toBe(2)
  expect(stage.logged[0]?.[1]).toMatchObject({ standbys: ['east', 'west'], problem: 'connection refused' })
  stage.found = async () => []
  expect(await stage.look()).toBe(0)
})

test('an engine that does not lead asks nothing and shows nothing, and a stopped one waits for nothing', async () => {
  const stage = new Stage()
  stage.found = async () => ['west']
  expect(await stage.look()).toBe(1)
  stage.leads = false
  stage.found = () => {
    throw new Error('asked')
  }
  expect(await stage.look()).toBeUndefined()
  stage.leads = true
  expect(stage.watch.missing).toBeUndefined()
  stage.watch.stop()
  expect(stage.isWaiting).toBe(false)
})
