import { expect, test } from 'bun:test'
import type { AdminOperation } from '../../../wire/admin.ts'
import { isReading, RIGHTS_BY_OPERATION } from '../roles.ts'
import { takesTokenAgain } from './confirmation.ts'

const operations = Object.keys(RIGHTS_BY_OPERATION) as AdminOperation[]

test('an operation that only reads never takes the token again', () => {
  expect(operations.filter((operation) => isReading(operation) && takesTokenAgain(operation))).toEqual([])
})

test('what moves money, gives rights, sets a limit or shows a secret takes the token again; what has to be quick does not', () => {
  const again = operations.filter(takesTokenAgain)
  const wanted = /^(money|savings|house|withdrawal|approval|token|role|tier|master-key|rules)\//
  expect(operations.filter((one) => wanted.test(one) && !isReading(one) && !again.includes(one))).toEqual([])
  for (const one of ['key/add', 'key/rotate', 'asset/set', 'symbol/set', 'account/terms', 'account/set'])
    expect(again).toContain(one as AdminOperation)
  for (const one of [
    'symbol/halt',
    'symbol/resume',
    'exchange/halt',
    'account/freeze',
    'key/disable',
    'ban/add',
  ])
    expect(again).not.toContain(one as AdminOperation)
})
