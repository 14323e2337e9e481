import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import type { AccountId } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { market } from '../writer/commands.fixture.ts'
import { ANY_EXCHANGES } from './machines.fixture.ts'
import { arbitraryQuery, arbitraryQueryAnswer } from './queries.arbitraries.ts'
import {
  answerQuery,
  ENGINE_QUERIES,
  QUERY_NAMES,
  queryOf,
  readQuery,
  readQueryAnswer,
  writeQuery,
  writeQueryAnswer,
} from './queries.ts'

test('every question and every answer is decoded as it was encoded, whatever follows it', () => {
  fc.assert(
    fc.property(fc.array(arbitraryQuery, { maxLength: 4 }), (queries) => {
      const writer = new ByteWriter()
      for (const query of queries) writeQuery(writer, query)
      const reader = new ByteReader(writer.take())
      expect(queries.map(() => readQuery(reader))).toEqual(queries)
      reader.end()
    }),
  )
  fc.assert(
    fc.property(fc.array(arbitraryQueryAnswer, { maxLength: 4 }), (answers) => {
      const writer = new ByteWriter()
      for (const answer of answers) writeQueryAnswer(writer, answer)
      const reader = new ByteReader(writer.take())
      expect(answers.map(() => readQueryAnswer(reader))).toEqual(answers)
      reader.end()
    }),
  )
})

test('each question has a code of its own, and another code is a fault of the bytes', () => {
  const codes = QUERY_NAMES.map((name) => ENGINE_QUERIES[name].code)
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of [0, Math.max(...codes) + 1, 255]) {
    expect(() => readQuery(new ByteReader(Uint8Array.of(code, 0, 0)))).toThrow(BytesFault)
    expect(() => readQueryAnswer(new ByteReader(Uint8Array.of(code, 0, 0)))).toThrow(BytesFault)
  }
})

test('a question is answered under its own name, from the present state', () => {
  const machine = ANY_EXCHANGES.empty()
  for (const command of market()) machine.apply(command, 1_000 as TimeMs, () => {})
  const account = 3 as AccountId
  const { name, value } = answerQuery(machine, queryOf('balances', { accountId: account }), machine.time)
  expect({ name, value }).toEqual({ name: 'balances', value: machine.balances(account) })
  expect(answerQuery(machine, queryOf('bootstrap', undefined), machine.time).value).toEqual(
    machine.bootstrap(),
  )
})

test('a read is certainly not done when the engine is lost', () => {
  for (const name of QUERY_NAMES) expect([name, ENGINE_QUERIES[name].lost]).toEqual([name, 'ENGINE_DOWN'])
})

test('ports, inbox, engine, storage and transport carry every question without knowing it', () => {
  const engine = path.join(import.meta.dirname, '..')
  const files = [
    ...['port', 'writer'].flatMap((room) =>
      readdirSync(path.join(engine, room)).map((file) => path.join(engine, room, file)),
    ),
    ...['storage', 'transport'].flatMap((ring) => {
      const folder = path.join(engine, '..', ring)
      return readdirSync(folder, { recursive: true }).map((file) => path.join(folder, String(file)))
    }),
  ].filter(
    (file) => file.endsWith('.ts') && !/(queries|\.(test|contract|fixture|arbitraries))\.ts$/.test(file),
  )
  expect(files.length).toBeGreaterThan(40)
  // Following is a separate call, which requests the bootstrap.
  const names = QUERY_NAMES.filter((name) => name !== 'bootstrap')
  const knowing = files.filter((file) =>
    names.some((name) => readFileSync(file, 'utf8').includes(`'${name}'`)),
  )
  expect(knowing).toEqual([])
})
