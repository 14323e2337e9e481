/**
 * The shipped alarms for a node that was replaced by its standby, and for one whose exchange is served twice,
 * over the metrics of such a node.
 */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  addPeers,
  addStandby,
  type PeersUse,
  type StandbyUse,
} from '../../src/server/monitoring/cluster-metrics.ts'
import { promql, type ScrapedAt } from '../support/promql.ts'

type Rule = { readonly alert: string; readonly expr: string; readonly for?: string }

const ALARMS = path.resolve(import.meta.dir, '../../packaging/prometheus/standby-alerts.yml')
const { groups } = Bun.YAML.parse(readFileSync(ALARMS, 'utf8')) as { groups: { rules: Rule[] }[] }

const MINUTE = 60
const QUIET: PeersUse = { servedTwice: 0, superseded: 0 }

/** The metrics of a node, or of a standby, scraped once a minute. */
function scrapesOf<Use>(uses: readonly Use[], add: (metrics: never, use: () => Use) => void): ScrapedAt[] {
  return uses.map((use, i) => {
    const samples: { labels: Record<string, string>; value: number }[] = []
    const take = (name: string, _help: string, read: () => Iterable<{ value: number }>): void => {
      for (const { value } of read()) samples.push({ labels: { __name__: name, job: 'bourse' }, value })
    }
    add({ gauge: take, counter: take, histogram: () => {} } as never, () => use)
    return { at: i * MINUTE, samples }
  })
}

/** The scrapes at which an alarm is raised, without its delay. */
function raisedAt(alert: string, uses: readonly PeersUse[]): number[] {
  expect([alert, ruleOf(alert)?.for]).toEqual([alert, undefined])
  return heldAt(alert, uses, addPeers)
}

const ruleOf = (alert: string): Rule | undefined =>
  groups.flatMap(({ rules }) => rules).find((each) => each.alert === alert)

/** The scrapes at which the alarm's condition is met. */
function heldAt<Use>(
  alert: string,
  uses: readonly Use[],
  add: (metrics: never, use: () => Use) => void,
): number[] {
  const holds = promql(ruleOf(alert)?.expr ?? '', scrapesOf(uses, add))
  return uses.flatMap((_, i) => (holds(i * MINUTE).length > 0 ? [i] : []))
}

test('an exchange that is served twice is an alarm for as long as both serve it', () => {
  const twice = { ...QUIET, servedTwice: 1 }
  expect(raisedAt('BourseServedTwice', [QUIET, twice, twice, QUIET])).toEqual([1, 2])
})

test('a node that was found after it was taken over from is an alarm for a quarter of an hour', () => {
  const met = { ...QUIET, superseded: 1 }
  const uses = [QUIET, QUIET, ...Array.from({ length: 30 }, () => met)]
  const raised = raisedAt('BourseSuperseded', uses)
  expect(raised[0]).toBe(2)
  expect(raised.length).toBeLessThanOrEqual(16)
  expect(raisedAt('BourseSuperseded', [QUIET, QUIET, QUIET])).toEqual([])
})

test('an old copy of customers, or one without keys, is an alarm; where there are no customers there is none', () => {
  const standby: StandbyUse = {
    ...{ from: 'node', isLinked: true, behindCommands: 0, lagMs: 0, storedSeq: 1, verifiedSeq: 1 },
    customers: { ageMs: 0, hasKeys: true },
  }
  const uses = [
    standby,
    { ...standby, customers: { ageMs: 1_000, hasKeys: true } },
    { ...standby, customers: { ageMs: 61_000, hasKeys: true } },
    { ...standby, customers: { ageMs: 1_000, hasKeys: false } },
  ]
  expect(heldAt('BourseStandbyCustomersOld', uses, addStandby)).toEqual([2])
  expect(heldAt('BourseStandbyCustomersKeyless', uses, addStandby)).toEqual([3])
})
