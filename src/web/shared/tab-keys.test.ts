import { expect, test } from 'bun:test'
import { tabOfKey } from './tab-keys.ts'

test.each([
  ['ArrowRight', [1, 2, 0]],
  ['ArrowLeft', [2, 0, 1]],
  ['Home', [0, 0, 0]],
  ['End', [2, 2, 2]],
  ['ArrowDown', [undefined, undefined, undefined]],
] as const)('%s on the first, second and third of three tabs chooses %p', (key, wanted) => {
  expect([0, 1, 2].map((chosen) => tabOfKey(key, chosen, 3))).toEqual([...wanted])
})
