import { expect, test } from 'bun:test'
import { run } from './order-entry.ts'

test('order-entry runs, and what it saw acknowledged is what the journal holds', async () => {
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
  // The stages at which orders wait: it throws if a note of an order is missing, or two notes are out of
  // order.
  expect(await run([...size, '--waits'])).toBeUndefined()
}, 300_000)
