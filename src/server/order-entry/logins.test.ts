import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AccountId } from '../../units/ids.ts'
import { Logins } from './logins.ts'

const ACCOUNTS = [3, 4] as const
const action = fc.record({ member: fc.nat(5), key: fc.nat(3), isIn: fc.boolean() })

test('logins are found by their key and by their account as long as they live, and leave nothing behind', () => {
  fc.assert(
    fc.property(fc.array(action), (actions) => {
      const logins = new Logins<number>()
      const keyByMember = new Map<number, number>()
      for (const { member, key, isIn } of actions) {
        if (isIn && !keyByMember.has(member)) {
          logins.add(member, { apiKey: `k${key}`, accountId: ACCOUNTS[key % 2] as AccountId })
          keyByMember.set(member, key)
        } else if (!isIn) {
          logins.remove(member)
          keyByMember.delete(member)
        }
        const members = (isMeant: (key: number) => boolean) =>
          [...keyByMember]
            .filter(([, held]) => isMeant(held))
            .map(([each]) => each)
            .sort()
        expect(logins.all().sort()).toEqual(members(() => true))
        expect(logins.ofKey(`k${key}`).sort()).toEqual(members((held) => held === key))
        expect(logins.ofAccount(ACCOUNTS[key % 2] as AccountId).sort()).toEqual(
          members((held) => held % 2 === key % 2),
        )
      }
      for (const member of keyByMember.keys()) logins.remove(member)
      expect([logins.count, logins.holders]).toEqual([0, 0])
    }),
  )
})
