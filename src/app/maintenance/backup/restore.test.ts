/** After a restore, no number that was assigned after the backup is assigned again. */
import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { startMemoryEngine } from '../../../../sim/memory/engine.ts'
import type { Command } from '../../../core/commands/command.ts'
import { RULES_VERSION } from '../../../core/exchange/rules.ts'
import type { Reply } from '../../../core/questions/reply.ts'
import { limit, market } from '../../../engine/writer/commands.fixture.ts'
import { openStorage } from '../../../storage/sqlite/storage.ts'
import type { AccountId, OrderNumber } from '../../../units/ids.ts'
import { type TimeMs, timeMs } from '../../../units/quantities.ts'
import { audit, newRoot } from '../verification/directory.fixture.ts'

const root = newRoot()
afterAll(() => rmSync(root, { recursive: true }))

let now = 1_700_000_000_000

/** The answers of an engine on `directory` to these commands, one after another. */
async function given(directory: string, ...commands: readonly Command[]): Promise<Reply[]> {
  const clock = (): TimeMs => timeMs(++now)
  const engine = await startMemoryEngine({ ...openStorage({ directory }), clock })
  const replies: Reply[] = []
  for (const command of commands) replies.push(await engine.port.submit(command))
  await engine.stop()
  return replies
}

const BID = limit(3, 'BUY', 100, 1_000_000)

async function placedIn(directory: string): Promise<{ number: OrderNumber; time: TimeMs }> {
  const [reply] = await given(directory, BID)
  if (reply?.kind !== 'OrderAccepted') throw new Error(`expected an order, found ${reply?.kind}`)
  return { number: reply.orderNumber, time: reply.time }
}

test('ids of orders that a restored exchange has lost refer to none of its orders, also after a second restore', async () => {
  const [data, backup] = [path.join(root, 'data'), path.join(root, 'backup')]
  const rules = {
    kind: 'SetRulesVersion',
    operator: { actor: 'test', note: '' },
    version: RULES_VERSION,
  } as const
  await given(data, rules, ...market(), BID)
  expect((await audit('backup', '--data', data, '--to', backup)).code).toBe(0)
  const lives = [data, path.join(root, 'first'), path.join(root, 'second')]
  const placed: { number: OrderNumber; time: TimeMs }[] = []
  for (const [times, directory] of lives.entries()) {
    if (times > 0) {
      const before = String(times - 1)
      const restoring = ['--from', backup, '--data', directory, '--restored-before', before]
      const { code, out } = await audit('restore', ...restoring)
      expect([code, out]).toEqual([0, expect.stringContaining('numbers 1,000,000,000 higher')])
      expect((await audit('verify', '--data', directory)).code).toBe(0)
    }
    const cancels = placed.map(
      ({ number, time }) =>
        ({ kind: 'CancelOrder', accountId: 3 as AccountId, orderNumber: number, orderTime: time }) as const,
    )
    const unknown = { kind: 'Refused', reason: 'UNKNOWN_ORDER' }
    expect(await given(directory, ...cancels)).toMatchObject(cancels.map(() => unknown))
    placed.push(await placedIn(directory), await placedIn(directory))
  }
  const numbers = placed.map(({ number }) => Number(number))
  expect(new Set(numbers).size).toBe(numbers.length)
  const behind = (jumps: number) => numbers.filter((number) => Math.floor(number / 1e9) === jumps).length
  expect([behind(0), behind(1), behind(2)]).toEqual([2, 2, 2])
  const refused = await audit(
    'restore',
    '--from',
    backup,
    '--data',
    path.join(root, 'no'),
    '--restored-before',
    'x',
  )
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('from 0 to 1000')])
})
