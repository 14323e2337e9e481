import { expect, test } from 'bun:test'
import { Registry } from 'prom-client'
import { metricsOf, one } from './metric-kinds.ts'

test('a metric that cannot be read is left out of the page, and the others are shown', async () => {
  const registry = new Registry()
  const told: unknown[] = []
  const { gauge, counter } = metricsOf(registry, (cause) => void told.push(cause))
  const fault = new Error('EMFILE: too many open files')
  gauge('bourse_broken', 'Cannot be read', () => {
    throw fault
  })
  gauge('bourse_late', 'Cannot be read either', () => Promise.reject(fault))
  counter('bourse_whole_total', 'Can', () => one(7))
  const text = await registry.metrics()
  expect(text).toContain('bourse_whole_total 7')
  expect(text).not.toMatch(/^bourse_(?:broken|late) /m)
  expect(told).toEqual([fault, fault])
})
