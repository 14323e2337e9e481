/**
 * The shipped alarms for a node that was replaced by its standby, and for one whose exchange is served twice,
 * over the metrics of such a node.
 */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { addPeers, type PeersUse } from '../../src/server/monitoring/cluster-metrics.ts'
import { promql, type ScrapedAt } from '../support/promql.ts'

type Rule = { readonly alert: string; readonly expr: string; readonly for?: string }

const ALARMS = path.resolve(import.meta.dir, '../../packaging/prometheus/standby-alerts.yml')
const { groups } = Bun.YAML.parse(readFileSync(ALARMS, 'utf8')) as { groups: { rules: Rule[] }[] }

const MINUTE = 60
const QUIET: PeersUse = { servedTwice: 0, superseded: 0 }

/** The node's metrics, scraped once a minute. */
function scrapesOf(uses: readonly PeersUse[]): ScrapedAt[] {
  return uses.map((use, i) => {
    const samples: { labels: Record<string, string>; value: number }[] = []
    const take = (name: string, _help: string, read: () => Iterable<{ value: number }>): void => {
      for (const { value } of read()) samples.push({ labels: { __name__: name, job: 'bourse' }, value })
    }
    addPeers({ gauge: take, counter: take, histogram: () => {} } as never, () => use)
    return { at: i * MINUTE, samples }
  })
}

/** The scrapes at which an alarm is raised, without delay. */
function raisedAt(alert: string, uses: readonly PeersUse[]): number[] {
  const rule = groups.flatMap(({ rules }) => rules).find((each) => each.alert === alert)
  expect([alert, rule?.for]).toEqual([alert, undefined])
  const holds = promql(rule?.expr ?? '', scrapesOf(uses))
  return uses.flatMap((_, i) => (holds(i * MINUTE).length > 0 ? [i] : []))
}

test('an exchange that is served twice is an alarm for as long as both serve it', () => {
  const twice = { ...QUIET, servedTwice: 1 }
  expect(raisedAt('BourseServedTwice', [QUIET, twice, twice, QUIET])).toEqual([1, 2])
})

test('a node that was met after it was taken over from is an alarm for a quarter of an hour', () => {
  const met = { ...QUIET, superseded: 1 }
  const uses = [QUIET, QUIET, ...Array.from({ length: 30 }, () => met)]
  const raised = raisedAt('BourseSuperseded', uses)
  expect(raised[0]).toBe(2)
  expect(raised.length).toBeLessThanOrEqual(16)
  expect(raisedAt('BourseSuperseded', [QUIET, QUIET, QUIET])).toEqual([])
})
