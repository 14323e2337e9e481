import { expect, test } from 'bun:test'
import { run } from './customers.ts'

test('the benchmark customers runs with customers on and off, and beside sign-ins that fail for the expected reasons', async () => {
  const size = ['--orders', '100', '--connections', '4', '--rounds', '1', '--rate', '20', '--flood', '200']
  const answers = await run([...size, '--seconds', '3'])
  // On a busy machine, the process reaches its limit of connections and does not answer.
  expect(answers.filter((answer) => answer !== '503 CUSTOMERS_AWAY')).toEqual([
    '401 CREDENTIALS_WRONG',
    '503 PASSWORDS_BUSY',
  ])
}, 300_000)
