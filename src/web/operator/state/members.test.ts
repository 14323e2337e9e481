import { expect, test } from 'bun:test'
import { isAlone, membersOf } from './members.ts'

const member = (name: string, kind: 'ENGINE' | 'HISTORIAN') => ({ name, kind, admin: null })
const CLUSTER = {
  name: 'a',
  role: 'LEADING',
  leader: 'a',
  members: [member('a', 'ENGINE'), member('b', 'ENGINE'), member('h', 'HISTORIAN')],
}

test('each member that the file names is shown with its present state, absent ones too', () => {
  const rows = membersOf(CLUSTER, [{ name: 'b', behind: 12 }])
  expect(rows.map(({ name, state, behind }) => [name, state, behind])).toEqual([
    ['a', 'LEADS', undefined],
    ['b', 'FOLLOWS', 12],
    ['h', 'LACKS', undefined],
  ])
})

test('an engine is alone while it leads and no other engine of its cluster follows it', () => {
  expect(isAlone(CLUSTER, ['b', 'h'])).toBe(false)
  expect(isAlone(CLUSTER, ['h'])).toBe(true)
  expect(isAlone({ ...CLUSTER, role: 'FOLLOWING' }, [])).toBe(false)
  expect(isAlone({ ...CLUSTER, members: [member('a', 'ENGINE')] }, [])).toBe(false)
})
