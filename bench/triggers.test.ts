import { expect, test } from 'bun:test'
import { run } from './triggers.ts'

test('every order that one trade triggers is carried out while another client trades', async () => {
  expect(await run(['--stops', '200', '--alone', '5'])).toEqual(['200 of 200 carried out'])
})
