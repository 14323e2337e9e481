/** A rotation of the master key over more keys than one request processes. */
import { expect, test } from 'bun:test'
import type { ResealSecret } from '../../../core/commands/keys.ts'
import type { AdminContext } from '../context.ts'
import { rotateMasterKey } from './master-key.ts'

/** Number of keys with secrets under the old key, and the maximum number of commands in flight. */
function rotation(count: number) {
  const sealedByKey = new Map(Array.from({ length: count }, (_, i) => [`key ${i}`, new Uint8Array([0])]))
  let underWay = 0
  const seen = { underWayMost: 0, isRetired: false }
  const context = {
    caller: { token: undefined },
    accounts: {
      everyApiKey: () => [...sealedByKey].map(([apiKey, sealedSecret]) => ({ apiKey, sealedSecret })),
    },
    masterKeys: {
      begin: () => {},
      reseal: (sealed: Uint8Array) => (sealed[0] === 0 ? new Uint8Array([1]) : undefined),
      retire: () => {
        seen.isRetired = true
        return true
      },
    },
    engine: {
      ask: async () => [],
      submit: async ({ apiKey, to }: ResealSecret) => {
        underWay++
        seen.underWayMost = Math.max(seen.underWayMost, underWay)
        await new Promise(setImmediate)
        underWay--
        sealedByKey.set(apiKey, new Uint8Array(to))
        return { kind: 'Done', repeated: false }
      },
    },
  }
  const rotate = () =>
    rotateMasterKey(context as unknown as AdminContext, {}, { resealedMax: 5, underWayMax: 2 })
  return { rotate, seen }
}

test('one request seals a batch of secrets again and says how many are left; the old key can be removed once none is', async () => {
  const { rotate, seen } = rotation(12)
  expect(await rotate()).toEqual({ resealed: 5, left: 7, removePrevious: false })
  expect(await rotate()).toEqual({ resealed: 5, left: 2, removePrevious: false })
  expect(seen.isRetired).toBe(false)
  expect(await rotate()).toEqual({ resealed: 2, left: 0, removePrevious: true })
  expect(await rotate()).toEqual({ resealed: 0, left: 0, removePrevious: true })
})

test('a rotation has no more commands in flight than it was given, and a second one is refused', async () => {
  const { rotate, seen } = rotation(12)
  const first = rotate()
  await expect(rotate()).rejects.toMatchObject({ error: { reason: 'ROTATION_UNDER_WAY' } })
  await first
  expect(seen.underWayMost).toBe(2)
})
