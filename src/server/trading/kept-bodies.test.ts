import { expect, test } from 'bun:test'
import { emptyBootstrap, syntheticSymbol } from '../../../test/support/synthetic-market.ts'
import { LiveRegistry } from '../../views/registry.ts'
import { KeptBodies } from './kept-bodies.ts'

test('a body is made once for a registry, a count of changes and a key', async () => {
  const bodies = new KeptBodies<'en' | 'tr'>()
  const one = new LiveRegistry(emptyBootstrap([syntheticSymbol(0, 'BTC/USDT')]))
  const other = new LiveRegistry(emptyBootstrap([]))
  let made = 0
  const get = (registry: LiveRegistry, changes: number, key: 'en' | 'tr') =>
    bodies.get(registry, changes, key, () => `${++made}`).text()
  const asked = [
    await get(one, 1, 'en'),
    await get(one, 1, 'tr'),
    await get(other, 1, 'en'),
    await get(one, 1, 'en'),
    await get(one, 1, 'tr'),
    await get(one, 2, 'tr'),
    await get(one, 2, 'en'),
    await get(other, 1, 'en'),
  ]
  expect(asked).toEqual(['1', '2', '3', '1', '2', '4', '5', '3'])
})
