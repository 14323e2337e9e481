import { expect, test } from 'bun:test'
import { waitingText } from './waiting-text.ts'

const OWN = {
  name: 'one',
  members: [
    { name: 'one', kind: 'ENGINE', admin: '127.0.0.1:8081' },
    { name: 'two', kind: 'ENGINE', admin: '127.0.0.1:8082' },
    { name: 'three', kind: 'ENGINE', admin: null },
  ],
} as const

test('an engine that does not lead tells operators who leads, in which epoch and at which address, or how to find out', () => {
  const said = (role: 'FOLLOWING' | 'SEEKING', leader: string | undefined) =>
    waitingText(OWN, { role, leader, epoch: 3 })
  expect(said('FOLLOWING', 'two')).toBe(
    'this engine, one, does not lead: two does, in epoch 3. Use its admin server, 127.0.0.1:8082 of its machine',
  )
  expect(said('FOLLOWING', 'three')).toContain(
    'three does, in epoch 3. Use its admin server, whose address is in its admin.json',
  )
  expect(said('SEEKING', undefined)).toContain('found no leader: see "bourse cluster status"')
})
