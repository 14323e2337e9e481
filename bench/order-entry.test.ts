import { expect, test } from 'bun:test'
import { run } from './order-entry.ts'

test('the benchmark order-entry runs, and what it saw acknowledged is in the journal', async () => {
  const size = [
    '--orders',
    '200',
    '--connections',
    '4',
    '--http-connections',
    '4',
    '--rounds',
    '1',
    '--rate',
    '1000',
  ]
  expect(await run(size)).toBeUndefined()
  // The stages at which orders wait. `run` throws if the record of an order is missing, or if two records are
  // out of order.
  expect(await run([...size, '--waits'])).toBeUndefined()
}, 300_000)
