import { expect, test } from 'bun:test'
import type { Command } from '../../core/commands/command.ts'
import { FIRST_RULES_VERSION, RULES_VERSION } from '../../core/exchange/rules.ts'
import { DONE } from '../../core/questions/reply.ts'
import { EngineFault, type EngineFaultKind } from '../../engine/port/fault.ts'
import type { Seq } from '../../units/quantities.ts'
import { settleRules } from './rules.ts'

/** An engine that first fails like this; `reported`: the log lines. */
async function settle(seq: number, rulesVersion: number, ...faults: EngineFaultKind[]) {
  const given: Command[] = []
  const reported: unknown[] = []
  const note = (...parts: unknown[]) => void reported.push(parts)
  const submit = async (command: Command) => {
    given.push(command)
    const fault = faults.shift()
    if (fault !== undefined) throw new EngineFault(fault, 'as the test wants it')
    return DONE
  }
  const log = { debug: note, info: note, warn: note, error: note }
  const recovery = { seq: seq as Seq, rulesVersion }
  const version = await settleRules({ engine: { submit }, recovery, log, untilRetry: async () => {} })
  return { version, given, reported }
}

test('a new exchange takes the newest rules by a command of its journal', async () => {
  const { version, given } = await settle(0, FIRST_RULES_VERSION)
  expect(version).toBe(RULES_VERSION)
  expect(given).toMatchObject([{ kind: 'SetRulesVersion', version: RULES_VERSION }])
})

test('an existing exchange keeps its rules, and its operator is informed of newer ones', async () => {
  const older = await settle(7, FIRST_RULES_VERSION)
  expect([older.version, older.given]).toEqual([FIRST_RULES_VERSION, []])
  expect(JSON.stringify(older.reported)).toContain(`bourse admin rules set ${RULES_VERSION}`)
  expect((await settle(7, RULES_VERSION)).reported).toEqual([])
})

test('a new exchange on a full disk waits for room, and any other fault ends the start', async () => {
  expect((await settle(0, FIRST_RULES_VERSION, 'STORAGE_FULL', 'STORAGE_FULL')).given).toHaveLength(3)
  expect(settle(0, FIRST_RULES_VERSION, 'OUTCOME_UNKNOWN')).rejects.toThrow('as the test wants it')
})
