import { expect, test } from 'bun:test'
import { run } from './order-to-ack.ts'

test('the benchmark order-to-ack runs, and what it saw acknowledged is in the journal', async () => {
  const size = ['--orders', '200', '--connections', '4', '--rounds', '1', '--shares', '0.5']
  expect(await run(size)).toBeUndefined()
}, 300_000)
