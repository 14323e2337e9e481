/**
 * A real sandbox is checked against the published files; `npm run schemas:check` does the same with any
 * number of answers.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type NodeProcess, startSandbox } from '../acceptance/support/node-process.ts'
import { record } from './recorder.ts'

setDefaultTimeout(300_000)

describe('a sandbox', () => {
  let node: NodeProcess
  beforeAll(async () => {
    node = await startSandbox()
  })
  afterAll(() => node.stop())

  test('its answers and messages are those of openapi.json and asyncapi.json, and nothing more', async () => {
    const { url, streamUrl, alice, bob } = node
    const { faults, messages } = await record({ url, streamUrl, alice, bob, answers: 800, seed: 7 })
    expect(faults).toEqual([])
    expect(messages).toBeGreaterThan(100)
  })
})
