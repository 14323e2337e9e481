/** Short scripts, each of which makes the exchange do something that a crash must not damage. */

import { lastSeqOf } from '../../src/engine/port/journal.ts'
import { seq } from '../../src/units/quantities.ts'
import { POISON } from '../checkers/replicas.ts'
import { demand } from '../checkers/shadow-state.ts'
import type { Disk } from '../storage/disk.ts'
import { JOURNAL_LOG, JOURNAL_MAIN, readStored } from '../storage/stored-journal.ts'
import { WITNESS, witnessedMark } from '../storage/witness.ts'
import { OWN_COMMANDS } from './own-commands.ts'
import { ALICE, BOB, type Play } from './play.ts'
import { type Scenario, trade } from './scenario.ts'

const ALL = {
  ...OWN_COMMANDS,
  trading: {
    stresses: 'orders, a match, a cancel, a deposit, the follower, snapshots, a copy of the log, a restart',
    profile: { snapshotCommands: 6, logBytesMax: 1_500 },
    play: (play) => {
      play.open()
      trade(play)
      play.untilFollowed()
      play.rest(120)
      play.restart()
      trade(play)
    },
  },
  'group-commit': {
    stresses: 'batches of several commands, and what waits behind a full one',
    profile: { batchRequestsMax: 3 },
    play: (play) => {
      play.open()
      for (let i = 0; i < 3; i++) {
        play.together([1, 2, 3, 4, 5].map((n) => play.order(n % 2 === 0 ? ALICE : BOB, 'BUY', 80 + n, n)))
      }
    },
  },
  snapshots: {
    stresses: 'a snapshot every few commands, and the removal of old ones',
    profile: { snapshotCommands: 2 },
    play: (play) => {
      play.open()
      for (let i = 0; i < 3; i++) {
        trade(play)
        play.untilFollowed()
      }
    },
  },
  witness: {
    stresses:
      'one commit after another, so that the two slots of the witness take turns, and its reset at a start',
    play: (play) => {
      play.open()
      for (let i = 0; i < 6; i++) play.send(play.order(ALICE, 'BUY', 50 + i, 1))
      play.crash()
      for (let i = 0; i < 6; i++) play.send(play.order(BOB, 'BUY', 50 + i, 1))
    },
  },
  'full-disk': {
    stresses: 'a disk that is full while orders come and snapshots are due, then has room again',
    profile: { snapshotCommands: 4 },
    play: (play) => {
      play.open()
      const { faults } = play.stage
      faults.isDiskFull = true
      for (let i = 0; i < 3; i++) play.send(play.order(ALICE, 'BUY', 50 + i, 1))
      play.rest(700)
      faults.isDiskFull = false
      trade(play)
      play.rest(700)
      play.untilFollowed()
    },
  },
  poison: {
    stresses: 'a command that breaks the machine, its quarantine, and the starts after it',
    play: (play) => {
      play.open()
      const poison = { ...play.order(BOB, 'BUY', 60, 1), clientOrderId: `${POISON}-1` }
      play.together([play.order(ALICE, 'BUY', 60, 1), poison, play.order(ALICE, 'BUY', 61, 1)])
      play.stage.untilUp('the exchange starts again')
      trade(play)
      play.restart()
    },
  },
  'short-journal': {
    stresses: 'an older copy of the journal, which is refused, then accepted by the operator',
    profile: { snapshotCommands: 5 },
    play: (play) => {
      play.open()
      const { supervisor } = play.stage
      const older = supervisor.disk.copy()
      trade(play)
      play.untilFollowed()
      play.restart(() => supervisor.restore(older, [JOURNAL_MAIN, JOURNAL_LOG]))
      trade(play)
    },
  },
  'foreign-witness': {
    stresses:
      "the witness of a journal that went another way, whose mark is in the middle of a batch of this one's",
    profile: { snapshotCommands: 5 },
    play: (play) => {
      play.open()
      const { supervisor } = play.stage
      const fork = supervisor.disk.copy()
      const foreign: Disk[] = []
      for (let i = 0; i < 6; i++) {
        play.send(play.order(ALICE, 'BUY', 50 + i, 1))
        foreign.push(supervisor.disk.copy())
      }
      play.untilFollowed()
      play.restart(() => supervisor.restore(fork, [JOURNAL_MAIN, JOURNAL_LOG]))
      play.together(Array.from({ length: 12 }, (_, n) => play.order(BOB, 'BUY', 60 + n, 1)))
      play.untilFollowed()
      const ends = new Set(readStored(supervisor.disk).batches.map(lastSeqOf))
      const inside = foreign.find((disk) => !ends.has(witnessedMark(disk)?.seq ?? seq(0)))
      demand(inside !== undefined, 'a batch of several commands has a place in its middle')
      play.restart(() => supervisor.restore(inside, [WITNESS]))
      trade(play)
    },
  },
  'history-rebuild': {
    stresses: 'a history that is gone, made again from the first command on',
    profile: { snapshotCommands: 5 },
    play: (play) => {
      play.open()
      trade(play)
      play.restart(() => play.stage.supervisor.medium.clear())
      trade(play)
      play.untilFollowed()
    },
  },
  checkpoint: {
    stresses: 'a log that is copied into the main file again and again, busy and idle',
    profile: { logBytesMax: 600 },
    play: (play) => {
      play.open()
      trade(play)
      play.rest(120)
      trade(play)
      play.rest(120)
    },
  },
  'two-restarts': {
    stresses: 'a kill between write and sync, then whatever comes while that is recovered from, twice',
    play: (play) => {
      play.open()
      for (let i = 0; i < 2; i++) {
        killAfterWrite(play)
        play.send(play.order(ALICE, 'BUY', 50 + i, 1))
        play.crash()
      }
      trade(play)
    },
  },
  'first-start': {
    stresses: 'the first start in an empty directory, and a second one before anything has happened',
    play: (play) => {
      play.start()
      play.restart()
      play.send(play.account('first'))
    },
  },
} as const satisfies Readonly<Record<string, Scenario>>

export type ScenarioName = keyof typeof ALL

export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = ALL

/** Ends the process directly after the next write to the journal's log, which is not on the disk yet. */
function killAfterWrite(play: Play): void {
  play.stage.faults.killAfterWriteOf = JOURNAL_LOG
}
