/**
 * With customer sign-up switched off, a node opens none of the customers' sockets and files, and loads none
 * of their code.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadedWith, PROCESSES_OF_A_NODE } from '../loaded-with.fixture.ts'
import { startNode } from '../node/node.ts'
import { SERVE_DEFAULTS } from '../settings/defaults.ts'

setDefaultTimeout(300_000)

const log = { debug() {}, info() {}, warn() {}, error() {} }
const version = { number: 'test', commit: 'unknown', commitDate: 'unknown' }

test('no process of a node without customer sign-up loads a module of it', () => {
  const loaded = loadedWith(PROCESSES_OF_A_NODE)
  expect(loaded.size).toBeGreaterThan(300)
  expect([...loaded].filter((file) => file.startsWith('src/customers/'))).toEqual([])
  // Engines and gateways of a cluster only pass requests on.
  const ofCluster = loadedWith(['src/app/cluster/engine/run.ts', 'src/app/gateways/run-gateway.ts'])
  expect([...ofCluster].filter((file) => file.startsWith('src/customers/'))).toEqual([])
  // The search finds such modules where they exist.
  const customers = loadedWith(['src/app/customers/customers-child.ts'])
  expect([...customers].filter((file) => file.startsWith('src/customers/')).length).toBeGreaterThan(20)
})

test('a node without customer sign-up answers 404 for accounts, and creates no file', async () => {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'bourse-off-'))
  const node = await startNode({
    settings: { ...SERVE_DEFAULTS, dataDirectory, server: { ...SERVE_DEFAULTS.server, port: 0 } },
    ...{ version, log },
  })
  try {
    await node.open()
    for (const name of ['config', 'signup/begin', 'me']) {
      const answer = await fetch(`${node.baseUrl}/account/v1/${name}`)
      expect([name, answer.status]).toEqual([name, 404])
    }
    expect(existsSync(path.join(dataDirectory, 'customers'))).toBe(false)
    expect(readdirSync(dataDirectory).filter((name) => name.includes('customer'))).toEqual([])
  } finally {
    await node.stop()
    rmSync(dataDirectory, { recursive: true })
  }
})
