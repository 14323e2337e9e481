import { expect, test } from 'bun:test'
import { run } from './gateways.ts'

test('the benchmark gateways runs, and what it saw acknowledged is in each journal', async () => {
  const size = [
    '--orders',
    '200',
    '--connections',
    '4',
    '--rounds',
    '1',
    '--gateways',
    '1,2',
    '--warm-up',
    '1',
    '--rate',
    '200',
    '--seconds',
    '1',
  ]
  expect(await run(size)).toBeUndefined()
}, 300_000)
