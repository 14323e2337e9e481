/**
 * The shipped alarms of clusters and standbys when a metric that they use is absent: no alarm is silenced by
 * that. Rules and metrics are read from the files. The documentation of all alarms is checked too.
 */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './support/bourse-process.ts'
import { type Labels, promql, type Sample, type ScrapedAt } from './support/promql.ts'

type Rule = { readonly alert: string; readonly expr: string; readonly for?: string }
type Healthy = Readonly<Record<string, Readonly<Record<string, number>>>>

const SCRAPE_SECONDS = 30
const END = 2 * 3_600

/** The metrics of each healthy process, by `job/instance`. */
const CLUSTER: Healthy = {
  'bourse-engines/a': {
    ...{ up: 1, bourse_leader: 1, bourse_epoch: 7, bourse_link_open: 1 },
    ...{ bourse_replica_behind_commands: 0, bourse_database_standbys_missing: 0 },
  },
  'bourse-engines/b': { up: 1, bourse_leader: 0, bourse_epoch: 7, bourse_link_open: 1 },
  'bourse-gateways/g': { up: 1, bourse_link_open: 1, process_start_time_seconds: 1_000 },
  'bourse-customers/c': { up: 1 },
}
const STANDBY: Healthy = {
  'bourse/n': { up: 1, bourse_standbys: 1, bourse_served_twice: 0, bourse_superseded_total: 0 },
  'bourse-standby/s': {
    ...{ up: 1, bourse_standby_linked: 1, bourse_standby_lag_seconds: 0 },
    ...{ bourse_standby_customers_age_seconds: 0, bourse_standby_customers_keys: 1 },
  },
}

function rulesOf(file: string): readonly Rule[] {
  const text = readFileSync(path.join(ROOT, 'packaging/prometheus', file), 'utf8')
  return (Bun.YAML.parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules)
}

/** The recorded scrapes; `change` returns another value, or none. */
function recorded(
  healthy: Healthy,
  change: (labels: Labels, value: number) => number | undefined,
): ScrapedAt[] {
  const samples = Object.entries(healthy).flatMap(([target, shown]): Sample[] => {
    const [job = '', instance = ''] = target.split('/')
    return Object.entries(shown).flatMap(([name, value]) => {
      const labels = { __name__: name, job, instance }
      const changed = change(labels, value)
      return changed === undefined ? [] : [{ labels, value: changed }]
    })
  })
  return Array.from({ length: END / SCRAPE_SECONDS }, (_, i) => ({ at: i * SCRAPE_SECONDS, samples }))
}

function waitSecondsOf({ for: wait = '0s' }: Rule): number {
  const unit = { s: 1, m: 60, h: 3_600 }[wait.at(-1) as 's' | 'm' | 'h']
  return Number.parseInt(wait, 10) * unit
}

/**
 * Nothing changes over the scrapes: an expression that is true at the end has been true since the start of
 * the rule's time.
 */
function isRaised(rule: Rule, scrapes: readonly ScrapedAt[]): boolean {
  // A subquery counts the epoch's changes; an absent metric does not change.
  if (/\[\w+:\w+\]/.test(rule.expr)) return false
  const at = END - SCRAPE_SECONDS
  expect(waitSecondsOf(rule)).toBeLessThan(at)
  return promql(rule.expr, scrapes)(at).length > 0
}

describe.each([
  { file: 'cluster-alerts.yml', healthy: CLUSTER },
  { file: 'standby-alerts.yml', healthy: STANDBY },
])('$file', ({ file, healthy }) => {
  const rules = rulesOf(file)
  const looked = new Set(
    rules.flatMap(({ expr }) => expr.match(/\b(?:up|process_start_time_seconds|bourse_\w+)\b/g) ?? []),
  )

  test('is silent on a healthy node, which shows each metric that a rule uses', () => {
    const scrapes = recorded(healthy, (_, value) => value)
    expect(rules.filter((rule) => isRaised(rule, scrapes)).map(({ alert }) => alert)).toEqual([])
    const shown = new Set(Object.values(healthy).flatMap((metrics) => Object.keys(metrics)))
    expect([...looked].filter((name) => !shown.has(name))).toEqual([])
  })

  // Prometheus itself adds `up`, and alerts.yml has an alarm for the `up` of a node.
  const each = Object.entries(healthy).flatMap(([target, shown]) =>
    Object.keys(shown)
      .filter((name) => name !== 'up' || target !== 'bourse/n')
      .map((name) => ({ target, name })),
  )
  test.each(each)('is raised where $target does not show $name', ({ target, name }) => {
    const scrapes = recorded(healthy, ({ __name__, job, instance }, value) =>
      __name__ === name && `${job}/${instance}` === target ? (name === 'up' ? 0 : undefined) : value,
    )
    const loud = rules.filter((rule) => isRaised(rule, scrapes)).map(({ alert }) => alert)
    expect(loud).not.toEqual([])
  })
})

test('a lost standby of the database is an alarm, and nothing else is', () => {
  const scrapes = recorded(CLUSTER, ({ __name__ }, value) =>
    __name__ === 'bourse_database_standbys_missing' ? 1 : value,
  )
  const loud = rulesOf('cluster-alerts.yml').filter((rule) => isRaised(rule, scrapes))
  expect(loud.map(({ alert }) => alert)).toEqual(['BourseDatabaseStandbyLost'])
})

describe('the documentation of alarms', () => {
  const folder = path.join(ROOT, 'packaging/prometheus')
  const files = readdirSync(folder).filter((name) => name.endsWith('alerts.yml'))
  const textOf = (page: string) => readFileSync(path.join(ROOT, page), 'utf8')
  const rowsOf = (page: string) =>
    [...textOf(page).matchAll(/^\| `(Bourse\w+)` \|/gm)].map(([, name]) => name)
  /** The page that explains each alarm, according to the file. */
  const pageOf = (file: string) =>
    /^# .* What each means and what to do: (docs\/[\w-]+\.md)/.exec(
      readFileSync(path.join(folder, file), 'utf8'),
    )?.[1] ?? ''

  test('has a row for every alarm, in the page that the file of its rule names, and none for another', () => {
    expect(files.length).toBeGreaterThan(2)
    for (const file of files) {
      const alarms = rulesOf(file).map(({ alert }) => alert)
      expect([file, rowsOf(pageOf(file)).toSorted()]).toEqual([file, alarms.toSorted()])
    }
  })

  test('names no unknown alarm', () => {
    const known = new Set(files.flatMap((file) => rulesOf(file).map(({ alert }) => alert)))
    const pages = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    const named = pages
      .filter((page) => page.endsWith('.md'))
      .flatMap((page) => [...textOf(`docs/${page}`).matchAll(/`(Bourse[A-Z]\w+)`/g)])
    expect(named.length).toBeGreaterThan(known.size)
    const strangers = named
      .map(([, name = '']) => name)
      .filter((name) => !known.has(name) && !/Error$|Client$/.test(name))
    expect(strangers).toEqual([])
  })
})
