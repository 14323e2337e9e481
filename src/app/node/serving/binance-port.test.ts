import { expect, test } from 'bun:test'
import { loadedWith, PROCESSES_OF_A_NODE } from '../../loaded-with.fixture.ts'
import { loadBinance } from './binance-port.ts'

const WIRE = 'src/server/binance/'

test('no process of a node without a port for clients of Binance loads a module of that wire', async () => {
  const loaded = loadedWith(PROCESSES_OF_A_NODE)
  expect(loaded.size).toBeGreaterThan(300)
  expect(loaded).toContain('src/app/node/serving/binance-port.ts')
  expect([...loaded].filter((file) => file.startsWith(WIRE))).toEqual([])
  expect(await loadBinance(undefined)).toBeUndefined()
  // The search finds such modules where they exist.
  const wire = loadedWith([`${WIRE}binance-server.ts`])
  expect([...wire].filter((file) => file.startsWith(WIRE)).length).toBeGreaterThan(40)
})
