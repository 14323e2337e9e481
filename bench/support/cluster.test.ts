/**
 * The cluster used by benchmarks: no limit of its gateways is tighter than the sandbox's, which is in the
 * same table.
 */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SANDBOX_DEFAULTS, SERVE_DEFAULTS } from '../../src/app/settings/defaults.ts'
import { loadSettings } from '../../src/app/settings/load.ts'
import { LOADED_SETTINGS } from './cluster.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('the gateway of a benchmark accepts as much from one address as a sandbox, for every limit', () => {
  const file = path.join(directory, 'settings.json')
  writeFileSync(file, JSON.stringify(LOADED_SETTINGS))
  const { gateway, server, stream } = loadSettings([`--config=${file}`, '--data=d'], {}, SERVE_DEFAULTS)
  expect(gateway.limits.isEnabled).toBe(false)
  const limitsOf = (groups: object): [string, number][] =>
    Object.entries(groups).filter(([name, value]) => name.endsWith('Max') && typeof value === 'number')
  const loaded = new Map(limitsOf({ ...server, ...stream }))
  const sandbox = limitsOf({ ...SANDBOX_DEFAULTS.server, ...SANDBOX_DEFAULTS.stream })
  const tighter = sandbox.flatMap(([name, most]) => ((loaded.get(name) ?? 0) < most ? [name] : []))
  expect([sandbox.length > 20, tighter]).toEqual([true, []])
})
