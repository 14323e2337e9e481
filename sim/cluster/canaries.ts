/**
 * Canaries (deliberate bugs): each removes one guard of a cluster and must be found within a number of seeds,
 * by the named rule.
 */

import { ClaimedJournal } from '../../src/engine/leadership/claimed-journal.ts'
import type { Insertion, LeadershipTable } from '../../src/engine/leadership/leadership-table.ts'
import type { BatchFeed } from '../../src/engine/port/feed.ts'
import { type Batch, JournalFault } from '../../src/engine/port/journal.ts'
import { ALL_GUARDS, type Guards } from './canary.ts'
import type { Theme } from './shape.ts'
import { SimTable, type TableWorld } from './table.ts'

export type ClusterCanary = {
  readonly guards: Guards
  /** The rule that the canary breaks. */
  readonly rule: string
  /** Matches the message of the violation. */
  readonly found: RegExp
  readonly seeds: number
  /** The theme of the faults in the canary's runs; undefined if it is drawn from the seed. */
  readonly theme?: Theme
}

function withWorld(changes: Partial<TableWorld>): Guards {
  return {
    ...ALL_GUARDS,
    openTable: (world, process, server) => SimTable.open({ ...world, ...changes }, process, server),
  }
}

/** Changes the behavior of every table. */
function withTable(change: (table: LeadershipTable) => void): Guards {
  const openTable: Guards['openTable'] = async (...where) => {
    const table = await SimTable.open(...where)
    change(table)
    return table
  }
  return { ...ALL_GUARDS, openTable }
}

function withInsert(change: (insertion: Insertion) => Insertion): Guards {
  return withTable((table) => {
    const insert = table.insert.bind(table)
    table.insert = async (batch) => change(await insert(batch))
    const confirm = table.confirm.bind(table)
    table.confirm = () => confirm().catch(() => undefined)
  })
}

function withChange(change: () => () => void): Guards {
  return { ...ALL_GUARDS, change }
}

/** Followers receive a batch as soon as its insertion is in progress. */
function readingAhead(): Guards {
  const waiting = new Set<(batch: Batch) => void>()
  const underWay = (afterSeq: number): Promise<readonly Batch[]> =>
    new Promise((resolve) => waiting.add((batch) => batch.firstSeq === afterSeq + 1 && resolve([batch])))
  const early = (feed: BatchFeed): BatchFeed => ({
    ...{ quarantined: () => feed.quarantined(), stateHash: (seq) => feed.stateHash(seq) },
    next: (afterSeq, maxBytes) => Promise.race([feed.next(afterSeq, maxBytes), underWay(afterSeq)]),
  })
  const guards = withTable((table) => {
    const insert = table.insert.bind(table)
    table.insert = (batch) => {
      for (const wake of waiting) wake(batch)
      waiting.clear()
      return insert(batch)
    }
  })
  return { ...guards, feed: early }
}

/** Clocks of the engines' machines, in milliseconds relative to the database's. */
const SKEW_MS = [0, 3_600_000, -3_600_000]

export const CLUSTER_CANARIES = {
  'fencing-off': {
    guards: withWorld({ isFenced: false }),
    rule: 'a position of the journal is taken once',
    found: /acknowledge|different states|another state|halts|dies|does not follow/,
    seeds: 30,
  },
  'barrier-left-out': {
    guards: {
      ...withTable((table) => {
        table.confirm = async () => undefined
      }),
      openTable: async (world, process, server) => {
        const table = await SimTable.open({ ...world, claimsWait: false }, process, server)
        table.confirm = async () => undefined
        return table
      },
    },
    rule: 'a leader serves once its claim is confirmed',
    found: /is not on as many disks|past what is confirmed/,
    seeds: 30,
  },
  'in-doubt-taken-as-done': {
    guards: withInsert((insertion) =>
      insertion.kind === 'UNKNOWN' ? { kind: 'STORED', notices: [] } : insertion,
    ),
    rule: 'what nobody knows to be stored is not acknowledged',
    found: /is not on as many disks|past what is confirmed/,
    seeds: 30,
  },
  'in-doubt-taken-as-not-done': {
    guards: withInsert((insertion) =>
      insertion.kind === 'UNKNOWN'
        ? { kind: 'FULL', fault: new JournalFault('STORAGE_FULL', 'there is no room') }
        : insertion,
    ),
    rule: 'what may be stored is not refused',
    found: /certainly not done/,
    theme: 'DOUBT',
    seeds: 300,
  },
  'standbys-not-counted': {
    guards: withTable((table) => {
      table.confirm = async () => undefined
    }),
    rule: 'a commit that nobody waited for is in doubt',
    found: /is not on as many disks|past what is confirmed/,
    seeds: 60,
  },
  'follows-past-the-confirmed': {
    guards: readingAhead(),
    rule: 'who follows is given what is confirmed, and nothing else',
    found: /past what is confirmed|halts|dies/,
    seeds: 30,
  },
  'witness-not-presented': {
    guards: { ...ALL_GUARDS, presented: () => undefined },
    rule: 'who leads is told what others remember',
    found: /serves a database that has lost/,
    theme: 'LOSS',
    seeds: 100,
  },
  'witness-not-looked-for': {
    guards: withChange(() => {
      const { open } = ClaimedJournal
      ClaimedJournal.open = (options) => open({ ...options, remembered: undefined })
      return () => {
        ClaimedJournal.open = open
      }
    }),
    rule: 'a journal that lacks what is remembered is not claimed',
    found: /which it knows to be confirmed|serves a database/,
    theme: 'LOSS',
    seeds: 100,
  },
  'applied-command-quarantined': {
    guards: { ...ALL_GUARDS, presented: () => undefined },
    rule: 'a command of which others were told is never passed over',
    found: /which is not in the journal|different states|another state/,
    theme: 'SKEW',
    seeds: 60,
  },
  'reads-without-heartbeat': {
    guards: withChange(() => {
      const { confirmLead } = ClaimedJournal.prototype
      ClaimedJournal.prototype.confirmLead = async () => {}
      return () => {
        ClaimedJournal.prototype.confirmLead = confirmLead
      }
    }),
    rule: 'a deposed leader answers no reading',
    found: /although it asked when/,
    theme: 'STALE',
    seeds: 400,
  },
  'heartbeat-by-wall-clock': {
    guards: withWorld({
      clockMs: (process) => process.now + (SKEW_MS[Number(process.name.at(-1))] as number),
    }),
    rule: 'how long a leader was silent is told by one clock',
    found: /within|although its leader was there/,
    seeds: 30,
  },
} as const satisfies Readonly<Record<string, ClusterCanary>>

export type ClusterCanaryName = keyof typeof CLUSTER_CANARIES
