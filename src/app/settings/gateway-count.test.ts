import { expect, test } from 'bun:test'
import { gatewayCount } from './gateway-count.ts'

test('a node runs as many gateways as requested, and with auto one for each core beyond two, 1 to 8', () => {
  expect(gatewayCount(3, 1)).toBe(3)
  expect([1, 2, 3, 4, 8, 10, 64].map((cores) => gatewayCount('auto', cores))).toEqual([1, 1, 1, 2, 6, 8, 8])
})
