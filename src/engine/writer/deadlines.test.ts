/** Commands with a deadline, and the journaled time that proves that a deadline has passed. */
import { expect, test } from 'bun:test'
import type { Command } from '../../core/commands/command.ts'
import { OPERATOR } from '../../core/exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import { timeMs } from '../../units/quantities.ts'
import { limit, market } from './commands.fixture.ts'
import { commandRequest, Stage } from './engine-stage.fixture.ts'

const NOON = 1_790_000_000_000
const order = limit(3, 'BUY', 5_000_000, 1_000_000)
const mark: Command = { kind: 'MarkTime' }

async function trading() {
  const stage = new Stage({}, undefined, NOON)
  let request = 0
  const give = async (...commands: readonly (readonly [Command, deadline?: number])[]): Promise<string[]> => {
    const before = stage.answers.length
    for (const [command, deadline] of commands) {
      const until = deadline === undefined ? undefined : timeMs(deadline)
      stage.engine.offer(commandRequest(++request, command, until))
    }
    await stage.engine.flush()
    return stage.answers.slice(before).map((answer) => answer.split(' ')[1] as string)
  }
  await give(...market().map((command) => [command] as const))
  await give([{ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION }])
  return { stage, give }
}

test('a command that would be dated after its deadline is refused and leaves no trace; at the deadline it is in time', async () => {
  const { stage, give } = await trading()
  stage.now = NOON + 10
  const { seq } = stage.engine.tail
  expect(await give([order, NOON + 9])).toEqual(['DEADLINE_PASSED'])
  expect(stage.engine.tail.seq).toBe(seq)
  expect(await give([order, NOON + 10], [order, NOON + 9], [order])).toEqual([
    'DEADLINE_PASSED',
    'OrderAccepted',
    'OrderAccepted',
  ])
  expect(stage.engine.tail.seq).toBe((seq + 2) as never)
})

test('a deadline is compared with the journal’s time, also while the clock is behind it', async () => {
  const { stage, give } = await trading()
  stage.now = NOON + 5_000
  await give([order])
  stage.now = NOON + 1_000
  expect(await give([order, NOON + 4_999])).toEqual(['DEADLINE_PASSED'])
  expect(await give([order, NOON + 5_000])).toEqual(['OrderAccepted'])
})

test('the time is journaled at most once a second, for any number of callers, in one batch or in many', async () => {
  const { stage, give } = await trading()
  const { seq } = stage.engine.tail
  expect(await give([mark], [mark], [mark])).toEqual(['Done', 'Done', 'Done'])
  expect(stage.engine.tail.seq).toBe((seq + 1) as never)
  stage.now = NOON + 999
  await give([mark])
  expect(stage.engine.tail.seq).toBe((seq + 1) as never)
  stage.now = NOON + 1_000
  await give([mark])
  expect(stage.engine.tail).toMatchObject({ seq: seq + 2, time: NOON + 1_000 })
})
